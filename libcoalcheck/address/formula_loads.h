// SPDX-License-Identifier: Apache-2.0
//
// Which loaded values an address depends on, read off its formula.
#pragma once

#include <cstdint>
#include <vector>

#include "libcoalcheck/address/function_formulas.h"

namespace coalcheck::address {

// The instructions that load them, ascending: those in the formula, in what loops carry, and in the
// conditions that decide how many rounds a loop has. Not those of the addresses of loads.
std::vector<std::uint32_t> LoadsIn(const FunctionFormulas& formulas, const Formula& formula);

}  // namespace coalcheck::address
