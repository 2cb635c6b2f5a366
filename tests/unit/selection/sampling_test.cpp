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

// The ordinals (from 1) of the launches of one shape that `auto` would have counted, given a budget
// that affords nothing before the launch `rich_from`.
std::vector<std::uint64_t> Auto(ShapeHistory history, std::uint64_t launches,
                                std::uint64_t rich_from = 1) {
  std::vector<std::uint64_t> chosen;
  for (std::uint64_t ordinal = 1; ordinal <= launches; ++ordinal) {
    history.earlier_launches = ordinal - 1;
    const Wish wish = WishFor({Sampling::Kind::kAuto, 1}, history);
    if (wish == Wish::kNo || (wish == Wish::kIfAffordable && ordinal < rich_from)) continue;
    chosen.push_back(ordinal);
    history.windows++;
    history.last_window_launch = ordinal;
  }
  return chosen;
}

TEST(Sampling, AutoRepeatsAShapeAtGrowingDistance) {
  EXPECT_THAT(Auto({}, 1000), ElementsAre(1, 4, 16, 64, 256));
}

TEST(Sampling, AutoRepeatsAShapeSoonerWhoseCountsDiffer) {
  EXPECT_THAT(Auto({.counts_differ = true}, 100), ElementsAre(1, 2, 4, 8, 16, 32, 64));
}

TEST(Sampling, AutoCountsAKernelsFirstLaunchWhateverTheBudget) {
  EXPECT_THAT(Auto({}, 1000, 2000), ElementsAre(1));
  EXPECT_EQ(WishFor({Sampling::Kind::kAuto, 1}, {}), Wish::kAlways);
}

TEST(Sampling, AutoCountsAFurtherShapeOnlyWithinTheBudget) {
  EXPECT_THAT(Auto({.kernel_windows = 1}, 100), ElementsAre(1, 4, 16, 64));
  EXPECT_THAT(Auto({.kernel_windows = 1}, 100, 7), ElementsAre(7, 28));
}

TEST(Sampling, AutoDoesNotMakeUpForWindowsThatTheBudgetRefused) {
  EXPECT_THAT(Auto({}, 5000, 1000), ElementsAre(1, 1000, 4000));
}

TEST(Sampling, AutoGrowsWithTheWindowsAloneWhereTheLatestIsNotKnown) {
  EXPECT_THAT(Chosen("auto", 1000), ElementsAre(1, 4, 16, 64, 256));
}

TEST(Sampling, AutoRetriesMissesAtGrowingDistanceAndGivesUp) {
  EXPECT_THAT(Chosen("auto", 1000000, true), ElementsAre(1, 4, 16, 64, 256, 1024));
  ShapeHistory history{.earlier_launches = 15, .windows = 2, .missed = 1};
  EXPECT_EQ(WishFor({Sampling::Kind::kAuto, 1}, history), Wish::kNo);
  history.earlier_launches = 63;
  EXPECT_EQ(WishFor({Sampling::Kind::kAuto, 1}, history), Wish::kIfAffordable);
}

TEST(Sampling, AutoWantsNoMoreWindowsBeyondAllLaunches) {
  EXPECT_FALSE(
      WantsWindow({Sampling::Kind::kAuto, 1}, {.earlier_launches = 1 << 30, .windows = 1000}));
}

TEST(Sampling, OnlyAutoAsksTheBudget) {
  for (const char* text : {"first", "all", "every:3"}) {
    EXPECT_EQ(WishFor(ParseSampling(text).value(), {.kernel_windows = 1}), Wish::kAlways) << text;
  }
}

TEST(Sampling, IsReadBackFromItsText) {
  for (const char* text : {"auto", "first", "all", "every:7"}) {
    EXPECT_EQ(ToString(ParseSampling(text).value()), text);
  }
  for (const char* text : {"", "First", "every:", "every:0", "every:-1", "every:1x"}) {
    EXPECT_FALSE(ParseSampling(text).ok()) << text;
  }
  EXPECT_EQ(ParseSampling("some").error(),
            "'some' is not a kind of sampling; use auto, first, all or every:N with a whole number "
            "N from 1");
}

}  // namespace
}  // namespace coalcheck::selection
