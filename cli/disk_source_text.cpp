// SPDX-License-Identifier: Apache-2.0
//
// Reads a source file whole, once, and remembers where its lines start.
#include "cli/disk_source_text.h"

#include <filesystem>
#include <fstream>
#include <system_error>
#include <utility>

namespace coalcheck::cli {
namespace {

namespace fs = std::filesystem;

// Larger than any source file, smaller than a mistake.
constexpr std::uintmax_t kMaxFileSize = 64U << 20U;

std::optional<std::string> ReadSource(const std::string& file) {
  std::error_code error;
  if (!fs::is_regular_file(file, error)) return std::nullopt;
  const std::uintmax_t size = fs::file_size(file, error);
  if (error || size > kMaxFileSize) return std::nullopt;
  std::ifstream stream(file, std::ios::binary);
  std::string text(static_cast<std::size_t>(size), '\0');
  if (!stream || !stream.read(text.data(), static_cast<std::streamsize>(size))) return std::nullopt;
  return text;
}

std::vector<std::size_t> LineStarts(std::string_view text) {
  std::vector<std::size_t> starts;
  for (std::size_t at = 0; at < text.size();) {
    starts.push_back(at);
    const std::size_t end = text.find('\n', at);
    if (end == std::string_view::npos) break;
    at = end + 1;
  }
  return starts;
}

}  // namespace

const DiskSourceText::File* DiskSourceText::Get(std::string_view file) {
  const auto [entry, fresh] = files_.try_emplace(std::string(file));
  if (fresh) {
    if (std::optional<std::string> text = ReadSource(entry->first)) {
      std::vector<std::size_t> starts = LineStarts(*text);
      entry->second = File{std::move(*text), std::move(starts)};
    }
  }
  return entry->second ? &*entry->second : nullptr;
}

std::optional<std::uint32_t> DiskSourceText::LineCount(std::string_view file) {
  const File* found = Get(file);
  if (found == nullptr) return std::nullopt;
  return static_cast<std::uint32_t>(found->line_starts.size());
}

std::optional<std::string> DiskSourceText::Line(std::string_view file, std::uint32_t line) {
  const File* found = Get(file);
  if (found == nullptr || line == 0 || line > found->line_starts.size()) return std::nullopt;
  const std::string_view text = std::string_view(found->text).substr(found->line_starts[line - 1]);
  std::string_view shown = text.substr(0, text.find('\n'));
  if (shown.ends_with('\r')) shown.remove_suffix(1);
  return std::string(shown);
}

}  // namespace coalcheck::cli
