// SPDX-License-Identifier: Apache-2.0
//
// Which launches of a recording are kept.
#include "libcoalcheck/prediction/known_launches.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <string>

#include "tests/support/linear_time.h"

namespace coalcheck::prediction {
namespace {

recording::Tally TallyOf(std::uint32_t blocks, std::int64_t launches) {
  recording::Tally tally;
  tally.shape.kernel = "k";
  tally.shape.grid = {blocks, 1, 1};
  tally.launches = Launches(launches);
  return tally;
}

TEST(KnownLaunchesTest, AlikeLaunchesAreOneAndTheMostFrequentStay) {
  recording::RecordedRun run;
  for (std::uint32_t blocks = 1; blocks <= 20; ++blocks) run.tallies.push_back(TallyOf(blocks, 1));
  run.tallies.push_back(TallyOf(17, 5));
  KnownLaunches launches;
  AddLaunches(run, "run.rec", launches);
  const auto& kept = launches.recorded.at("k").launches;
  ASSERT_EQ(kept.size(), kMostKnownLaunches);
  EXPECT_EQ(kept.front().grid->x, 17U);
  EXPECT_EQ(kept.front().launches, 6U);
}

TEST(KnownLaunchesTest, TakesAKernelThatWasLaunchedInManyShapes) {
  support::ExpectLinearTime(10'000, [](std::size_t n) {
    recording::RecordedRun run;
    for (std::uint32_t blocks = 1; blocks <= n; ++blocks) {
      run.tallies.push_back(TallyOf(blocks, 1));
    }
    KnownLaunches launches;
    AddLaunches(run, "run.rec", launches);
    EXPECT_EQ(launches.recorded.at("k").launches.size(), kMostKnownLaunches);
  });
}

}  // namespace
}  // namespace coalcheck::prediction
