// SPDX-License-Identifier: Apache-2.0
//
// A sorted list: a kernel may have a million accesses, and each be asked for.
#include "libcoalcheck/cubin/accesses_by_line.h"

#include <algorithm>

namespace coalcheck::cubin {

AccessesByLine::AccessesByLine(const Function& function) : function_(function) {
  lines_.reserve(function.accesses.size());
  for (std::uint32_t i = 0; i < function.accesses.size(); ++i) {
    lines_.emplace_back(function.accesses[i].ptx_line, i);
  }
  std::ranges::sort(lines_);
}

const GlobalAccess* AccessesByLine::First(std::uint32_t ptx_line) const {
  const auto found = std::ranges::lower_bound(lines_, std::pair(ptx_line, std::uint32_t{0}));
  if (found == lines_.end() || found->first != ptx_line) return nullptr;
  return &function_.accesses[found->second];
}

}  // namespace coalcheck::cubin
