// SPDX-License-Identifier: Apache-2.0
//
// Which branches decide whether a block is executed: control dependence, by J. Ferrante, K. J.
// Ottenstein and J. D. Warren, "The Program Dependence Graph and Its Use in Optimization", 1987.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "libcoalcheck/ptx/control_flow.h"

namespace coalcheck::ptx {

// A block whose end decides whether another one is executed, and the side on which that one is.
struct Decider {
  std::uint32_t block = kNone;
  bool is_taken = false;
};

// Whether the function may go on in more than one way behind a block, or end there.
bool IsDecided(const Block& block);

// By block. A loop's own branches are among the deciders of its blocks. Empty where these are more
// than `most` in all.
std::optional<std::vector<std::vector<Decider>>> DecidersOf(const ControlFlow& flow,
                                                            std::size_t most);

}  // namespace coalcheck::ptx
