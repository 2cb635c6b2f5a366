// SPDX-License-Identifier: Apache-2.0
//
// Which launches are counted under each sampling, and how misses are retried.
#include "libcoalcheck/selection/sampling.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <vector>

namespace coalcheck::selection {
namespace {

using ::testing::ElementsAre;
using ::testing::SizeIs;

// The ordinals (from 1) of the launches that get a window when every wanted window opens, or, with
// `miss`, of those that are tried when none does.
std::vector<std::uint64_t> Chosen(std::string_view sampling, std::uint64_t launches,
                                  bool miss = false) {
  ShapeHistory history;
  std::vector<std::uint64_t> chosen;
  for (std::uint64_t ordinal = 1; ordinal <= launches; ++ordinal) {
    history.earlier_launches = ordinal - 1;
    if (!WantsWindow(ParseSampling(sampling).value(), history)) continue;
    chosen.push_back(ordinal);
    miss ? ++history.missed : ++history.windows;
  }
  return chosen;
}

TEST(Sampling, FirstCountsTheFirstLaunchOnly) {
  EXPECT_THAT(Chosen("first", 1000), ElementsAre(1));
}

TEST(Sampling, AllCountsEveryLaunch) { EXPECT_THAT(Chosen("all", 5), ElementsAre(1, 2, 3, 4, 5)); }

TEST(Sampling, EveryTenCountsTheFirstAndTheEleventh) {
  EXPECT_THAT(Chosen("every:10", 25), ElementsAre(1, 11, 21));
}

TEST(Sampling, FirstRetriesMissesAtGrowingDistanceAndGivesUp) {
  EXPECT_THAT(Chosen("first", 1000000, true), ElementsAre(1, 4, 16, 64, 256, 1024));
}

TEST(Sampling, AllGivesUpAfterAsManyMissesInARow) {
  EXPECT_THAT(Chosen("all", 1000, true), SizeIs(kMostMisses));
}

TEST(Sampling, AKernelThatOutlivedItsDeadlineIsNotCountedAgain) {
  ShapeHistory history;
  history.ended_late = true;
  EXPECT_FALSE(WantsWindow(ParseSampling("all").value(), history));
}

TEST(Sampling, IsReadBackFromItsText) {
  for (const char* text : {"first", "all", "every:7"}) {
    EXPECT_EQ(ToString(ParseSampling(text).value()), text);
  }
  for (const char* text : {"", "First", "every:", "every:0", "every:-1", "every:1x"}) {
    EXPECT_FALSE(ParseSampling(text).ok()) << text;
  }
}

}  // namespace
}  // namespace coalcheck::selection
