// SPDX-License-Identifier: Apache-2.0
//
// Which ranks of a job count a shape, so that together they cover more. Ranks do not communicate:
// each computes the same answer.
#pragma once

#include <cstdint>

namespace coalcheck::selection {

class RankShare {
 public:
  // Of a process that is alone: everything is its own.
  RankShare() = default;
  // `rank` of `world_size` ranks. Where it cannot be one of them, everything is its own.
  RankShare(std::uint32_t rank, std::uint32_t world_size);

  // Whether this rank counts a shape with this hash, which is the same on all ranks. Two ranks
  // count each shape, the hash modulo the number of ranks and the next, so that they can be
  // compared.
  bool Has(std::uint64_t shape_hash) const;

 private:
  std::uint64_t rank_ = 0;
  std::uint64_t world_size_ = 1;
};

}  // namespace coalcheck::selection
