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

class SourceText {
 public:
  virtual ~SourceText() = default;
  // Number of lines in `file`; empty when it cannot be read.
  virtual std::optional<std::uint32_t> LineCount(std::string_view file) = 0;
  // The 1-based `line` of `file` without its line end; empty when there is none.
  virtual std::optional<std::string> Line(std::string_view file, std::uint32_t line) = 0;
};

}  // namespace coalcheck::cubin
