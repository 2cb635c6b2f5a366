// SPDX-License-Identifier: Apache-2.0
//
// The accesses of a function by their line of its PTX text.
#pragma once

#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "libcoalcheck/cubin/cubin.h"

namespace coalcheck::cubin {

class AccessesByLine {
 public:
  // `function` must outlive it.
  explicit AccessesByLine(const Function& function);
  // The first, in the order of the code, of the 1-based line; null when there is none.
  const GlobalAccess* First(std::uint32_t ptx_line) const;

 private:
  const Function& function_;
  std::vector<std::pair<std::uint32_t, std::uint32_t>> lines_;  // with an index; ascending
};

}  // namespace coalcheck::cubin
