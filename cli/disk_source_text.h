// SPDX-License-Identifier: Apache-2.0
//
// Source lines read from disk, each file once.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "libcoalcheck/cubin/source_text.h"

namespace coalcheck::cli {

// Answers from regular files only, so that a path out of a hostile cubin cannot make the command
// wait on a pipe or a device. Not safe for several threads.
class DiskSourceText : public cubin::SourceText {
 public:
  std::optional<std::uint32_t> LineCount(std::string_view file) override;
  std::optional<std::string> Line(std::string_view file, std::uint32_t line) override;

 private:
  struct File {
    std::string text;
    std::vector<std::size_t> line_starts;
  };
  // Null when `file` cannot be read.
  const File* Get(std::string_view file);

  std::unordered_map<std::string, std::optional<File>> files_;
};

}  // namespace coalcheck::cli
