// SPDX-License-Identifier: Apache-2.0
//
// What the arrays are called that a move is about.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace coalcheck::findings {

// "`in`, `out` and 4 others": the names of `parameters`, which are numbers of a kernel's parameters
// from 0; "parameter 4" where `names` has none for it.
std::string ArraysWords(const std::vector<std::uint32_t>& parameters,
                        const std::vector<std::string>& names);

}  // namespace coalcheck::findings
