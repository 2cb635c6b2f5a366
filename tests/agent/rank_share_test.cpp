// SPDX-License-Identifier: Apache-2.0
//
// Ranks of a job that launch the same, each by itself: together they count every shape.
#include <gmock/gmock.h>

#include <cstdlib>
#include <map>
#include <string>

#include "tests/agent/one_context.h"

namespace coalcheck::testing {
namespace {

constexpr std::uint32_t kShapes = 40;
constexpr std::uint32_t kRanks = 5;

class RankShare : public OneContext {
 protected:
  ~RankShare() override {
    unsetenv("RANK");
    unsetenv("WORLD_SIZE");
  }
  // What a rank records that launches one kernel in many shapes, twice each.
  recording::RecordedRun RunAs(std::uint32_t rank, const std::string& options) {
    setenv("RANK", std::to_string(rank).c_str(), 1);
    setenv("WORLD_SIZE", std::to_string(kRanks).c_str(), 1);
    Start("--budget 100% " + options);
    clock_.Advance(std::chrono::seconds(1));
    for (std::uint32_t grid = 1; grid <= kShapes; ++grid) Launch("copy", 2, grid);
    return End();
  }
  // By grid, how many ranks have counted the shape.
  std::map<std::uint32_t, int> RanksThatCounted(const std::string& options) {
    std::map<std::uint32_t, int> ranks;
    for (std::uint32_t rank = 0; rank < kRanks; ++rank) {
      for (const recording::Tally& tally : RunAs(rank, options).tallies) {
        ranks[tally.shape.grid.x] += tally.counted > Launches(0) ? 1 : 0;
      }
    }
    return ranks;
  }
};

TEST_F(RankShare, TheFirstShapeOfAKernelIsCountedOnAllAndEachOtherOnTwo) {
  const std::map<std::uint32_t, int> ranks = RanksThatCounted("--sampling auto");
  ASSERT_EQ(ranks.size(), kShapes);
  for (const auto& [grid, counted] : ranks) {
    EXPECT_EQ(counted, grid == 1 ? static_cast<int>(kRanks) : 2) << "grid " << grid;
  }
}

TEST_F(RankShare, ShapesAreSpreadOverAllRanks) {
  for (std::uint32_t rank = 0; rank < kRanks; ++rank) {
    const std::size_t windows = RunAs(rank, "--sampling auto").windows.size();
    EXPECT_GT(windows, kShapes / kRanks);
    EXPECT_LT(windows, kShapes * 3 / kRanks);
  }
}

TEST_F(RankShare, WhatIsLeftToOtherRanksSaysSo) {
  std::uint64_t left = 0;
  for (const recording::Tally& tally : RunAs(0, "--sampling auto").tallies) {
    for (const recording::Skipped& one : tally.skipped) {
      if (one.reason == "other_ranks") left += one.launches.count();
    }
    if (tally.shape.grid.x != 1) continue;
    EXPECT_EQ(tally.counted, Launches(1));
  }
  EXPECT_GT(left, kShapes);
}

TEST_F(RankShare, EveryShapeIsCountedOnAllWhereThatIsAskedFor) {
  for (const char* options : {"--sampling auto --rank-share off", "--sampling first"}) {
    for (const auto& [grid, counted] : RanksThatCounted(options)) {
      EXPECT_EQ(counted, static_cast<int>(kRanks)) << options << ", grid " << grid;
    }
  }
}

}  // namespace
}  // namespace coalcheck::testing
