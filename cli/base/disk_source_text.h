// SPDX-License-Identifier: Apache-2.0
//
// Source lines read from disk, each file once, and only from folders that may be quoted.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "libcoalcheck/cubin/source_stamps.h"
#include "libcoalcheck/cubin/source_text.h"
#include "libcoalcheck/recording/file_calls.h"

namespace coalcheck::cli {

// A path out of a hostile cubin can name any file of this machine, and what is read here may be
// published in a report. So links and `..` of the path are resolved first, and what they lead to is
// opened through no link: a folder may become one in between. The file has no text
// unless it lies in one of the folders, outside their hidden folders (.git holds credentials in
// CI), and belongs to no installed package. Not safe for several threads.
class DiskSourceText : public cubin::SourceText {
 public:
  // The absolute path that a path leads to, without links; empty where there is no file.
  using Resolve = std::function<std::string(const std::string&)>;

  DiskSourceText() = default;
  // Folders that do not exist hold no file, nor do those to which a link leads out of its
  // repository.
  explicit DiskSourceText(const std::vector<std::string>& folders,
                          Resolve resolve = recording::RealPath);

  std::optional<std::uint32_t> LineCount(std::string_view file) override;
  std::optional<std::string> Line(std::string_view file, std::uint32_t line) override;
  // Empty for a file without text.
  std::optional<cubin::FileStamp> StampOf(const std::string& file);

 private:
  struct File {
    std::string text;
    std::vector<std::uint32_t> line_starts;
  };
  bool MayBeQuoted(const std::string& real_path) const;
  // Null when `file` may not be read or cannot.
  const File* Get(std::string_view file);
  std::optional<File> Read(const std::string& real_path);

  const Resolve resolve_ = recording::RealPath;
  std::vector<std::string> folders_;  // where links lead, each with a slash at the end
  std::map<std::string, const File*, std::less<>> names_;       // as they were asked for
  std::unordered_map<std::string, std::optional<File>> files_;  // by real path
  std::uint64_t held_ = 0;                                      // bytes of all of them
};

}  // namespace coalcheck::cli
