// SPDX-License-Identifier: Apache-2.0
//
// Every shape is two neighbours' and nobody else's.
#include "libcoalcheck/selection/rank_share.h"

#include <gtest/gtest.h>

#include <vector>

namespace coalcheck::selection {
namespace {

std::vector<std::uint32_t> RanksWith(std::uint64_t hash, std::uint32_t world_size) {
  std::vector<std::uint32_t> ranks;
  for (std::uint32_t rank = 0; rank < world_size; ++rank) {
    if (RankShare(rank, world_size).Has(hash)) ranks.push_back(rank);
  }
  return ranks;
}

TEST(RankShare, AShapeIsTheRanksThatItsHashFallsOnAndTheNextOnes) {
  EXPECT_EQ(RanksWith(5, 8), (std::vector<std::uint32_t>{5, 6}));
  EXPECT_EQ(RanksWith(15, 8), (std::vector<std::uint32_t>{0, 7}));
  EXPECT_EQ(RanksWith(~std::uint64_t{0}, 1000), (std::vector<std::uint32_t>{615, 616}));
}

TEST(RankShare, InAJobOfOneOrTwoEveryRankHasAll) {
  for (const std::uint64_t hash : {0, 1, 17}) {
    EXPECT_EQ(RanksWith(hash, 1).size(), 1U);
    EXPECT_EQ(RanksWith(hash, 2).size(), 2U);
    EXPECT_TRUE(RankShare().Has(hash));
  }
}

TEST(RankShare, ARankThatCannotBeHasAll) {
  EXPECT_TRUE(RankShare(8, 8).Has(3));
  EXPECT_TRUE(RankShare(0, 0).Has(3));
}

}  // namespace
}  // namespace coalcheck::selection
