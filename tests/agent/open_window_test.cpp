// SPDX-License-Identifier: Apache-2.0
//
// The window that is open in one context: what is inside it, and when it may be closed.
#include "injection/agent/windows/open_window.h"

#include <gtest/gtest.h>

#include "tests/support/fake_clock.h"

namespace coalcheck::agent {
namespace {

using namespace std::chrono_literals;

class OpenWindowTest : public ::testing::Test {
 protected:
  void Open(recording::WindowKind kind) { window_.Open(WindowId(7), LaunchOrdinal(3), kind); }

  testing::FakeClock clock_;
  OpenWindow window_{clock_, 100ms};
  ShapeEntry a_{{"a", {}, {}}};
  ShapeEntry b_{{"b", {}, {}}};
};

TEST_F(OpenWindowTest, NothingIsInsideWhereNoneIsOpen) {
  EXPECT_FALSE(window_.AddInside(a_, Launches(1)));
  EXPECT_FALSE(window_.IsReadyToClose(GraphWait::kNoMore));
  EXPECT_FALSE(window_.WaitsFor().has_value());
  EXPECT_EQ(window_.Take().window, WindowId(0));
}

TEST_F(OpenWindowTest, WhatWasLaunchedInsideIsThereWhenItIsClosed) {
  Open(recording::WindowKind::kLaunch);
  EXPECT_TRUE(window_.AddInside(a_, Launches(1)));
  EXPECT_TRUE(window_.AddInside(b_, Launches(2)));
  const ClosedWindow closed = window_.Take();
  EXPECT_EQ(closed.window, WindowId(7));
  EXPECT_EQ(closed.opener, "a");
  EXPECT_EQ(closed.inside.at(&b_).launches, Launches(2));
  EXPECT_FALSE(window_.is_open());
}

TEST_F(OpenWindowTest, ALaunchThatFailedIsTakenOutAgain) {
  Open(recording::WindowKind::kLaunch);
  window_.AddInside(a_, Launches(1));
  window_.AddInside(b_, Launches(1));
  window_.TakeOutside(b_, Launches(1));
  const ClosedWindow closed = window_.Take();
  EXPECT_EQ(closed.inside.size(), 1U);
  EXPECT_TRUE(closed.inside.contains(&a_));
}

TEST_F(OpenWindowTest, ArgumentsAreKeptOfLaunchesInsideOnly) {
  Open(recording::WindowKind::kLaunch);
  window_.AddInside(a_, Launches(1));
  bool asked = false;
  window_.AddArguments(b_, [&] {
    asked = true;
    return recording::LaunchArguments();
  });
  EXPECT_FALSE(asked);
  window_.AddArguments(a_, [] { return recording::LaunchArguments{.bytes = "x"}; });
  ClosedWindow closed = window_.Take();
  EXPECT_EQ(closed.inside.at(&a_).arguments.Take().size(), 1U);
}

TEST_F(OpenWindowTest, BehindItsDeadlineItIsLeftOpenAndLaunchesWaitForItAsLongAgainAltogether) {
  Open(recording::WindowKind::kLaunch);
  window_.AddInside(a_, Launches(1));
  EXPECT_FALSE(window_.left_open());
  window_.OutlivedDeadline(50ms);
  EXPECT_TRUE(window_.left_open());
  EXPECT_EQ(window_.PatienceBehind(), 50ms);
  window_.WaitedBehind(20ms);
  EXPECT_EQ(window_.PatienceBehind(), 30ms);
  window_.WaitedBehind(40ms);
  EXPECT_EQ(window_.PatienceBehind(), 0ms);
  window_.AddInside(b_, Launches(1));
  EXPECT_TRUE(window_.WaitsFor()->is_late);
  const ClosedWindow closed = window_.Take();
  EXPECT_EQ(closed.close, recording::WindowClose::kLate);
  EXPECT_EQ(closed.behind_late, Launches(1));
}

TEST_F(OpenWindowTest, OverGraphsItWaitsForTheFirstLaunchOfEachAndForItsDeadlineAtMost) {
  Open(recording::WindowKind::kGraph);
  EXPECT_FALSE(window_.left_open());
  window_.LeaveOpen();
  EXPECT_TRUE(window_.left_open());
  window_.GraphPending();
  window_.GraphPending();
  window_.GraphLaunched();
  EXPECT_FALSE(window_.IsReadyToClose(GraphWait::kUntilLaunched));
  EXPECT_TRUE(window_.IsReadyToClose(GraphWait::kNoMore));
  window_.GraphLaunched();
  EXPECT_TRUE(window_.IsReadyToClose(GraphWait::kUntilLaunched));
  Open(recording::WindowKind::kGraph);
  EXPECT_FALSE(window_.IsReadyToClose(GraphWait::kUntilLaunched));
  clock_.Advance(100ms);
  EXPECT_TRUE(window_.IsReadyToClose(GraphWait::kUntilLaunched));
}

TEST_F(OpenWindowTest, AResidentOneGoesOnAsItsNextPart) {
  Open(recording::WindowKind::kResident);
  window_.AddInside(a_, Launches(1));
  const ClosedWindow closed = window_.Exchange(WindowId(8), LaunchOrdinal(4));
  EXPECT_EQ(closed.window, WindowId(7));
  EXPECT_EQ(window_.id(), WindowId(8));
  EXPECT_FALSE(window_.HasInside());
  EXPECT_FALSE(window_.IsReadyToClose(GraphWait::kUntilLaunched));
  EXPECT_FALSE(window_.WaitsFor().has_value()) << "it keeps nobody waiting";
}

TEST_F(OpenWindowTest, WhatSpoiledOneIsForgottenWithIt) {
  window_.Spoil();
  Open(recording::WindowKind::kGraph);
  EXPECT_FALSE(window_.IsSpoiled());
  window_.Spoil();
  EXPECT_TRUE(window_.IsSpoiled());
  window_.Take();
  EXPECT_FALSE(window_.IsSpoiled());
}

}  // namespace
}  // namespace coalcheck::agent
