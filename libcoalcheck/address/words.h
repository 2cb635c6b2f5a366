// SPDX-License-Identifier: Apache-2.0
//
// Address expressions in words.
#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "libcoalcheck/address/expression.h"

namespace coalcheck::address {

// What the words may name besides numbers.
struct Names {
  // The types of the kernel's parameters, in order; empty when they are not known.
  std::vector<std::string> parameter_types;
  // "line 12 of a.cu", "the load at 0x0120": how to call the instruction at a pc.
  std::function<std::string(PcOffset)> load;
};

// The types in the parameter list of a demangled name: "f(float const*, int)" → 2 of them.
std::vector<std::string> ParameterTypes(std::string_view demangled);

// "parameter 2 (float*) + 4·(threadIdx.x·parameter 4 + threadIdx.y)"; empty when nothing is known.
std::string Describe(const AddressExpression& address, const Names& names);
// "consecutive threads are 4 bytes apart", "… parameter 4 elements apart", "the same for all
// lanes", "depends on line 12 of a.cu"; empty when nothing is known. `width` of the access: what an
// element is.
std::string DescribeLanes(const AddressExpression& address, Bytes width, const Names& names);

}  // namespace coalcheck::address
