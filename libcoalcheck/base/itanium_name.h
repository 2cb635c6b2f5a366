// SPDX-License-Identifier: Apache-2.0
//
// C++ names as compilers write them, made readable with a bound on the work.
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace coalcheck {

// `transpose(float*, int)` for `_Z9transposePfi`. Empty if `name` is not a mangled name, or exceeds
// a bound that no programmer's name does: 16384 characters of text, 96 levels of nested types,
// 16384 steps to print it with its back-references. So time, memory and stack are bounded.
std::optional<std::string> ReadItaniumName(std::string_view mangled);

}  // namespace coalcheck
