// SPDX-License-Identifier: Apache-2.0
//
// Strings that end in NUL, found by offset.
#pragma once

#include <algorithm>
#include <cstdint>
#include <limits>
#include <string_view>
#include <vector>

namespace coalcheck::cubin {

// Remembers where strings end, so that a table without a single NUL does not cost a search per
// look-up.
class StringTable {
 public:
  explicit StringTable(std::string_view content)
      : content_(content.substr(0, std::numeric_limits<std::uint32_t>::max())) {
    for (std::size_t end = content_.find('\0'); end != std::string_view::npos;
         end = content_.find('\0', end + 1)) {
      ends_.push_back(static_cast<std::uint32_t>(end));
    }
  }

  // The string at `offset`, up to its NUL; empty when there is none.
  std::string_view At(std::uint32_t offset) const {
    const auto end = std::lower_bound(ends_.begin(), ends_.end(), offset);
    return end == ends_.end() ? std::string_view() : content_.substr(offset, *end - offset);
  }

 private:
  std::string_view content_;
  std::vector<std::uint32_t> ends_;
};

}  // namespace coalcheck::cubin
