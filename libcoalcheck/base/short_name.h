// SPDX-License-Identifier: Apache-2.0
//
// Names of functions as they are kept: a report names a kernel once for each of its accesses.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace coalcheck {

inline constexpr std::size_t kLongestKeptName = 4096;  // bytes

// `name`, whose end is replaced by a hash of all of it where it is longer than that. Of such a name
// it is the name itself.
std::string ShortName(std::string_view name);

}  // namespace coalcheck
