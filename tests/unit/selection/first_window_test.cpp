// SPDX-License-Identifier: Apache-2.0
//
// When a kernel's first window is opened, put off until a launch was timed, or left out.
#include "libcoalcheck/selection/first_window.h"

#include <gtest/gtest.h>

#include <limits>

namespace coalcheck::selection {
namespace {

using namespace std::chrono_literals;

constexpr Allowance kPlenty{.limit = 5s, .left = 10s, .reserve = 2s};

FirstLaunch Timed(std::chrono::nanoseconds uncounted) { return {.uncounted = uncounted}; }
FirstLaunch ByCode(std::chrono::nanoseconds by_code, bool in_loops) {
  return {.by_code = by_code, .in_loops = in_loops};
}

TEST(FirstWindow, OpensAtOnceWhereThreadsAndCodeMakeNoLongOneLikely) {
  EXPECT_EQ(RuleOn(ByCode(4s, true), 1, kPlenty), FirstWindow::kOpen);
  EXPECT_EQ(RuleOn({}, 1, kPlenty), FirstWindow::kOpen);
}

TEST(FirstWindow, WaitsForATimedLaunchWhereOneMayTakeLongerThanTheLimit) {
  EXPECT_EQ(RuleOn(ByCode(6s, true), 1, kPlenty), FirstWindow::kTimeFirst);
  EXPECT_EQ(RuleOn(ByCode(6s, false), 1, kPlenty), FirstWindow::kTimeFirst);
}

TEST(FirstWindow, OfATimedKernelIsJudgedByItsTimeWhateverItsCode) {
  EXPECT_EQ(RuleOn({.uncounted = 100ms, .by_code = 1h, .in_loops = true}, 1, kPlenty),
            FirstWindow::kOpen);
  EXPECT_EQ(RuleOn({.uncounted = 100ms, .by_code = 1ms}, 1.5, kPlenty), FirstWindow::kLeaveOut);
}

TEST(FirstWindow, IsLeftOutWhereTheTimedLaunchDidNotEnd) {
  EXPECT_EQ(RuleOn({.outlived = true}, 1, kPlenty), FirstWindow::kLeaveOut);
  EXPECT_FALSE(ExpectedOf({.uncounted = 1ms, .outlived = true}, 1).has_value());
}

TEST(FirstWindow, TakesNoMoreThanAllFirstWindowsHaveLeft) {
  constexpr Allowance kLittle{.limit = 5s, .left = 3s, .reserve = 2s};
  EXPECT_EQ(RuleOn(Timed(80ms), 1, kLittle), FirstWindow::kOpen);
  EXPECT_EQ(RuleOn(Timed(100ms), 1, kLittle), FirstWindow::kLeaveOut);
  EXPECT_EQ(RuleOn(ByCode(4s, true), 1, kLittle), FirstWindow::kTimeFirst);
}

TEST(FirstWindow, GoesOnWithShortOnesWhenNothingIsLeft) {
  constexpr Allowance kSpent{.limit = 5s, .left = -3s, .reserve = 2s};
  EXPECT_EQ(RuleOn(ByCode(400ms, false), 1, kSpent), FirstWindow::kOpen);
  EXPECT_EQ(RuleOn(ByCode(600ms, false), 1, kSpent), FirstWindow::kTimeFirst);
  EXPECT_EQ(RuleOn(ByCode(1ms, true), 1, kSpent), FirstWindow::kTimeFirst);
  EXPECT_EQ(RuleOn(Timed(10ms), 1, kSpent), FirstWindow::kOpen);
  EXPECT_EQ(RuleOn(Timed(20ms), 1, kSpent), FirstWindow::kLeaveOut);
  constexpr Allowance kNoReserve{.limit = 5s, .left = -3s, .reserve = 100ms};
  EXPECT_EQ(RuleOn(Timed(10ms), 1, kNoReserve), FirstWindow::kLeaveOut);
}

TEST(FirstWindow, OfALimitBelowTheShortOnesObeysIt) {
  constexpr Allowance kTight{.limit = 100ms, .left = -1s, .reserve = 2s};
  EXPECT_EQ(RuleOn(ByCode(200ms, false), 1, kTight), FirstWindow::kTimeFirst);
}

TEST(FirstWindow, OfATimedKernelIsForetoldByTheShareOfItsAccesses) {
  EXPECT_EQ(ExpectedOf({.uncounted = 10ms, .share = 0.1}, 1), 2s);
  EXPECT_EQ(ExpectedOf({.uncounted = 10ms, .share = 0.1}, 2), 4s);
  EXPECT_EQ(ExpectedOf({.uncounted = 10ms, .share = 0.001}, 1), 350ms);
}

TEST(FirstWindow, OfATimedKernelIsForetoldToTakeNoMoreThanItsCodeAllows) {
  EXPECT_EQ(ExpectedOf({.uncounted = 100ms, .by_code = 2s, .in_loops = false}, 1), 2s);
  EXPECT_EQ(ExpectedOf({.uncounted = 100ms, .by_code = 2s, .in_loops = true}, 1), 3500ms);
  EXPECT_EQ(ExpectedOf({.uncounted = 100ms, .by_code = 1h, .in_loops = false}, 1), 3500ms);
}

TEST(Corrections, AreTheMeanOfWhatWasSeenWithinBounds) {
  Corrections corrections;
  EXPECT_EQ(corrections.factor(), 1);
  corrections.Saw(1s, 3s);
  EXPECT_DOUBLE_EQ(corrections.factor(), 2);
  for (int i = 0; i < 100; ++i) corrections.Saw(1s, 100s);
  EXPECT_GT(corrections.factor(), 3.9);
  EXPECT_LE(corrections.factor(), Corrections::kMost);
  Corrections low;
  for (int i = 0; i < 100; ++i) low.Saw(10s, 1s);
  EXPECT_EQ(low.factor(), Corrections::kLeast);
}

TEST(Corrections, AreNotLearntFromLaunchesThatTookLongerToBegin) {
  Corrections corrections;
  corrections.Saw(10us, 99ms);
  corrections.Saw(0ns, 1s);
  corrections.Saw(-1s, 1s);
  EXPECT_EQ(corrections.factor(), 1);
}

TEST(TimeToCount, GrowsWithWarpsAndAccessesAndDoesNotOverflow) {
  EXPECT_EQ(TimeToCount(32, 1), 900ns);  // a warp waits for each of its own
  EXPECT_EQ(TimeToCount(128, 20'000'000), 18s);
  EXPECT_EQ(TimeToCount(std::uint64_t{1} << 20, 100), 13107200ns);
  EXPECT_GT(TimeToCount(std::numeric_limits<std::uint64_t>::max(), 1e12), 24h);
  EXPECT_GT(ExpectedOf({.uncounted = std::chrono::nanoseconds::max()}, 1000), 24h);
}

}  // namespace
}  // namespace coalcheck::selection
