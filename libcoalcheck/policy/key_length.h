// SPDX-License-Identifier: Apache-2.0
//
// How many parts the keys of a TOML file have, told before it is parsed.
#pragma once

#include <cstddef>
#include <string_view>

namespace coalcheck::policy {

// Of "a.b.c" 3. The TOML library makes a table in a table of each part, and lets them go by a
// recursion for each: a file of a megabyte could use up the stack.
inline constexpr std::size_t kMostKeyParts = 16;

// The first line, counted from 1, on which a key has more parts; 0 where none has.
std::size_t LineOfTooLongKey(std::string_view toml);

}  // namespace coalcheck::policy
