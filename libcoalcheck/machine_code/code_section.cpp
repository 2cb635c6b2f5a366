// SPDX-License-Identifier: Apache-2.0
//
// Symbols, relocations and attributes that belong to code.
#include "libcoalcheck/machine_code/code_section.h"

#include <algorithm>
#include <string>
#include <utility>

#include "libcoalcheck/cubin/byte_reader.h"

namespace coalcheck::machine_code {
namespace {

using cubin::ElfFile;
using cubin::ElfRelocation;
using cubin::ElfSection;
using cubin::ElfSymbol;

// Functions that the driver provides to device code; none of them waits for other work.
constexpr std::string_view kDriverFunctions[] = {"vprintf", "malloc", "free", "__assertfail"};

constexpr std::uint8_t kSizedValue = 4;
constexpr std::uint8_t kIndirectBranchTargets = 0x34;

bool IsHarmless(std::string_view name) {
  return name.starts_with("__cuda_syscall_") ||
         std::find(std::begin(kDriverFunctions), std::end(kDriverFunctions), name) !=
             std::end(kDriverFunctions);
}

// Each table: the branch, a word not understood, how many targets, and these.
void ReadTables(std::string_view value, JumpTables& tables) {
  cubin::ByteReader reader(value);
  while (reader.ok() && !reader.AtEnd()) {
    const std::uint32_t branch = reader.U32();
    reader.U32();
    const std::uint32_t count = reader.U32();
    if (!reader.ok() || count > value.size() / 4) return;
    std::vector<std::int64_t> targets;
    for (std::uint32_t i = 0; i < count; ++i) targets.push_back(reader.U32());
    if (reader.ok()) tables[branch] = std::move(targets);
  }
}

}  // namespace

std::vector<std::int64_t> CodeSection::Entries() const {
  std::vector<std::int64_t> entries{0};
  for (const Instruction& instruction : instructions) {
    if (instruction.flow == Flow::kCall) entries.push_back(instruction.target);
  }
  std::sort(entries.begin(), entries.end());
  entries.erase(std::unique(entries.begin(), entries.end()), entries.end());
  return entries;
}

CodeImage::CodeImage(ElfFile elf) : elf_(std::move(elf)) {
  for (std::size_t i = 0; i < elf_.sections().size(); ++i) {
    const ElfSection& section = elf_.sections()[i];
    by_name_.try_emplace(section.name, i);
    const ElfSection* target = elf_.TargetOf(section);
    if (target != nullptr) relocations_of_[target->name].push_back(i);
  }
}

std::optional<std::size_t> CodeImage::FindFunction(std::string_view name) const {
  const auto found = by_name_.find(std::string(cubin::kTextPrefix).append(name));
  return found == by_name_.end() ? std::nullopt : std::optional(found->second);
}

CodeSection CodeImage::Decode(std::size_t section) const {
  const ElfSection& text = elf_.sections()[section];
  CodeSection code;
  code.words = ReadWords(text.content);
  code.instructions.reserve(code.words.size());
  bool calls_by_name = false;
  bool has_tables = false;
  for (std::size_t i = 0; i < code.words.size(); ++i) {
    const Instruction instruction =
        DecodeInstruction(code.words[i], static_cast<std::int64_t>(i * sizeof(Word)), sm());
    calls_by_name = calls_by_name || instruction.flow == Flow::kCallSymbol;
    has_tables = has_tables || instruction.flow == Flow::kJumpTable;
    code.instructions.push_back(instruction);
  }
  if (has_tables) ReadJumpTables(text.name.substr(cubin::kTextPrefix.size()), code);
  if (calls_by_name) ReadNamedCalls(text.name, code);
  return code;
}

void CodeImage::ReadJumpTables(std::string_view function, CodeSection& code) const {
  const auto info = by_name_.find(std::string(".nv.info.").append(function));
  if (info == by_name_.end()) return;
  const std::string_view content = elf_.sections()[info->second].content;
  code.read_beside += content.size() / 4;
  cubin::ByteReader reader(content);
  while (reader.ok() && !reader.AtEnd()) {
    const std::uint8_t format = reader.U8();
    const std::uint8_t attribute = reader.U8();
    const std::uint16_t size = reader.U16();
    if (format != kSizedValue) continue;
    const std::string_view value = reader.Bytes(size);
    if (attribute == kIndirectBranchTargets) ReadTables(value, code.jump_tables);
  }
}

void CodeImage::ReadNamedCalls(std::string_view section_name, CodeSection& code) const {
  const auto found = relocations_of_.find(section_name);
  if (found == relocations_of_.end()) return;
  std::vector<ElfRelocation> relocations;
  for (const std::size_t i : found->second) {
    ElfFile::AddRelocations(elf_.sections()[i], relocations);
  }
  code.read_beside += relocations.size();
  for (const ElfRelocation& relocation : relocations) {
    if (relocation.symbol >= elf_.symbols().size()) continue;
    const ElfSymbol& symbol = elf_.symbols()[relocation.symbol];
    const auto at = static_cast<std::int64_t>(relocation.offset / sizeof(Word) * sizeof(Word));
    if (symbol.section != 0 && symbol.section < elf_.sections().size()) {
      const auto offset =
          static_cast<std::int64_t>(symbol.value + static_cast<std::uint64_t>(relocation.addend));
      code.named_calls[at] = {symbol.section, offset};
    } else if (!IsHarmless(symbol.name)) {
      code.unknown_calls.push_back(at);
    }
  }
  std::sort(code.unknown_calls.begin(), code.unknown_calls.end());
}

std::vector<std::int64_t> CodeImage::InnerFunctions(std::size_t section) const {
  std::vector<std::int64_t> offsets;
  for (const ElfSymbol& symbol : elf_.symbols()) {
    if (symbol.is_function() && symbol.section == section && symbol.value != 0) {
      offsets.push_back(static_cast<std::int64_t>(symbol.value));
    }
  }
  std::sort(offsets.begin(), offsets.end());
  return offsets;
}

std::vector<FunctionAddress> CodeImage::IndirectTargets(std::size_t section) const {
  std::vector<FunctionAddress> targets;
  for (const ElfSymbol& symbol : elf_.symbols()) {
    if (!symbol.is_function() || symbol.is_kernel() || symbol.section == 0) continue;
    if (symbol.section != section && symbol.value != 0) continue;  // another's inner function
    if (symbol.section >= elf_.sections().size()) continue;
    targets.push_back({symbol.section, static_cast<std::int64_t>(symbol.value)});
  }
  std::sort(targets.begin(), targets.end());
  targets.erase(std::unique(targets.begin(), targets.end()), targets.end());
  return targets;
}

bool CodeImage::HasUnknownFunctions() const {
  for (const ElfSymbol& symbol : elf_.symbols()) {
    if (symbol.is_function() && symbol.section == 0 && !IsHarmless(symbol.name)) return true;
  }
  return false;
}

}  // namespace coalcheck::machine_code
