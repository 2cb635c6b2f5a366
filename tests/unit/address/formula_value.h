// SPDX-License-Identifier: Apache-2.0
//
// Formulas put into numbers, by their definition and apart from the code under test.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>

#include "libcoalcheck/address/function_formulas.h"

namespace coalcheck::address {

// What an atom without arguments is worth; empty for what has no number.
using LeafValue = std::function<std::optional<std::int64_t>(const FormulaAtom&)>;

// Empty when the formula needs what has no number.
std::optional<std::int64_t> ValueOf(const FormulaAtoms& atoms, const Formula& formula,
                                    const LeafValue& leaf);

}  // namespace coalcheck::address
