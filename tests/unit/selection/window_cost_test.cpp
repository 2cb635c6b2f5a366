// SPDX-License-Identifier: Apache-2.0
//
// What is expected of a window, and how much the first ones may take.
#include "libcoalcheck/selection/window_cost.h"

#include <gtest/gtest.h>

#include <limits>

namespace coalcheck::selection {
namespace {

using namespace std::chrono_literals;

TEST(KernelCost, OfAKernelWithoutAWindowNothingIsExpected) {
  EXPECT_FALSE(KernelCost().Expected(1024).has_value());
}

TEST(KernelCost, MoreThreadsCostMoreAndFewerNotLess) {
  KernelCost cost;
  cost.Took(1000, 0s, 2s);
  EXPECT_EQ(cost.Expected(1000), 2s);
  EXPECT_EQ(cost.Expected(4000), 8s);
  EXPECT_EQ(cost.Expected(10), 2s);
}

TEST(KernelCost, PatchingTheCodeCostsTheSameForAnyNumberOfThreads) {
  KernelCost cost;
  cost.Took(1000, 3s, 100ms);
  EXPECT_EQ(cost.Expected(1000), 3100ms);
  EXPECT_EQ(cost.Expected(10'000), 4s);
}

TEST(KernelCost, TheLastWindowCounts) {
  KernelCost cost;
  cost.Took(1000, 0s, 2s);
  cost.Took(2000, 0s, 1s);
  EXPECT_EQ(cost.Expected(2000), 1s);
}

TEST(KernelCost, NoNumberOfThreadsAndNoClockThatJumpsMakesItOverflow) {
  KernelCost cost;
  cost.Took(0, -5s, -5s);
  EXPECT_EQ(cost.Expected(1), 0s);
  cost.Took(1, std::chrono::nanoseconds::max(), std::chrono::nanoseconds::max());
  EXPECT_GT(cost.Expected(std::numeric_limits<std::uint64_t>::max()), 1h);
}

TEST(FirstWindows, TakeTenSecondsOrATenthOfTheTimeWhicheverIsMore) {
  FirstWindowBudget first;
  first.Took(10s, 1s);
  EXPECT_TRUE(first.MayGoOn(1s));
  EXPECT_EQ(first.Left(1s), 0s);
  first.Took(1s, 1s);
  EXPECT_FALSE(first.MayGoOn(1s));
  EXPECT_FALSE(first.MayGoOn(109s));
  EXPECT_TRUE(first.MayGoOn(110s));
}

TEST(FirstWindows, HaveRoomForTwoOfTheLongest) {
  EXPECT_EQ(FirstWindowBudget(30s).Left(1s), 60s);
  EXPECT_EQ(FirstWindowBudget(1s).Left(1s), 10s);
}

TEST(FirstWindows, HaveAReserveThatOnlyThoseTakeFromThatComeWhenTheRestIsSpent) {
  FirstWindowBudget first;
  first.Took(12s, 1s);
  EXPECT_EQ(first.reserve(), 2s);
  EXPECT_EQ(first.Left(1s), -2s);
  first.Took(500ms, 1s);
  EXPECT_EQ(first.reserve(), 1500ms);
  first.Took(1s, 200s);
  EXPECT_EQ(first.reserve(), 1500ms);
  EXPECT_EQ(first.spent(), 13500ms);
}

}  // namespace
}  // namespace coalcheck::selection
