// SPDX-License-Identifier: Apache-2.0
//
// Whether a loop ends by counting, whatever values it reads.
#pragma once

#include <cstdint>
#include <span>

#include "libcoalcheck/machine_code/dependence.h"

namespace coalcheck::machine_code {

// Whether every round of the loop of the blocks `loop` (ascending) adds a constant to a register
// and may leave the loop by comparing that register. What it is compared with may be read anew each
// time. False where that cannot be seen.
bool EndsByCounting(const CodeView& code, std::span<const std::uint32_t> loop);

}  // namespace coalcheck::machine_code
