// SPDX-License-Identifier: Apache-2.0
//
// Which functions were inlined into a kernel, for filters that name a library.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace coalcheck::cubin {

// Their mangled names, each once, in order. Empty when the code has no line information or cannot
// be read. Functions that are called are not among them. `cubin`: any bytes.
std::vector<std::string> InlinedFunctions(std::string_view cubin, std::string_view kernel);

}  // namespace coalcheck::cubin
