// SPDX-License-Identifier: Apache-2.0
//
// Looks through the blocks of a loop, a step for each instruction.
#include "libcoalcheck/machine_code/loop_view.h"

#include <algorithm>
#include <vector>

namespace coalcheck::machine_code {

bool LoopView::Step() {
  const bool has_room = steps_left_ > 0;
  if (has_room) --steps_left_;
  return has_room;
}

bool LoopView::IsInside(std::uint32_t block) const {
  return std::binary_search(blocks_.begin(), blocks_.end(), block);
}

bool LoopView::Leaves(std::uint32_t block) const {
  const Block& its = code_.blocks[block];
  return its.leaves ||
         std::ranges::any_of(its.successors, [this](auto to) { return !IsInside(to); });
}

std::uint32_t LoopView::BlockOf(std::uint32_t n) const {
  const auto behind = std::ranges::upper_bound(code_.blocks, n, {}, &Block::begin);
  return static_cast<std::uint32_t>(behind - code_.blocks.begin()) - 1;
}

bool LoopView::Writes(std::uint32_t n, unsigned location) {
  return Step() && std::ranges::any_of(
                       ReadOperands(code_.words[n], code_.sm).writes,
                       [location](const LocationRange& write) { return write.Has(location); });
}

bool LoopView::MayWrite(std::uint32_t n, unsigned location) {
  return Step() && code_.MayWrite(n, location);
}

std::optional<std::uint32_t> LoopView::OnlyWriter(unsigned location) {
  const auto [known, fresh] = only_writers_.try_emplace(location);
  if (fresh) known->second = FindOnlyWriter(location);
  return known->second;
}

std::optional<std::uint32_t> LoopView::FindOnlyWriter(unsigned location) {
  std::optional<std::uint32_t> writer;
  for (const std::uint32_t block : blocks_) {
    for (std::uint32_t n = code_.blocks[block].begin; n < code_.blocks[block].end; ++n) {
      if (!MayWrite(n, location)) continue;
      if (writer || !IsInEveryRound(block)) return std::nullopt;
      writer = n;
    }
    if (!has_steps()) return std::nullopt;
  }
  return writer;
}

bool LoopView::IsInEveryRound(std::uint32_t block) {
  for (const std::uint32_t member : blocks_) {
    const auto& from = code_.blocks[member].predecessors;
    steps_left_ -= std::min<std::uint64_t>(from.size(), steps_left_);
    const bool is_entry = member == blocks_.front() ||
                          std::ranges::any_of(from, [this](auto one) { return !IsInside(one); });
    if (is_entry && member != block && ReachesItself(member, block)) return false;
  }
  return has_steps();
}

bool LoopView::ReachesItself(std::uint32_t start, std::uint32_t without) {
  std::vector<std::uint32_t> open{start};
  std::vector<std::uint32_t> seen;
  while (!open.empty()) {
    const std::uint32_t from = open.back();
    open.pop_back();
    for (const std::uint32_t to : code_.blocks[from].successors) {
      if (to == start || !Step()) return true;
      if (to == without || !IsInside(to) || std::ranges::find(seen, to) != seen.end()) continue;
      seen.push_back(to);
      open.push_back(to);
    }
  }
  return false;
}

}  // namespace coalcheck::machine_code
