// SPDX-License-Identifier: Apache-2.0
//
// Look-ups in the rows of one sequence.
#include "libcoalcheck/cubin/row_index.h"

#include <absl/hash/hash.h>

#include <algorithm>
#include <numeric>

#include "libcoalcheck/cubin/sass.h"

namespace coalcheck::cubin {

RowIndex::RowIndex(const LineSequence& sequence)
    : sequence_(sequence), order_(sequence.rows.size()) {
  std::iota(order_.begin(), order_.end(), 0U);
  const auto before = [&](std::uint32_t a, std::uint32_t b) {
    return sequence_.rows[a].address < sequence_.rows[b].address;
  };
  // They are in order already, unless somebody tampered with them.
  if (!std::is_sorted(order_.begin(), order_.end(), before)) {
    std::stable_sort(order_.begin(), order_.end(), before);
  }
}

std::optional<std::size_t> RowIndex::At(std::uint64_t address) {
  while (next_ < order_.size() && sequence_.rows[order_[next_]].address <= address) ++next_;
  if (next_ == 0 || address >= sequence_.end) return std::nullopt;
  return order_[next_ - 1];
}

BlockChains::BlockChains(const LineSequence& sequence, std::uint64_t base,
                         std::span<const std::uint32_t> blocks)
    : sequence_(sequence) {
  const std::vector<std::size_t> chains = HashChains(sequence.rows);
  for (std::size_t row = 0; row < sequence.rows.size(); ++row) {
    const std::uint64_t address = sequence.rows[row].address;
    const bool innermost =
        row + 1 == sequence.rows.size() || sequence.rows[row + 1].address != address;
    const std::uint64_t instruction = (address + base) / kSassWordSize;
    if (!innermost || instruction >= blocks.size() || blocks[instruction] == 0) continue;
    const auto [known, fresh] = rows_.try_emplace(blocks[instruction], row);
    if (!fresh && known->second && chains[*known->second] != chains[row]) known->second.reset();
  }
}

std::size_t BlockChains::Better(std::size_t row, std::uint32_t block) const {
  const auto known = rows_.find(block);
  if (known == rows_.end() || !known->second) return row;
  const LineRow& mine = sequence_.rows[row];
  const LineRow& other = sequence_.rows[*known->second];
  return mine.file == other.file && mine.line == other.line ? *known->second : row;
}

// A row comes behind the one that inlined it; one that does not is like no other.
std::vector<std::size_t> BlockChains::HashChains(std::span<const LineRow> rows) {
  std::vector<std::size_t> hashes(rows.size());
  for (std::size_t row = 0; row < rows.size(); ++row) {
    const LineRow& at = rows[row];
    const bool is_sound = at.context <= row;
    const std::size_t caller = at.context == 0 ? 0 : is_sound ? hashes[at.context - 1] : row;
    hashes[row] = absl::HashOf(at.file, at.line, at.function, is_sound, at.context != 0, caller);
  }
  return hashes;
}

}  // namespace coalcheck::cubin
