// SPDX-License-Identifier: Apache-2.0
//
// What one request costs at least and at most, where not all of its addresses is known.
#pragma once

#include <cstdint>

#include "libcoalcheck/address/request.h"
#include "libcoalcheck/address/unknowns.h"
#include "libcoalcheck/sectors/warp_request.h"

namespace coalcheck::prediction {

struct RequestRange {
  sectors::RequestCounts least;
  sectors::RequestCounts most;
  // Lanes differ by something that is not known, and not only all of them together.
  bool lanes_are_open = false;
};

// `width`: bytes of a lane. `step`: bytes from one round of a loop to the next where nobody knows
// how many rounds there are, else 0.
RequestRange RangeOf(const address::Request& request, std::uint32_t width, std::uint64_t step,
                     const address::Unknowns& unknowns);

}  // namespace coalcheck::prediction
