// SPDX-License-Identifier: Apache-2.0
//
// Joins line sequences with the functions of a cubin: for the accesses of each function, the PTX
// line and the chain of source frames.
#pragma once

#include <absl/container/flat_hash_map.h>
#include <absl/container/flat_hash_set.h>
#include <absl/container/node_hash_map.h>
#include <absl/status/status.h>

#include <cstddef>
#include <cstdint>
#include <deque>
#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "libcoalcheck/cubin/cubin.h"
#include "libcoalcheck/cubin/elf.h"
#include "libcoalcheck/cubin/line_program.h"
#include "libcoalcheck/cubin/ptx_definitions.h"
#include "libcoalcheck/cubin/ptx_text.h"
#include "libcoalcheck/cubin/string_table.h"

namespace coalcheck::cubin {

// Fills in what the line tables of one cubin know about its accesses. AddPtx comes first: ptxas
// starts no new row where only the caller of an inlined line changes, and the PTX lines show where
// that has happened.
class LineTable {
 public:
  // `functions[i]` is the code of section `sections[i]`. Paths are put together in `paths`, which
  // must outlive the functions' frames.
  LineTable(const ElfFile& elf, std::span<Function> functions,
            std::span<const std::size_t> sections, std::deque<std::string>& paths);

  // Sets ptx and ptx_line from `.nv_debug_line_sass`. Errors: kInvalidArgument when the table
  // contradicts itself, or describes the same code so often that it would cost quadratic time.
  absl::Status AddPtx();
  // Sets frames and has_lines from `.debug_line`. Errors as above, or when the chains are larger
  // than a cubin of `cubin_size` bytes could need.
  absl::Status AddFrames(std::size_t cubin_size);

 private:
  struct Code {
    Function* function = nullptr;
    std::vector<std::uint32_t> blocks;  // of the PTX, by instruction; 0 for unknown
    const PtxText* text = nullptr;      // that these are blocks of
  };
  struct Target {
    Code* code = nullptr;    // null when the linker dropped the function
    std::uint64_t base = 0;  // what the relocation adds to the addresses, wrapping
  };
  using Relocations = std::vector<ElfRelocation>;  // by offset; of one offset the first

  // Calls `visit` for the sequences of `lines` whose functions are there, with a fresh steps_left_.
  absl::Status VisitFunctions(const ElfSection& lines,
                              const std::function<void(const LineSequence&, const Target&)>& visit);
  Relocations ReadRelocations(std::string_view section) const;
  Target FindTarget(const LineSequence& sequence, const Relocations& relocations);
  void AddPtx(const LineSequence& sequence, const Target& target);
  void AddFrames(const LineSequence& sequence, const Target& target, const StringTable& names);
  void AddChain(const LineSequence& sequence, std::size_t row, const StringTable& names,
                const Function& function, GlobalAccess& access);
  std::uint32_t BlockOfAddress(const Code& code, const GlobalAccess& access);
  std::string_view NameOf(const LineRow& row, const StringTable& names);
  std::string_view PathOf(const LineFile& file);
  const PtxText& PtxOf(const LineSequence& sequence, const LineRow& row);

  const ElfFile& elf_;
  std::deque<std::string>& paths_;
  absl::flat_hash_map<std::size_t, Code> code_;  // by section
  absl::flat_hash_map<std::pair<std::string_view, std::string_view>, std::string_view> known_paths_;
  absl::node_hash_map<std::string_view, PtxText> texts_;  // by section name
  absl::flat_hash_map<std::pair<const char*, std::size_t>, const PtxText*> text_of_name_;
  absl::node_hash_map<const PtxText*, PtxDefinitions> definitions_;
  const PtxText no_text_{std::string_view()};
  std::uint64_t most_steps_ = 1024;  // for a cubin with hardly any code
  std::uint64_t steps_left_ = 0;     // instructions or accesses that sequences may still look at
  std::uint64_t frames_left_ = 0;
  std::uint64_t frame_bytes_left_ = 0;  // of their names and paths, each time that they are named
  std::uint64_t path_bytes_left_ = 0;
  std::uint64_t name_bytes_left_ = 0;               // of different names
  absl::flat_hash_set<std::uint32_t> known_names_;  // by where they begin
};

}  // namespace coalcheck::cubin
