// SPDX-License-Identifier: Apache-2.0
//
// Recordings are hostile: their reader has bounded how much text they hold, in how many pieces.
#include "cli/report/report_source_text.h"

#include <algorithm>
#include <utility>

#include "libcoalcheck/cubin/line_shown.h"

namespace coalcheck::cli {

std::optional<std::string_view> ReportSourceText::Piece::Line(std::uint32_t line) const {
  if (line < first_line || line - first_line >= line_starts.size()) return std::nullopt;
  return cubin::FirstLine(std::string_view(text).substr(line_starts[line - first_line]));
}

std::string ReportSourceText::NameOf(const recording::Source& source,
                                     const findings::PathMap& map) {
  const bool is_path = source.file.find('/') != std::string::npos;
  const std::string file = is_path ? map.Apply(cubin::TidyPath(source.file)) : source.file;
  // Files on disk keep their names: a recording puts no text in their place.
  const bool keeps_name = disk_.LineCount(file) || disk_.LineCount(source.shown_as);
  if (source.shown_as.empty() || keeps_name) return file;
  // A cell that ran twice has the number of the later run: In[10], not In[9].
  std::string& name = shown_as_[source.file];
  const auto place = [](const std::string& one) { return std::pair(one.size(), one); };
  if (place(name) < place(source.shown_as)) name = source.shown_as;
  return source.shown_as;
}

void ReportSourceText::NameFiles(findings::PathMap& map) const {
  for (const auto& [file, name] : shown_as_) map.Name(file, name);
}

void ReportSourceText::Add(recording::Source source, const findings::PathMap& map) {
  const std::string file = NameOf(source, map);
  std::vector<Piece>& pieces = pieces_[file];
  const auto is_known = [&](const Piece& piece) {
    return piece.first_line == source.first_line && piece.text == source.text;
  };
  if (held_ + source.size() > recording::kMostMergedSourceText) return;
  if (!source.stack.empty() && stacks_[file].insert(source.stack).second) {
    held_ += source.stack.size();
  }
  if (std::ranges::any_of(pieces, is_known)) return;
  held_ += source.text.size();
  Piece piece{source.first_line, std::move(source.text), {}};
  for (std::size_t at = 0; at < piece.text.size();) {
    piece.line_starts.push_back(static_cast<std::uint32_t>(at));
    const std::size_t end = piece.text.find('\n', at);
    if (end == std::string::npos) break;
    at = end + 1;
  }
  pieces.push_back(std::move(piece));
}

std::set<std::string, std::less<>> ReportSourceText::Files() const {
  std::set<std::string, std::less<>> files;
  for (const auto& [file, pieces] : pieces_) files.insert(file);
  return files;
}

std::string_view ReportSourceText::StackOf(std::string_view file) const {
  auto found = stacks_.find(file);
  if (found == stacks_.end()) found = stacks_.find(file.substr(file.rfind('/') + 1));
  const bool is_one = found != stacks_.end() && found->second.size() == 1;
  return is_one ? std::string_view(*found->second.begin()) : std::string_view();
}

const std::vector<ReportSourceText::Piece>* ReportSourceText::PiecesOf(
    std::string_view file) const {
  auto found = pieces_.find(file);
  if (found == pieces_.end()) found = pieces_.find(file.substr(file.rfind('/') + 1));
  return found == pieces_.end() ? nullptr : &found->second;
}

std::optional<std::uint32_t> ReportSourceText::LineCount(std::string_view file) {
  return disk_.LineCount(file);
}

std::optional<std::string> ReportSourceText::Line(std::string_view file, std::uint32_t line) {
  if (std::optional<std::string> on_disk = disk_.Line(file, line)) return on_disk;
  if (disk_.LineCount(file)) return std::nullopt;
  const std::vector<Piece>* pieces = PiecesOf(file);
  if (pieces == nullptr) return std::nullopt;
  std::optional<std::string_view> shown;
  for (const Piece& piece : *pieces) {
    const std::optional<std::string_view> own = piece.Line(line);
    if (own && shown && *own != *shown) return std::nullopt;
    if (own) shown = own;
  }
  return shown ? std::optional<std::string>(*shown) : std::nullopt;
}

}  // namespace coalcheck::cli
