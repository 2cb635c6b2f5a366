// SPDX-License-Identifier: Apache-2.0
//
// What the agent does now and then: says how far it is, and names windows that stay open.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/agent/one_context.h"

namespace coalcheck::testing {
namespace {

using namespace std::chrono_literals;
using ::testing::HasSubstr;

class Ticking : public OneContext {
 protected:
  std::string SaidByTick() {
    ::testing::internal::CaptureStderr();
    program_->agent().Tick();
    return ::testing::internal::GetCapturedStderr();
  }
};

TEST_F(Ticking, AKernelThatKeepsAWindowOpenForFiveSecondsIsNamedOnce) {
  Start("--close-deadline 1000");
  LaunchWaiting("waits");
  EXPECT_EQ(SaidByTick(), "") << "it has only just outlived its deadline";
  clock_.Advance(5000ms);
  EXPECT_THAT(SaidByTick(), HasSubstr("waits has not ended 6 s after it was launched in a window"));
  EXPECT_EQ(SaidByTick(), "");
  running_ = false;
  End();
}

TEST_F(Ticking, AgainstAKernelThatIsWithinItsDeadlineNothingIsSaid) {
  Start("--close-deadline 60000");
  Launch("a");
  clock_.Advance(10'000ms);
  EXPECT_EQ(SaidByTick(), "");
  End();
}

TEST_F(Ticking, ItIsQuietTwoSecondsAfterTheLastWindow) {
  Start("--sampling all");
  EXPECT_FALSE(program_->agent().IsQuiet());
  clock_.Advance(3000ms);
  EXPECT_FALSE(program_->agent().IsQuiet()) << "nothing was counted yet";
  Launch("a");
  EXPECT_FALSE(program_->agent().IsQuiet());
  clock_.Advance(2000ms);
  EXPECT_TRUE(program_->agent().IsQuiet());
  Launch("a");
  EXPECT_FALSE(program_->agent().IsQuiet());
  End();
}

}  // namespace
}  // namespace coalcheck::testing
