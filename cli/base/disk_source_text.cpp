// SPDX-License-Identifier: Apache-2.0
//
// Resolves a path, then opens what it leads to through no link.
#include "cli/base/disk_source_text.h"

#include <sys/stat.h>

#include <algorithm>
#include <array>
#include <utility>

#include "cli/base/foreign_file.h"
#include "cli/base/repository.h"
#include "libcoalcheck/cubin/line_shown.h"

namespace coalcheck::cli {
namespace {

// Bytes of one source file, and of all that a report holds. No source file is larger.
constexpr std::uint64_t kMaxFileSize = 64U << 20U;
constexpr std::uint64_t kMaxHeld = 256U << 20U;

std::size_t LinesIn(std::string_view text) {
  return static_cast<std::size_t>(std::ranges::count(text, '\n')) + 1;
}

std::vector<std::uint32_t> LineStarts(std::string_view text) {
  std::vector<std::uint32_t> starts;
  starts.reserve(LinesIn(text));
  for (std::size_t at = 0; at < text.size();) {
    starts.push_back(static_cast<std::uint32_t>(at));
    const std::size_t end = text.find('\n', at);
    if (end == std::string_view::npos) break;
    at = end + 1;
  }
  return starts;
}

}  // namespace

DiskSourceText::DiskSourceText(const std::vector<std::string>& folders, Resolve resolve)
    : resolve_(std::move(resolve)) {
  for (const std::string& folder : folders) {
    Way way = WayOf(folder);
    // An empty name, as of a prefix that is mapped to nothing, is no folder.
    if (!way.real.starts_with('/')) continue;
    // It may have become a link meanwhile.
    if (!way.link.empty() || resolve_(way.real) != way.real) continue;
    if (way.real.back() != '/') way.real += '/';
    folders_.push_back(std::move(way.real));
  }
}

bool DiskSourceText::MayBeQuoted(const std::string& real_path) const {
  // The kernel's own files say what is in this process.
  const auto is_below = [&](std::string_view folder) { return real_path.starts_with(folder); };
  if (std::ranges::any_of(std::array{"/proc/", "/sys/", "/dev/"}, is_below)) return false;
  return std::ranges::any_of(folders_, [&real_path](const std::string& folder) {
    if (!real_path.starts_with(folder)) return false;
    const bool hidden = real_path.find("/.", folder.size() - 1) != std::string::npos;
    const bool installed =
        cubin::IsInstalledFile(real_path) && !cubin::IsInstalledFile(folder + "x");
    return !hidden && !installed;
  });
}

std::optional<DiskSourceText::File> DiskSourceText::Read(const std::string& real_path) {
  if (!MayBeQuoted(real_path)) return std::nullopt;
  absl::StatusOr<std::string> text =
      ReadFile(real_path, std::min(kMaxFileSize, kMaxHeld - held_), Links::kRefuseAll);
  if (!text.ok()) return std::nullopt;
  const std::uint64_t size = text->size() + LinesIn(*text) * sizeof(std::uint32_t);
  if (size > kMaxHeld - held_) return std::nullopt;
  held_ += size;
  std::vector<std::uint32_t> starts = LineStarts(*text);
  return File{*std::move(text), std::move(starts)};
}

const DiskSourceText::File* DiskSourceText::Get(std::string_view file) {
  if (const auto known = names_.find(file); known != names_.end()) return known->second;
  const auto name = names_.emplace(file, nullptr).first;
  if (file.empty()) return nullptr;
  const auto [read, fresh] = files_.try_emplace(resolve_(name->first));
  if (fresh) read->second = Read(read->first);
  if (read->second) name->second = &*read->second;
  return name->second;
}

std::optional<std::uint32_t> DiskSourceText::LineCount(std::string_view file) {
  const File* found = Get(file);
  if (found == nullptr) return std::nullopt;
  return static_cast<std::uint32_t>(found->line_starts.size());
}

std::optional<cubin::FileStamp> DiskSourceText::StampOf(const std::string& file) {
  struct stat facts {};
  if (Get(file) == nullptr || stat(file.c_str(), &facts) != 0) return std::nullopt;
  return cubin::FileStamp{static_cast<std::uint64_t>(facts.st_mtime),
                          static_cast<std::uint64_t>(facts.st_size)};
}

std::optional<std::string> DiskSourceText::Line(std::string_view file, std::uint32_t line) {
  const File* found = Get(file);
  if (found == nullptr || line == 0 || line > found->line_starts.size()) return std::nullopt;
  return std::string(
      cubin::FirstLine(std::string_view(found->text).substr(found->line_starts[line - 1])));
}

}  // namespace coalcheck::cli
