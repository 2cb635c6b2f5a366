// SPDX-License-Identifier: Apache-2.0
//
// Finds the row that holds at an address, and where the caller that a row names is in doubt, a
// better one.
#pragma once

#include <absl/container/flat_hash_map.h>

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "libcoalcheck/cubin/line_program.h"

namespace coalcheck::cubin {

// The rows of one sequence by address. Addresses must be asked for in ascending order.
class RowIndex {
 public:
  explicit RowIndex(const LineSequence& sequence);

  // The lowest address that a row has; 0 when there are none.
  std::uint64_t first_address() const {
    return order_.empty() ? 0 : sequence_.rows[order_.front()].address;
  }
  // The index of the last row at or before `address`, the innermost one there; empty outside the
  // sequence.
  std::optional<std::size_t> At(std::uint64_t address);

 private:
  const LineSequence& sequence_;
  std::vector<std::uint32_t> order_;  // rows by address
  std::size_t next_ = 0;              // into order_
};

// ptxas starts a row where file or line changes, but not where an inlined line stays the same and
// only its caller changes: then the row's chain is the previous instruction's. Only the chain of an
// instruction that starts a row is certain, and all instructions from one block of PTX have the
// same chain.
class BlockChains {
 public:
  // `blocks[i]` is the PTX block of the instruction at `i` times 16 bytes from the start of the
  // section, which is at address -`base` of the sequence.
  BlockChains(const LineSequence& sequence, std::uint64_t base,
              std::span<const std::uint32_t> blocks);

  // The row to take instead of `row` for an instruction that comes from `block`: one of the same
  // file and line, from an instruction of the same block; `row` itself when there is none.
  std::size_t Better(std::size_t row, std::uint32_t block) const;
  // Whether an instruction of the block starts a row.
  bool Knows(std::uint32_t block) const { return rows_.contains(block); }

 private:
  // Hashes of the row and of those that inlined it, by row.
  static std::vector<std::size_t> HashChains(std::span<const LineRow> rows);

  const LineSequence& sequence_;
  absl::flat_hash_map<std::uint32_t, std::optional<std::size_t>> rows_;  // by block; empty: several
};

}  // namespace coalcheck::cubin
