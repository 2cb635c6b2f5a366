// SPDX-License-Identifier: Apache-2.0
//
// "_Z9transposeILi4096ELi…#3f0a9c5512d4e871".
#include "libcoalcheck/base/short_name.h"

#include <fmt/format.h>

#include "libcoalcheck/base/running_hash.h"

namespace coalcheck {

std::string ShortName(std::string_view name) {
  constexpr std::size_t kHash = 17;  // with the sign before it
  if (name.size() <= kLongestKeptName) return std::string(name);
  RunningHash hash;
  hash.Add(name);
  return fmt::format("{}#{:016x}", name.substr(0, kLongestKeptName - kHash), hash.value());
}

}  // namespace coalcheck
