// SPDX-License-Identifier: Apache-2.0
//
// Look-ups in the rows of one sequence.
#include "libcoalcheck/cubin/row_index.h"

#include <algorithm>
#include <numeric>

#include "libcoalcheck/cubin/sass.h"

namespace coalcheck::cubin {
namespace {

// Deeper comparisons are given up: chains of this length are an attack.
constexpr int kMaxDepth = 256;

}  // namespace

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
  for (std::size_t row = 0; row < sequence.rows.size(); ++row) {
    const std::uint64_t address = sequence.rows[row].address;
    const bool innermost =
        row + 1 == sequence.rows.size() || sequence.rows[row + 1].address != address;
    const std::uint64_t instruction = (address + base) / kSassWordSize;
    if (!innermost || instruction >= blocks.size() || blocks[instruction] == 0) continue;
    const auto [known, fresh] = rows_.try_emplace(blocks[instruction], row);
    if (!fresh && known->second && !SameChain(*known->second, row)) known->second.reset();
  }
}

std::size_t BlockChains::Better(std::size_t row, std::uint32_t block) const {
  const auto known = rows_.find(block);
  if (known == rows_.end() || !known->second) return row;
  const LineRow& mine = sequence_.rows[row];
  const LineRow& other = sequence_.rows[*known->second];
  return mine.file == other.file && mine.line == other.line ? *known->second : row;
}

bool BlockChains::SameChain(std::size_t a, std::size_t b) const {
  for (int depth = 0; depth < kMaxDepth; ++depth) {
    if (a == b) return true;
    const LineRow& x = sequence_.rows[a];
    const LineRow& y = sequence_.rows[b];
    if (x.file != y.file || x.line != y.line || x.function != y.function) return false;
    if (x.context == 0 || y.context == 0) return x.context == y.context;
    if (x.context > a || y.context > b) return false;
    a = x.context - 1;
    b = y.context - 1;
  }
  return false;
}

}  // namespace coalcheck::cubin
