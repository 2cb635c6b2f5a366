// SPDX-License-Identifier: Apache-2.0
//
// Walks the rows of each sequence and the accesses of its function together.
#include "libcoalcheck/cubin/line_table.h"

#include <absl/functional/function_ref.h>

#include <algorithm>
#include <limits>
#include <numeric>
#include <utility>

namespace coalcheck::cubin {
namespace {

// Deeper than any chain seen (CCCL reaches about a dozen).
constexpr std::size_t kMaxDepth = 256;
constexpr std::string_view kPtxSection = ".nv_debug_ptx_txt";

// The rows of `sequence` in the order of their addresses. They stand in that order already, unless
// somebody tampered with them.
std::vector<std::uint32_t> InAddressOrder(std::span<const LineRow> rows) {
  std::vector<std::uint32_t> order(rows.size());
  std::iota(order.begin(), order.end(), 0U);
  const auto before = [&](std::uint32_t a, std::uint32_t b) {
    return rows[a].address < rows[b].address;
  };
  if (!std::is_sorted(order.begin(), order.end(), before)) {
    std::stable_sort(order.begin(), order.end(), before);
  }
  return order;
}

// Calls `visit(row index, access)` for every access of `function` that `sequence` covers, with the
// last row at or before it. `base` is added to the addresses of the rows.
void ForEachAccess(const LineSequence& sequence, std::int64_t base, Function& function,
                   absl::FunctionRef<void(std::size_t, GlobalAccess&)> visit) {
  const std::vector<std::uint32_t> order = InAddressOrder(sequence.rows);
  const auto shift = static_cast<std::uint64_t>(base);
  std::size_t next = 0;
  for (GlobalAccess& access : function.accesses) {
    const std::uint64_t address = access.pc.value() - shift;  // as the rows count, wrapping
    if (address >= sequence.end) continue;
    while (next < order.size() && sequence.rows[order[next]].address <= address) ++next;
    if (next > 0) visit(order[next - 1], access);
  }
}

}  // namespace

StringTable::StringTable(std::string_view content)
    : content_(content.substr(0, std::numeric_limits<std::uint32_t>::max())) {
  for (std::size_t end = content_.find('\0'); end != std::string_view::npos;
       end = content_.find('\0', end + 1)) {
    ends_.push_back(static_cast<std::uint32_t>(end));
  }
}

std::string_view StringTable::At(std::uint32_t offset) const {
  const auto end = std::lower_bound(ends_.begin(), ends_.end(), offset);
  return end == ends_.end() ? std::string_view() : content_.substr(offset, *end - offset);
}

LineTable::LineTable(const ElfFile& elf, std::span<Function> functions,
                     std::span<const std::size_t> sections, std::deque<std::string>& paths)
    : elf_(elf), paths_(paths) {
  for (std::size_t i = 0; i < functions.size(); ++i) functions_[sections[i]] = &functions[i];
}

LineTable::Relocations LineTable::ReadRelocations(std::string_view section) const {
  Relocations relocations;
  for (const ElfRelocation& relocation : elf_.RelocationsOf(section)) {
    relocations.try_emplace(relocation.offset, relocation);
  }
  return relocations;
}

// Every function starts at address 0, so that only the relocation says whose rows these are. A
// sequence without one belongs to a function that the linker dropped.
LineTable::Target LineTable::FindTarget(const LineSequence& sequence,
                                        const Relocations& relocations) const {
  const auto relocation = relocations.find(sequence.relocation_offset);
  if (relocation == relocations.end()) return {};
  if (relocation->second.symbol >= elf_.symbols().size()) return {};
  const ElfSymbol& symbol = elf_.symbols()[relocation->second.symbol];
  const auto function = functions_.find(symbol.section);
  if (function == functions_.end()) return {};
  const auto base = symbol.value + static_cast<std::uint64_t>(relocation->second.addend);
  return {function->second, static_cast<std::int64_t>(base)};
}

std::string_view LineTable::PathOf(const LineFile& file) {
  if (file.directory.empty()) return file.name;
  const auto [entry, fresh] = known_paths_.try_emplace({file.directory, file.name});
  if (!fresh) return entry->second;
  const std::size_t size = file.directory.size() + 1 + file.name.size();
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

void LineTable::AddChain(const LineSequence& sequence, std::size_t row, const Function& function,
                         const StringTable& names, GlobalAccess& access) {
  for (std::size_t depth = 0; depth < kMaxDepth && frames_left_ > 0; ++depth) {
    const LineRow& at = sequence.rows[row];
    const bool has_file = at.file >= 1 && at.file <= sequence.files.size();
    if (has_file && at.line != 0) {
      access.frames.push_back({at.context == 0 ? function.name : names.At(at.function),
                               PathOf(sequence.files[at.file - 1]), at.line});
      --frames_left_;
    }
    // A caller's row always stands before its callee's, which also keeps this from going round.
    if (at.context == 0 || at.context > row) return;
    row = at.context - 1;
  }
}

absl::Status LineTable::AddFrames(std::size_t cubin_size) {
  const ElfSection* lines = elf_.FindSection(".debug_line");
  if (lines == nullptr) return absl::OkStatus();
  // What no real cubin comes near, so that a small file cannot ask for gigabytes.
  frames_left_ = cubin_size / 2 + 1024;
  path_bytes_left_ = cubin_size + 65536;
  const ElfSection* strings = elf_.FindSection(".debug_str");
  const StringTable names(strings == nullptr ? std::string_view() : strings->content);
  const Relocations relocations = ReadRelocations(lines->name);
  const absl::Status status = VisitLineSequences(lines->content, [&](const LineSequence& sequence) {
    const Target target = FindTarget(sequence, relocations);
    if (target.function == nullptr) return;
    target.function->has_lines = true;
    ForEachAccess(sequence, target.base, *target.function,
                  [&](std::size_t row, GlobalAccess& access) {
                    if (access.frames.empty()) {
                      AddChain(sequence, row, *target.function, names, access);
                    }
                  });
  });
  if (status.ok() && (frames_left_ == 0 || path_bytes_left_ == 0)) {
    return absl::InvalidArgumentError("the line table names more than the cubin can hold");
  }
  return status;
}

// Linked code has one text per translation unit, and the row's file is the name of its section;
// otherwise there is one text and no file.
const PtxText& LineTable::PtxOf(const LineSequence& sequence, const LineRow& row) {
  std::string_view name = kPtxSection;
  if (row.file >= 1 && row.file <= sequence.files.size()) name = sequence.files[row.file - 1].name;
  const auto known = ptx_.find(name);
  if (known != ptx_.end()) return known->second;
  const ElfSection* text = name.starts_with(kPtxSection) ? elf_.FindSection(name) : nullptr;
  return ptx_.emplace(name, PtxText(text == nullptr ? std::string_view() : text->content))
      .first->second;
}

absl::Status LineTable::AddPtx() {
  const ElfSection* lines = elf_.FindSection(".nv_debug_line_sass");
  if (lines == nullptr) return absl::OkStatus();
  const Relocations relocations = ReadRelocations(lines->name);
  return VisitLineSequences(lines->content, [&](const LineSequence& sequence) {
    const Target target = FindTarget(sequence, relocations);
    if (target.function == nullptr) return;
    ForEachAccess(sequence, target.base, *target.function,
                  [&](std::size_t row, GlobalAccess& access) {
                    const LineRow& at = sequence.rows[row];
                    access.ptx = PtxOf(sequence, at).Line(at.line);
                  });
  });
}

}  // namespace coalcheck::cubin
