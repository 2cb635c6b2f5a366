// SPDX-License-Identifier: Apache-2.0
//
// Each row of a line table for inlined code names the inlined function.
#include "libcoalcheck/cubin/inlined_functions.h"

#include <set>
#include <unordered_set>

#include "libcoalcheck/cubin/elf.h"
#include "libcoalcheck/cubin/line_program.h"
#include "libcoalcheck/cubin/string_table.h"

namespace coalcheck::cubin {
namespace {

constexpr std::string_view kLines = ".debug_line";
// Bounds for hostile files; the largest kernels seen have some hundreds.
constexpr std::size_t kMostFunctions = 10'000;
constexpr std::size_t kLongestName = 4096;

// Where in the line section the sequences of the kernel name their start.
std::unordered_set<std::uint64_t> SequencesOf(const ElfFile& elf, std::string_view kernel) {
  std::unordered_set<std::uint64_t> offsets;
  for (const ElfRelocation& relocation : elf.RelocationsOf(kLines)) {
    if (relocation.symbol >= elf.symbols().size()) continue;
    const std::uint16_t section = elf.symbols()[relocation.symbol].section;
    if (section >= elf.sections().size()) continue;
    const std::string_view name = elf.sections()[section].name;
    if (name.starts_with(kTextPrefix) && name.substr(kTextPrefix.size()) == kernel) {
      offsets.insert(relocation.offset);
    }
  }
  return offsets;
}

}  // namespace

std::vector<std::string> InlinedFunctions(std::string_view cubin, std::string_view kernel) {
  const Result<ElfFile> elf = ElfFile::Parse(cubin);
  if (!elf.ok()) return {};
  const ElfSection* lines = elf.value().FindSection(kLines);
  const ElfSection* strings = elf.value().FindSection(".debug_str");
  if (lines == nullptr || strings == nullptr) return {};
  const std::unordered_set<std::uint64_t> sequences = SequencesOf(elf.value(), kernel);
  std::set<std::uint32_t> offsets;
  // What was read before a table contradicts itself is good.
  static_cast<void>(VisitLineSequences(lines->content, [&](const LineSequence& sequence) {
    if (!sequences.contains(sequence.relocation_offset)) return;
    for (const LineRow& row : sequence.rows) {
      if (row.context != 0 && offsets.size() < kMostFunctions) offsets.insert(row.function);
    }
  }));
  const StringTable names(strings->content);
  std::set<std::string> functions;
  for (const std::uint32_t offset : offsets) {
    const std::string_view name = names.At(offset).substr(0, kLongestName);
    if (!name.empty()) functions.emplace(name);
  }
  return {functions.begin(), functions.end()};
}

}  // namespace coalcheck::cubin
