// SPDX-License-Identifier: Apache-2.0
//
// Text without the blanks around it.
#pragma once

#include <string_view>

namespace coalcheck {

// `text` without spaces, tabs and ends of lines at both ends. A view into `text`.
inline std::string_view Trimmed(std::string_view text) {
  constexpr std::string_view kBlanks = " \t\r\n";
  const std::size_t first = text.find_first_not_of(kBlanks);
  if (first == std::string_view::npos) return {};
  return text.substr(first, text.find_last_not_of(kBlanks) - first + 1);
}

}  // namespace coalcheck
