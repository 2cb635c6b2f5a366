// SPDX-License-Identifier: Apache-2.0
//
// C++ names as compilers write them, made readable with a bound on the work.
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace coalcheck {

// `transpose(float*, int)` for `_Z9transposePfi`. Nothing for what is no mangled name, and for
// names that a programmer never writes: whose text is longer than 16384 characters, whose types are
// nested deeper than 96 levels, or that refer to their own parts so often that printing them takes
// more than 16384 steps. Time, memory and stack are bounded, whatever the name.
std::optional<std::string> ReadItaniumName(std::string_view mangled);

}  // namespace coalcheck
