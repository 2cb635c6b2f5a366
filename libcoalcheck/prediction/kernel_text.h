// SPDX-License-Identifier: Apache-2.0
//
// What a kernel was compiled from, as far as two builds of it can be compared.
#pragma once

#include <string>
#include <string_view>

namespace coalcheck::prediction {

// The PTX of a kernel without its source lines, comments and blanks, and with its labels counted
// from 0: those have the numbers of the file that the kernel stands in.
std::string ComparableText(std::string_view ptx);

}  // namespace coalcheck::prediction
