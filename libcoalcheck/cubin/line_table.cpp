// SPDX-License-Identifier: Apache-2.0
//
// Walks the rows of each sequence and the instructions of its function together.
#include "libcoalcheck/cubin/line_table.h"

#include <algorithm>
#include <limits>
#include <optional>

#include "libcoalcheck/cubin/placed_access.h"
#include "libcoalcheck/cubin/row_index.h"
#include "libcoalcheck/cubin/sass.h"

namespace coalcheck::cubin {
namespace {

// Deeper than any chain seen (CCCL reaches about a dozen).
constexpr std::size_t kMaxChain = 256;
constexpr std::string_view kPtxSection = ".nv_debug_ptx_txt";
// No file system opens a longer path, and every frame costs its length when looked up and shown.
constexpr std::size_t kMostPathBytes = 4096;
// The most frames of all accesses together, and the most bytes of their names and paths for each
// byte of the cubin, since each access repeats them.
constexpr std::uint64_t kMostFrames = 1U << 22U;
constexpr std::uint64_t kNameBytesOfByte = 64;
// The most bytes of different names for each byte of the cubin: names may lie over each other,
// where one is the end of another.
constexpr std::uint64_t kDifferentNameBytesOfByte = 2;
// How many sequences may describe the same instruction, on average: ptxas writes one.
constexpr std::uint64_t kMostCovers = 8;

// The addresses of its function that a sequence describes.
struct Extent {
  std::uint64_t begin = 0;
  std::uint64_t end = 0;
};

Extent ExtentOf(const LineSequence& sequence, const RowIndex& rows, std::uint64_t base) {
  constexpr std::uint64_t kMost = std::numeric_limits<std::uint64_t>::max();
  if (rows.first_address() > kMost - base) return {};
  return {base + rows.first_address(), base + std::min(sequence.end, kMost - base)};
}

std::vector<GlobalAccess>::iterator FirstAccess(std::vector<GlobalAccess>& accesses,
                                                std::uint64_t pc) {
  const auto before = [](const GlobalAccess& access, std::uint64_t wanted) {
    return access.pc.value() < wanted;
  };
  return std::lower_bound(accesses.begin(), accesses.end(), pc, before);
}

}  // namespace

LineTable::LineTable(const ElfFile& elf, std::span<Function> functions,
                     std::span<const std::size_t> sections, std::deque<std::string>& paths)
    : elf_(elf), paths_(paths) {
  for (std::size_t i = 0; i < functions.size(); ++i) {
    const std::size_t instructions = elf.sections()[sections[i]].content.size() / kSassWordSize;
    code_[sections[i]] = {&functions[i], std::vector<std::uint32_t>(instructions)};
    most_steps_ += kMostCovers * instructions;
  }
}

LineTable::Relocations LineTable::ReadRelocations(std::string_view section) const {
  Relocations relocations = elf_.RelocationsOf(section);
  std::ranges::stable_sort(relocations, {}, &ElfRelocation::offset);
  return relocations;
}

// Every function starts at address 0, so only the relocation says which function the rows belong
// to. A sequence without one belongs to a function that the linker dropped.
LineTable::Target LineTable::FindTarget(const LineSequence& sequence,
                                        const Relocations& relocations) {
  const auto relocation =
      std::ranges::lower_bound(relocations, sequence.relocation_offset, {}, &ElfRelocation::offset);
  if (relocation == relocations.end() || relocation->offset != sequence.relocation_offset)
    return {};
  if (relocation->symbol >= elf_.symbols().size()) return {};
  const ElfSymbol& symbol = elf_.symbols()[relocation->symbol];
  const auto code = code_.find(symbol.section);
  if (code == code_.end()) return {};
  return {&code->second, symbol.value + static_cast<std::uint64_t>(relocation->addend)};
}

absl::Status LineTable::VisitFunctions(
    const ElfSection& lines, const std::function<void(const LineSequence&, const Target&)>& visit) {
  steps_left_ = most_steps_;
  const Relocations relocations = ReadRelocations(lines.name);
  const auto failure = VisitLineSequences(lines.content, [&](const LineSequence& sequence) {
    const Target target = FindTarget(sequence, relocations);
    if (target.code != nullptr) visit(sequence, target);
  });
  if (failure) return absl::InvalidArgumentError(failure->message);
  if (steps_left_ == 0) {
    return absl::InvalidArgumentError("the line table describes the same code again and again");
  }
  return absl::OkStatus();
}

absl::Status LineTable::AddPtx() {
  const ElfSection* lines = elf_.FindSection(".nv_debug_line_sass");
  if (lines == nullptr) return absl::OkStatus();
  for (const ElfSection& section : elf_.sections()) {
    if (section.name.starts_with(kPtxSection)) texts_.try_emplace(section.name, section.content);
  }
  return VisitFunctions(*lines, [this](const LineSequence& sequence, const Target& target) {
    AddPtx(sequence, target);
  });
}

void LineTable::AddPtx(const LineSequence& sequence, const Target& target) {
  RowIndex rows(sequence);
  const Extent extent = ExtentOf(sequence, rows, target.base);
  std::vector<GlobalAccess>& accesses = target.code->function->accesses;
  auto access = FirstAccess(accesses, extent.begin);
  std::vector<std::uint32_t>& blocks = target.code->blocks;
  const std::uint64_t misaligned = extent.begin % kSassWordSize == 0 ? 0 : 1;
  for (std::uint64_t i = extent.begin / kSassWordSize + misaligned; i < blocks.size(); ++i) {
    const std::uint64_t pc = i * kSassWordSize;
    if (pc >= extent.end || steps_left_ == 0) return;
    --steps_left_;
    while (access != accesses.end() && access->pc.value() < pc) ++access;
    const std::optional<std::size_t> row = rows.At(pc - target.base);
    if (!row) continue;
    const LineRow& at = sequence.rows[*row];
    const PtxText& text = PtxOf(sequence, at);
    blocks[i] = text.Block(at.line);
    target.code->text = &text;
    target.code->function->ptx_text = text.content();
    if (access == accesses.end() || access->pc.value() != pc) continue;
    access->ptx = text.Line(at.line);
    access->ptx_line = at.line;
  }
}

// Linked code has one text per translation unit, and the row's file is the name of its section;
// otherwise there is one text and no file. Names are told apart by where they stand, as a long one
// would cost its length for every instruction.
const PtxText& LineTable::PtxOf(const LineSequence& sequence, const LineRow& row) {
  std::string_view name = kPtxSection;
  if (row.file >= 1 && row.file <= sequence.files.size()) name = sequence.files[row.file - 1].name;
  const auto [known, fresh] = text_of_name_.try_emplace({name.data(), name.size()}, &no_text_);
  if (fresh) {
    if (const auto text = texts_.find(name); text != texts_.end()) known->second = &text->second;
  }
  return *known->second;
}

absl::Status LineTable::AddFrames(std::size_t cubin_size) {
  const ElfSection* lines = elf_.FindSection(".debug_line");
  if (lines == nullptr) return absl::OkStatus();
  // What no real cubin comes near, so that a small file cannot ask for gigabytes.
  frames_left_ = std::min(cubin_size / 2 + 1024, kMostFrames);
  frame_bytes_left_ = kNameBytesOfByte * cubin_size;
  path_bytes_left_ = cubin_size + 65536;
  name_bytes_left_ = kDifferentNameBytesOfByte * cubin_size + 65536;
  const ElfSection* strings = elf_.FindSection(".debug_str");
  const StringTable names(strings == nullptr ? std::string_view() : strings->content);
  const absl::Status status =
      VisitFunctions(*lines, [&](const LineSequence& sequence, const Target& target) {
        AddFrames(sequence, target, names);
      });
  const auto left = {frames_left_, frame_bytes_left_, path_bytes_left_, name_bytes_left_};
  if (status.ok() && std::ranges::min(left) == 0) {
    return absl::InvalidArgumentError("the line table names more than the cubin can hold");
  }
  return status;
}

void LineTable::AddFrames(const LineSequence& sequence, const Target& target,
                          const StringTable& names) {
  Function& function = *target.code->function;
  function.has_lines = true;
  RowIndex rows(sequence);
  const BlockChains chains(sequence, target.base, target.code->blocks);
  const Extent extent = ExtentOf(sequence, rows, target.base);
  std::vector<PlacedAccess> placed;
  for (auto at = FirstAccess(function.accesses, extent.begin); at != function.accesses.end();
       ++at) {
    GlobalAccess& access = *at;
    const std::uint64_t pc = access.pc.value();
    if (pc >= extent.end || steps_left_ == 0) break;
    --steps_left_;
    if (!access.frames.empty()) continue;
    const std::optional<std::size_t> row = rows.At(pc - target.base);
    if (!row) continue;
    PlacedAccess& one = placed.emplace_back(PlacedAccess{&access, *row, std::nullopt});
    if (sequence.rows[*row].address == pc - target.base) continue;
    const std::uint32_t block = target.code->blocks[pc / kSassWordSize];
    one.row = chains.Better(*row, block);
    if (!chains.Knows(block)) one.guess = chains.Better(*row, BlockOfAddress(*target.code, access));
  }
  TakeGuesses(sequence, placed);
  for (const PlacedAccess& one : placed) AddChain(sequence, one.row, names, function, *one.access);
}

std::uint32_t LineTable::BlockOfAddress(const Code& code, const GlobalAccess& access) {
  if (code.text == nullptr || access.ptx_line == 0) return 0;
  const auto known = definitions_.try_emplace(code.text, *code.text).first;
  return code.text->Block(known->second.OfAddress(access.ptx_line));
}

void LineTable::AddChain(const LineSequence& sequence, std::size_t row, const StringTable& names,
                         const Function& function, GlobalAccess& access) {
  const auto has_room = [this] {
    return frames_left_ > 0 && frame_bytes_left_ > 0 && name_bytes_left_ > 0;
  };
  for (std::size_t depth = 0; depth < kMaxChain && has_room(); ++depth) {
    const LineRow& at = sequence.rows[row];
    const bool has_file = at.file >= 1 && at.file <= sequence.files.size();
    if (has_file && at.line != 0) {
      access.frames.push_back({at.context == 0 ? function.name : NameOf(at, names),
                               PathOf(sequence.files[at.file - 1]), at.line});
      --frames_left_;
      const cubin::SourceFrame& frame = access.frames.back();
      frame_bytes_left_ -=
          std::min<std::uint64_t>(frame_bytes_left_, frame.function.size() + frame.file.size());
    }
    // A caller's row always stands before its callee's, which also keeps this from going round.
    if (at.context == 0 || at.context > row) return;
    row = at.context - 1;
  }
}

std::string_view LineTable::NameOf(const LineRow& row, const StringTable& names) {
  const std::string_view name = names.At(row.function);
  if (known_names_.insert(row.function).second) {
    name_bytes_left_ -= std::min<std::uint64_t>(name_bytes_left_, name.size());
  }
  return name;
}

std::string_view LineTable::PathOf(const LineFile& file) {
  const std::size_t size = file.directory.size() + 1 + file.name.size();
  if (size > kMostPathBytes) {
    path_bytes_left_ = 0;
    return {};
  }
  if (file.directory.empty()) return file.name;
  const auto [entry, fresh] = known_paths_.try_emplace({file.directory, file.name});
  if (!fresh) return entry->second;
  if (size > path_bytes_left_) {
    path_bytes_left_ = 0;
    return entry->second = file.name;
  }
  path_bytes_left_ -= size;
  std::string& path = paths_.emplace_back(file.directory);
  if (!path.ends_with('/')) path += '/';
  path += file.name;
  return entry->second = path;
}

}  // namespace coalcheck::cubin
