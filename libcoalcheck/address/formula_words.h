// SPDX-License-Identifier: Apache-2.0
//
// Formulas as people read them.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "libcoalcheck/address/function_formulas.h"

namespace coalcheck::address {

// What the words may name besides numbers.
struct FormulaNames {
  // The types of the kernel's parameters, in order; empty when they are not known.
  std::vector<std::string> parameter_types;
  // What to call the source of a PTX line: "line 12", "line 12 of a.cu".
  std::function<std::string(std::uint32_t ptx_line)> line;
  // What the source calls the kernel's parameters, in order; empty when that is not known.
  std::vector<std::string> parameter_names = {};
};

// "parameter 1 (float const*) + 4·([loaded in line 12] + threadIdx.x % 32)". Never empty; what is
// too long for a reader ends as "…".
std::string Words(const FunctionFormulas& formulas, const Formula& formula,
                  const FormulaNames& names);

}  // namespace coalcheck::address
