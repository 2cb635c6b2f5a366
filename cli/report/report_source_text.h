// SPDX-License-Identifier: Apache-2.0
//
// Source lines from disk, and where a file is not there, out of recordings that hold its text.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "cli/base/disk_source_text.h"
#include "libcoalcheck/cubin/source_text.h"
#include "libcoalcheck/findings/sources/path_map.h"
#include "libcoalcheck/recording/records.h"

namespace coalcheck::cli {

class ReportSourceText : public cubin::SourceText {
 public:
  // As DiskSourceText, which is asked first, takes them.
  explicit ReportSourceText(const std::vector<std::string>& folders) : disk_(folders) {}

  // Files are known by their mapped names from then on, or as the source says that they are shown.
  // A line to which two recordings, or two pieces of one, give different text has none. Beyond
  // 64 MiB nothing is kept.
  void Add(recording::Source source, const findings::PathMap& map);
  // Has `map` call files as their sources say that they are shown.
  void NameFiles(findings::PathMap& map) const;
  // The files it has text of, as SourceScope::files takes them.
  std::set<std::string, std::less<>> Files() const;

  // Stacks of the Python that a file was made from, by its mapped name; empty: none is known, or
  // recordings do not agree.
  std::string_view StackOf(std::string_view file) const;

  // Of files on disk only: of others there may be a part.
  std::optional<std::uint32_t> LineCount(std::string_view file) override;
  std::optional<std::string> Line(std::string_view file, std::uint32_t line) override;
  // Of files on disk.
  std::optional<cubin::FileStamp> StampOf(const std::string& file) { return disk_.StampOf(file); }

 private:
  struct Piece {
    std::uint32_t first_line;
    std::string text;
    std::vector<std::uint32_t> line_starts;
    std::optional<std::string_view> Line(std::uint32_t line) const;
  };
  const std::vector<Piece>* PiecesOf(std::string_view file) const;
  std::string NameOf(const recording::Source& source, const findings::PathMap& map);

  DiskSourceText disk_;
  std::map<std::string, std::vector<Piece>, std::less<>> pieces_;
  std::map<std::string, std::string> shown_as_;  // by the name in line tables
  std::map<std::string, std::set<std::string>, std::less<>> stacks_;
  std::size_t held_ = 0;  // bytes of text
};

}  // namespace coalcheck::cli
