// SPDX-License-Identifier: Apache-2.0
//
// The file tables of `.debug_line`, and the `.file` directives of PTX.
#include "libcoalcheck/cubin/source_stamps.h"

#include <algorithm>
#include <charconv>
#include <cstddef>
#include <set>
#include <tuple>
#include <utility>

#include "libcoalcheck/cubin/elf.h"
#include "libcoalcheck/cubin/line_program.h"

namespace coalcheck::cubin {
namespace {

// Units name their files again for each function: what a cubin of any sane size needs.
constexpr std::size_t kMostFiles = 4'000'000;
constexpr std::size_t kMostKept = 100'000;  // that differ

class Stamps {
 public:
  void Add(const LineFile& file) {
    if (++looked_at_ > kMostFiles || seen_.size() > kMostKept) return;
    if (!seen_.emplace(file.directory, file.name, file.time, file.size).second) return;
    std::string path(file.directory);
    if (!path.empty() && !path.ends_with('/')) path += '/';
    path += file.name;
    const FileStamp stamp{file.time, file.size};
    const auto [known, is_new] = stamps_.try_emplace(std::move(path), stamp);
    if (!is_new && known->second != stamp) known->second = {};
  }

  SourceStamps Take() && {
    if (looked_at_ > kMostFiles || seen_.size() > kMostKept) return {};
    std::erase_if(stamps_, [](const auto& one) { return one.second.time == 0; });
    return std::move(stamps_);
  }

 private:
  SourceStamps stamps_;
  std::set<std::tuple<std::string_view, std::string_view, std::uint64_t, std::uint64_t>> seen_;
  std::size_t looked_at_ = 0;
};

// `, 1795423389`: takes it off the text. 0 where there is none.
std::uint64_t TakeNumber(std::string_view& text) {
  const std::size_t begin = std::min(text.find_first_not_of(", \t"), text.size());
  text.remove_prefix(begin);
  std::uint64_t number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  text.remove_prefix(static_cast<std::size_t>(end - text.data()));
  return error == std::errc() ? number : 0;
}

// `.file 1 "/src/a.cu", 1795423389, 2263`
void AddDirectives(std::string_view ptx, Stamps& stamps) {
  constexpr std::string_view kFile = ".file";
  while (!ptx.empty()) {
    std::string_view line = ptx.substr(0, ptx.find('\n'));
    ptx.remove_prefix(std::min(line.size() + 1, ptx.size()));
    line.remove_prefix(std::min(line.find_first_not_of(" \t"), line.size()));
    const std::size_t open = line.find('"');
    const std::size_t close = line.find('"', open + 1);
    if (!line.starts_with(kFile) || close == std::string_view::npos) continue;
    LineFile file{{}, line.substr(open + 1, close - open - 1)};
    std::string_view numbers = line.substr(close + 1);
    file.time = TakeNumber(numbers);
    file.size = TakeNumber(numbers);
    stamps.Add(file);
  }
}

}  // namespace

SourceStamps SourceStampsOf(std::string_view code) {
  Stamps stamps;
  const Result<ElfFile> elf = ElfFile::Parse(code);
  if (!elf.ok()) {
    AddDirectives(code, stamps);
    return std::move(stamps).Take();
  }
  const ElfSection* lines = elf.value().FindSection(".debug_line");
  if (lines == nullptr) return {};
  std::uint64_t unit = 0;
  std::size_t known = 0;  // of the unit's files: its sequences all have them
  const auto error = VisitLineSequences(lines->content, [&](const LineSequence& sequence) {
    if (std::exchange(unit, sequence.unit) != sequence.unit) known = 0;
    for (; known < sequence.files.size(); ++known) stamps.Add(sequence.files[known]);
  });
  return error ? SourceStamps() : std::move(stamps).Take();
}

}  // namespace coalcheck::cubin
