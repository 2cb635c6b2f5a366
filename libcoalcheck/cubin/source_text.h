// SPDX-License-Identifier: Apache-2.0
//
// Where the analysis gets the text of source files from: the command reads them from disk, tests
// hand them over.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace coalcheck::cubin {

// Of longer lines only the start is read: each place on a line holds a copy of it.
inline constexpr std::size_t kLongestLine = 1000;

// The line that `text` begins with, without its end, in whole characters of UTF-8.
inline std::string_view FirstLine(std::string_view text) {
  const std::string_view start = text.substr(0, kLongestLine + 1);
  std::size_t end = start.find('\n');
  if (end == std::string_view::npos) {
    end = start.size() > kLongestLine ? kLongestLine : start.size();
    const auto is_continuation = [](char c) { return (static_cast<unsigned char>(c) >> 6U) == 2; };
    while (end < start.size() && end > 0 && is_continuation(start[end])) --end;
  }
  std::string_view line = start.substr(0, end);
  if (line.ends_with('\r')) line.remove_suffix(1);
  return line;
}

class SourceText {
 public:
  virtual ~SourceText() = default;
  // Number of lines in `file`; empty when it cannot be read.
  virtual std::optional<std::uint32_t> LineCount(std::string_view file) = 0;
  // The 1-based `line` of `file` without its line end; empty when there is none.
  virtual std::optional<std::string> Line(std::string_view file, std::uint32_t line) = 0;
};

}  // namespace coalcheck::cubin
