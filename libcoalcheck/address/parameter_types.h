// SPDX-License-Identifier: Apache-2.0
//
// The types of a kernel's parameters, which its mangled name holds.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace coalcheck::address {

// Of a demangled name: "f(float const*, int)" → 2 of them. Empty where it lists none.
std::vector<std::string> ParameterTypes(std::string_view demangled);

}  // namespace coalcheck::address
