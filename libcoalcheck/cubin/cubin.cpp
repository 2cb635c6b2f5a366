// SPDX-License-Identifier: Apache-2.0
//
// Puts a cubin together: its functions, their accesses, and what the line tables add to them.
#include "libcoalcheck/cubin/cubin.h"

#include <absl/container/flat_hash_map.h>
#include <absl/strings/str_cat.h>

#include <algorithm>
#include <cstring>
#include <deque>
#include <utility>

#include "libcoalcheck/base/short_name.h"
#include "libcoalcheck/cubin/elf.h"
#include "libcoalcheck/cubin/line_table.h"
#include "libcoalcheck/cubin/ptx_file.h"
#include "libcoalcheck/cubin/ptx_text.h"
#include "libcoalcheck/cubin/sass.h"

namespace coalcheck::cubin {

struct Cubin::State {
  std::string bytes;
  std::uint32_t sm = 0;
  std::vector<Function> functions;
  absl::flat_hash_map<std::string_view, std::size_t> by_name;
  std::deque<std::string> paths;  // and names that were shortened

  void IndexNames() {
    for (std::size_t i = 0; i < functions.size(); ++i) {
      std::string_view& name = functions[i].name;
      if (name.size() > kLongestKeptName) name = paths.emplace_back(ShortName(name));
      by_name.try_emplace(name, i);
    }
  }
};

namespace {

struct RawWord {
  std::uint64_t low = 0;
  std::uint64_t high = 0;
};

// Read in place; it may have any alignment.
RawWord WordAt(std::string_view code, std::size_t pc) {
  RawWord word;
  std::memcpy(&word, code.data() + pc, sizeof(word));
  return word;
}

std::vector<GlobalAccess> FindAccesses(std::string_view code, std::uint32_t sm) {
  std::vector<GlobalAccess> accesses;
  std::size_t count = 0;  // first: a list of millions that grows would take twice the memory
  for (std::size_t pc = 0; pc + kSassWordSize <= code.size(); pc += kSassWordSize) {
    const auto [low, high] = WordAt(code, pc);
    if (DecodeSass(low, high, sm)) ++count;
  }
  accesses.reserve(count);
  for (std::size_t pc = 0; pc + kSassWordSize <= code.size(); pc += kSassWordSize) {
    const auto [low, high] = WordAt(code, pc);
    const std::optional<SassAccess> decoded = DecodeSass(low, high, sm);
    if (!decoded) continue;
    GlobalAccess access;
    access.pc = PcOffset(static_cast<std::uint32_t>(pc));
    access.kind = decoded->kind;
    access.width = decoded->width;
    access.generic = decoded->generic;
    accesses.push_back(std::move(access));
  }
  return accesses;
}

// The same for instructions that are not counted: where they are, and their kind.
std::vector<GlobalAccess> FindUncounted(std::string_view code, std::uint32_t sm) {
  std::vector<GlobalAccess> accesses;
  for (std::size_t pc = 0; pc + kSassWordSize <= code.size(); pc += kSassWordSize) {
    const auto [low, high] = WordAt(code, pc);
    std::optional<AccessKind> kind = DecodeLocalAccess(low);
    if (!kind) kind = DecodeBulkCopy(low, high, sm);
    if (!kind) continue;
    GlobalAccess access;
    access.pc = PcOffset(static_cast<std::uint32_t>(pc));
    access.kind = *kind;
    accesses.push_back(std::move(access));
  }
  return accesses;
}

// For each function the number of the section that holds its code.
std::vector<std::size_t> FindFunctions(const ElfFile& elf, std::uint32_t sm,
                                       std::vector<Function>& functions) {
  std::vector<std::size_t> sections;
  for (std::size_t i = 0; i < elf.sections().size(); ++i) {
    const ElfSection& section = elf.sections()[i];
    if (!section.name.starts_with(kTextPrefix) || section.content.empty()) continue;
    Function function;
    function.name = section.name.substr(kTextPrefix.size());
    function.accesses = FindAccesses(section.content, sm);
    functions.push_back(std::move(function));
    sections.push_back(i);
  }
  return sections;
}

void MarkKernels(const ElfFile& elf, std::span<const std::size_t> sections,
                 std::span<Function> functions) {
  absl::flat_hash_map<std::size_t, std::size_t> by_section;
  for (std::size_t i = 0; i < sections.size(); ++i) by_section[sections[i]] = i;
  for (const ElfSymbol& symbol : elf.symbols()) {
    if (!symbol.is_kernel()) continue;
    const auto found = by_section.find(symbol.section);
    if (found == by_section.end()) continue;
    Function& function = functions[found->second];
    if (function.name == symbol.name) function.is_kernel = true;
  }
}

// The instruction word has the width; if its size field is unknown, the PTX has.
void FillUnknownWidths(std::span<Function> functions) {
  for (Function& function : functions) {
    for (GlobalAccess& access : function.accesses) {
      if (access.width != Bytes(0)) continue;
      const std::optional<PtxAccess> ptx = ReadPtxAccess(access.ptx);
      if (ptx) access.width = ptx->width;
    }
  }
}

// Reads the lines again, for the few cubins with local memory or bulk copies. Nothing is judged by
// it: where the lines cannot be read, there are none.
void AddUncounted(const ElfFile& elf, std::span<const std::size_t> sections, std::size_t bytes,
                  std::span<Function> functions, std::deque<std::string>& paths) {
  std::vector<Function> uncounted(functions.size());
  bool any = false;
  for (std::size_t i = 0; i < functions.size(); ++i) {
    uncounted[i].name = functions[i].name;
    uncounted[i].accesses =
        FindUncounted(elf.sections()[sections[i]].content, elf.cuda_architecture());
    any = any || !uncounted[i].accesses.empty();
  }
  if (!any) return;
  LineTable lines(elf, uncounted, sections, paths);
  const bool has_lines = lines.AddPtx().ok() && lines.AddFrames(bytes).ok();
  for (std::size_t i = 0; i < functions.size(); ++i) {
    const std::string_view code = elf.sections()[sections[i]].content;
    for (GlobalAccess& one : uncounted[i].accesses) {
      if (!has_lines) one.frames.clear();
      const bool is_local = DecodeLocalAccess(WordAt(code, one.pc.value()).low).has_value();
      (is_local ? functions[i].local : functions[i].bulk)
          .push_back({one.pc, one.kind, std::move(one.frames)});
    }
  }
}

}  // namespace

absl::StatusOr<Cubin> Cubin::Parse(std::string bytes) {
  auto state = std::make_unique<State>();
  state->bytes = std::move(bytes);
  const Result<ElfFile> parsed = ElfFile::Parse(state->bytes);
  if (!parsed.ok()) return absl::InvalidArgumentError(parsed.error());
  const ElfFile* elf = &parsed.value();
  if (elf->machine() != kMachineCuda) {
    return absl::InvalidArgumentError(
        absl::StrCat("an ELF file for machine ", elf->machine(), ", not for CUDA"));
  }
  state->sm = elf->cuda_architecture();
  if (state->sm < kOldestSm) {
    return absl::UnimplementedError(
        absl::StrCat("code for sm_", state->sm, "; sm_", kOldestSm, " and later can be read"));
  }
  const std::vector<std::size_t> sections = FindFunctions(*elf, state->sm, state->functions);
  MarkKernels(*elf, sections, state->functions);
  LineTable lines(*elf, state->functions, sections, state->paths);
  if (absl::Status status = lines.AddPtx(); !status.ok()) return status;
  if (absl::Status status = lines.AddFrames(state->bytes.size()); !status.ok()) return status;
  FillUnknownWidths(state->functions);
  AddUncounted(*elf, sections, state->bytes.size(), state->functions, state->paths);
  state->IndexNames();
  return Cubin(std::move(state));
}

absl::StatusOr<Cubin> Cubin::ParsePtx(std::string text) {
  auto state = std::make_unique<State>();
  state->bytes = std::move(text);
  absl::StatusOr<PtxFile> file = ReadPtxFile(state->bytes, state->paths);
  if (!file.ok()) return file.status();
  state->sm = file->sm;
  state->functions = std::move(file->functions);
  state->IndexNames();
  return Cubin(std::move(state));
}

absl::StatusOr<Cubin> Cubin::ParseCode(std::string bytes) {
  return IsPtxText(bytes) ? ParsePtx(std::move(bytes)) : Parse(std::move(bytes));
}

Cubin::Cubin(std::unique_ptr<State> state) : state_(std::move(state)) {}
Cubin::Cubin(Cubin&&) noexcept = default;
Cubin& Cubin::operator=(Cubin&&) noexcept = default;
Cubin::~Cubin() = default;

std::uint32_t Cubin::sm() const { return state_->sm; }

std::string_view Cubin::bytes() const { return state_->bytes; }

std::span<const Function> Cubin::functions() const { return state_->functions; }

const Function* Cubin::FindFunction(std::string_view mangled_name) const {
  const auto found = state_->by_name.find(mangled_name);
  return found == state_->by_name.end() ? nullptr : &state_->functions[found->second];
}

const GlobalAccess* Cubin::FindAccess(const Function& function, PcOffset pc) {
  const auto found = std::lower_bound(
      function.accesses.begin(), function.accesses.end(), pc,
      [](const GlobalAccess& access, PcOffset wanted) { return access.pc < wanted; });
  return found != function.accesses.end() && found->pc == pc ? &*found : nullptr;
}

}  // namespace coalcheck::cubin
