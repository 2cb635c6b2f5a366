// SPDX-License-Identifier: Apache-2.0
//
// What parts of a formula were as numbers in a launch, without running anything.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>

#include "libcoalcheck/address/function_formulas.h"
#include "libcoalcheck/address/launch_values.h"

namespace coalcheck::address {

// Of an integer argument, or of an integer that the kernel reads from a structure that is one.
// Empty where the atom is something else, or its value is not known.
std::optional<std::int64_t> ArgumentNumber(const ptx::Function& function, const FormulaAtom& atom,
                                           const LaunchValues& launch);

// Of a formula whose atoms have these numbers; empty where one has none, or the number does not
// fit.
std::optional<std::int64_t> NumberOf(
    const Formula& formula, const std::function<std::optional<std::int64_t>(AtomId)>& number);

// Of a formula of such arguments, of sizes of block and grid and of constants; empty where it has
// other parts, or the number does not fit.
std::optional<std::int64_t> NumberOf(const FunctionFormulas& formulas, const Formula& formula,
                                     const LaunchValues& launch);

}  // namespace coalcheck::address
