// SPDX-License-Identifier: Apache-2.0
//
// Which of a function's parameters are pointers that its accesses begin at.
#pragma once

#include <cstdint>
#include <vector>

#include "libcoalcheck/address/function_formulas.h"

namespace coalcheck::address {

// Their offsets in the block of parameters, ascending: pointers by themselves and in structures.
std::vector<std::uint32_t> PointerOffsets(const FunctionFormulas& formulas);

}  // namespace coalcheck::address
