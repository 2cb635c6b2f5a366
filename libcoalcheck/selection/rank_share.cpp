// SPDX-License-Identifier: Apache-2.0
//
// Remainders.
#include "libcoalcheck/selection/rank_share.h"

namespace coalcheck::selection {

RankShare::RankShare(std::uint32_t rank, std::uint32_t world_size) {
  if (rank >= world_size) return;
  rank_ = rank;
  world_size_ = world_size;
}

bool RankShare::Has(std::uint64_t shape_hash) const {
  const std::uint64_t first = shape_hash % world_size_;
  return rank_ == first || rank_ == (first + 1) % world_size_;
}

}  // namespace coalcheck::selection
