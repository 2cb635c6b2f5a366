// SPDX-License-Identifier: Apache-2.0
//
// Whether a loop ends by counting, whatever values it reads, and how many rounds that takes.
#pragma once

#include <cstdint>
#include <optional>
#include <span>

#include "libcoalcheck/machine_code/dependence.h"
#include "libcoalcheck/machine_code/launch_values.h"

namespace coalcheck::machine_code {

// Whether every round of the loop of the blocks `loop` (ascending) adds a constant to a register
// and may leave the loop by comparing that register. What it is compared with may be read anew each
// time. False where that cannot be seen. `steps_left` is counted down by the work; at zero nothing
// is seen any more.
bool EndsByCounting(const CodeView& code, std::span<const std::uint32_t> loop,
                    std::uint64_t& steps_left);

// The most rounds that the loop runs in the launch that `values` is of: as many as a counter of its
// takes to what it is compared with, if both come from constants and the launch alone. Empty where
// no such counter is seen. It may leave earlier by what it reads.
std::optional<double> MostRounds(const CodeView& code, std::span<const std::uint32_t> loop,
                                 LaunchEvaluator& values, std::uint64_t& steps_left);

}  // namespace coalcheck::machine_code
