// SPDX-License-Identifier: Apache-2.0
//
// Sets of ranks hold what was put in, in as few stretches as there are.
#include "libcoalcheck/recording/rank_set.h"

#include <gtest/gtest.h>

#include <limits>
#include <random>
#include <set>
#include <utility>
#include <vector>

#include "tests/support/linear_time.h"

namespace coalcheck::recording {
namespace {

TEST(RankSet, HoldsWhatWasPutIn) {
  std::mt19937 random(1);
  for (int round = 0; round < 300; ++round) {
    RankSet ranks;
    std::set<std::uint32_t> expected;
    for (int i = 0; i < 20; ++i) {
      const auto first = static_cast<std::uint32_t>(random() % 40);
      const auto last = static_cast<std::uint32_t>(first + random() % 4);
      ranks.Add(first, last);
      for (std::uint32_t rank = first; rank <= last; ++rank) expected.insert(rank);
    }
    EXPECT_EQ(ranks.Count(), expected.size());
    for (std::uint32_t rank = 0; rank < 50; ++rank) {
      ASSERT_EQ(ranks.Contains(rank), expected.contains(rank)) << rank;
      ASSERT_EQ(ranks.MissingOf(45).Contains(rank), rank < 45 && !expected.contains(rank)) << rank;
    }
    for (std::size_t i = 1; i < ranks.spans().size(); ++i) {
      EXPECT_GT(ranks.spans()[i].first, ranks.spans()[i - 1].last + 1) << "stretches do not touch";
    }
  }
}

TEST(RankSet, TakesTheLargestNumber) {
  constexpr std::uint32_t kMost = std::numeric_limits<std::uint32_t>::max();
  RankSet ranks;
  ranks.Add(kMost);
  ranks.Add(0, 5);
  ranks.Add(kMost - 1);
  ASSERT_EQ(ranks.spans().size(), 2U);
  EXPECT_EQ(ranks.spans()[1], (RankSet::Span{kMost - 1, kMost}));
  ranks.Add(3, 2);
  EXPECT_EQ(ranks.Count(), 8U) << "nothing lies between 3 and 2";
}

TEST(RankSet, TakesManyThatComeInDescendingOrder) {
  support::ExpectLinearTime(50'000, [](std::size_t n) {
    std::vector<RankSet::Span> spans;
    for (std::size_t i = n; i > 0; --i) {
      const auto rank = static_cast<std::uint32_t>(2 * i);
      spans.push_back({rank, rank});
    }
    EXPECT_EQ(RankSet(std::move(spans)).Count(), n);
  });
}

// Every fourth rank from `first` on.
RankSet Apart(std::size_t count, std::uint32_t first) {
  std::vector<RankSet::Span> spans;
  for (std::size_t i = 0; i < count; ++i) {
    const auto rank = static_cast<std::uint32_t>(4 * i + first);
    spans.push_back({rank, rank});
  }
  return RankSet(std::move(spans));
}

TEST(RankSet, TakesAnotherOfWhichEachStretchLiesBetweenTwoOfItsOwn) {
  support::ExpectLinearTime(50'000, [](std::size_t n) {
    RankSet ranks = Apart(n, 2);
    ranks.Add(Apart(n, 0));
    EXPECT_EQ(ranks.spans().size(), 2 * n);
    ranks.Add(Apart(n, 1));
    EXPECT_EQ(ranks.spans().size(), n) << "0, 1 and 2 touch";
    ranks.Add(ranks);
    EXPECT_EQ(ranks.Count(), 3 * n);
  });
}

}  // namespace
}  // namespace coalcheck::recording
