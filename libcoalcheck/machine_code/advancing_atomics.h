// SPDX-License-Identifier: Apache-2.0
//
// Whether the atomics of a loop only count on, as where threads take work from a queue.
#pragma once

#include <cstdint>
#include <span>

#include "libcoalcheck/machine_code/dependence.h"

namespace coalcheck::machine_code {

// Whether every atomic on integers in the blocks `loop` (ascending) adds a number above zero. Then
// each round brings a counter nearer to its end, whatever other threads do. False where that cannot
// be seen, where the loop
// calls functions, and where `steps_left`, which is counted down by the work, reaches zero.
bool OnlyCountsOn(const CodeView& code, std::span<const std::uint32_t> loop,
                  std::uint64_t& steps_left);

}  // namespace coalcheck::machine_code
