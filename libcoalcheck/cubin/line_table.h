// SPDX-License-Identifier: Apache-2.0
//
// Joins line sequences with the functions of a cubin: for the accesses of each function, the chain
// of source frames and the PTX line.
#pragma once

#include <absl/container/flat_hash_map.h>
#include <absl/status/status.h>

#include <cstddef>
#include <cstdint>
#include <deque>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "libcoalcheck/cubin/cubin.h"
#include "libcoalcheck/cubin/elf.h"
#include "libcoalcheck/cubin/line_program.h"
#include "libcoalcheck/cubin/ptx_text.h"

namespace coalcheck::cubin {

// The strings of a section, found by offset without a search per look-up.
class StringTable {
 public:
  explicit StringTable(std::string_view content);
  // The string at `offset`, up to its NUL; empty when there is none.
  std::string_view At(std::uint32_t offset) const;

 private:
  std::string_view content_;
  std::vector<std::uint32_t> ends_;
};

// Fills in what the line tables of one cubin know about its accesses.
class LineTable {
 public:
  // `functions[i]` is the code of section `sections[i]`. Paths are put together in `paths`, which
  // must outlive the functions' frames.
  LineTable(const ElfFile& elf, std::span<Function> functions,
            std::span<const std::size_t> sections, std::deque<std::string>& paths);

  // Sets frames and has_lines from `.debug_line`. Errors: kInvalidArgument when the table
  // contradicts itself or its chains are larger than the cubin could need.
  absl::Status AddFrames(std::size_t cubin_size);
  // Sets ptx from `.nv_debug_line_sass`. Errors as above.
  absl::Status AddPtx();

 private:
  struct Target {
    Function* function = nullptr;  // null when the linker dropped the function
    std::int64_t base = 0;         // what the relocation adds to the addresses
  };
  using Relocations = absl::flat_hash_map<std::uint64_t, ElfRelocation>;

  Relocations ReadRelocations(std::string_view section) const;
  Target FindTarget(const LineSequence& sequence, const Relocations& relocations) const;
  void AddChain(const LineSequence& sequence, std::size_t row, const Function& function,
                const StringTable& names, GlobalAccess& access);
  std::string_view PathOf(const LineFile& file);
  const PtxText& PtxOf(const LineSequence& sequence, const LineRow& row);

  const ElfFile& elf_;
  std::deque<std::string>& paths_;
  absl::flat_hash_map<std::size_t, Function*> functions_;  // by section
  absl::flat_hash_map<std::pair<std::string_view, std::string_view>, std::string_view> known_paths_;
  absl::flat_hash_map<std::string_view, PtxText> ptx_;  // by section name
  std::uint64_t frames_left_ = 0;
  std::uint64_t path_bytes_left_ = 0;
};

}  // namespace coalcheck::cubin
