// SPDX-License-Identifier: Apache-2.0
//
// A picture of an access pattern: 32 lanes over the sectors and lines that they touch.
#pragma once

#include <optional>
#include <string>

#include "libcoalcheck/patterns/shares.h"
#include "libcoalcheck/sectors/warp_request.h"

namespace coalcheck::output {

// One request that has the pattern: an example, since recordings hold no addresses. Of an interval
// it takes the first power of two, which is what people choose, or else its lower end. Empty for
// patterns that say nothing about addresses.
std::optional<sectors::WarpRequest> ExampleRequest(const patterns::Candidate& candidate,
                                                   Bytes width, Lanes active);

struct Picture {
  std::string svg;    // what stands inside an <svg> or a <symbol> of kPictureBox
  std::string label;  // the same as plain text, for screen readers
};
inline constexpr const char* kPictureBox = "0 0 800 128";

// The lanes that take part in a request of the share, in the middle.
Lanes ActiveOf(const patterns::Share& share);

// Of ExampleRequest(); empty when that is.
std::optional<Picture> DrawPattern(const patterns::Candidate& candidate, Bytes width, Lanes active);

}  // namespace coalcheck::output
