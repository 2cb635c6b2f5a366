// SPDX-License-Identifier: Apache-2.0
//
// Windows that would cost too much are not opened, and that is said.
#include <gmock/gmock.h>

#include "tests/agent/one_context.h"
#include "tests/agent/recording_words.h"

namespace coalcheck::testing {
namespace {

using namespace std::chrono_literals;
using ::testing::AllOf;
using ::testing::Contains;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::SizeIs;

class WindowLimit : public OneContext {
 protected:
  void Start(const std::string& options = "") {
    OneContext::Start("--sampling auto " + options);
    program_->device().SetSlowdown(100);  // times as long in a window
  }
};

TEST_F(WindowLimit, AShapeThatIsExpectedToCostMoreIsLeftOutAndNamedWithItsCost) {
  Start();
  LaunchLong("dear", 20ms);
  clock_.Advance(100'000s);  // the budget affords anything
  LaunchLong("dear", 20ms, 4);
  LaunchLong("dear", 20ms, 4);
  const recording::RecordedRun run = End();
  EXPECT_THAT(run.windows, SizeIs(1));
  EXPECT_THAT(Skips(run), Contains("dear window_limit 2"));
  EXPECT_THAT(Losses(run),
              ElementsAre(AllOf(HasSubstr("window_limit: dear: one more window is expected to take "
                                          "8.0 s; --window-limit 80"),
                                HasSubstr(" counts it, and so does --kernel 'dear'"))));
}

TEST_F(WindowLimit, PatchingTakesNoLongerForMoreThreads) {
  Start();
  program_->device().SetPatching(4'000ms);
  LaunchLong("small", 1ms);
  clock_.Advance(100'000s);
  LaunchLong("small", 1ms, 4);
  EXPECT_THAT(End().windows, SizeIs(2));
}

// The launch comes back when its kernel has ended: the two cannot be told apart.
TEST_F(WindowLimit, WhereLaunchesBlockAllOfThemGrowsWithTheThreads) {
  setenv("CUDA_LAUNCH_BLOCKING", "1", 1);
  Start();
  unsetenv("CUDA_LAUNCH_BLOCKING");
  program_->device().SetPatching(4'000ms);
  LaunchLong("blocks", 1ms);
  clock_.Advance(100'000s);
  LaunchLong("blocks", 1ms, 4);
  EXPECT_THAT(Skips(End()), Contains("blocks window_limit 1"));
}

TEST_F(WindowLimit, AHigherLimitCountsIt) {
  Start("--window-limit 20000");
  LaunchLong("dear", 20ms);
  clock_.Advance(100'000s);
  LaunchLong("dear", 20ms, 4);
  EXPECT_THAT(End().windows, SizeIs(2));
}

TEST_F(WindowLimit, TheUsersWordWinsAndTheExpectedCostIsSaidAtOnce) {
  Start("--kernel dear");
  LaunchLong("dear", 20ms);
  clock_.Advance(100'000s);
  ::testing::internal::CaptureStderr();
  LaunchLong("dear", 20ms, 4);
  EXPECT_THAT(
      ::testing::internal::GetCapturedStderr(),
      HasSubstr("coalcheck: dear is counted, as --kernel asks: a window of it is expected to "
                "take 8.0 s"));
  EXPECT_THAT(End().windows, SizeIs(2));
}

TEST_F(WindowLimit, AtZeroNothingIsCounted) {
  Start("--window-limit 0");
  LaunchLong("a", 0ms);
  const recording::RecordedRun run = End();
  EXPECT_THAT(run.windows, IsEmpty());
  EXPECT_THAT(Skips(run), ElementsAre("a window_limit 1"));
}

// As the clock of a virtual machine that was paused. The kernel has ended meanwhile.
TEST_F(WindowLimit, AClockThatJumpsAheadInAWindowCostsNoMoreThanTheLongestWindow) {
  Start();
  clock_.AtNextRest([this] { clock_.Advance(1'000'000s); });
  LaunchLong("a", 1ms);
  for (const char* kernel : {"b", "c"}) LaunchLong(kernel, 1ms);
  const recording::RecordedRun run = End();
  EXPECT_THAT(run.windows, SizeIs(3));
  EXPECT_EQ(run.windows[0].close, recording::WindowClose::kInTime);
  EXPECT_THAT(Skips(run), IsEmpty());
}

TEST_F(WindowLimit, OtherSamplingsHaveNone) {
  Start("--sampling all --window-limit 0");
  LaunchLong("a", 0ms);
  EXPECT_THAT(End().windows, SizeIs(1));
}

TEST_F(WindowLimit, WhereEveryLaunchIsCountedTheFirstLongOneIsSaidAtOnce) {
  Start("--sampling all");
  ::testing::internal::CaptureStderr();
  LaunchLong("dear", 50ms);
  LaunchLong("dear", 50ms);
  const std::string said = ::testing::internal::GetCapturedStderr();
  EXPECT_THAT(said, HasSubstr("coalcheck: a window of dear took 5.0 s; --sampling all counts every "
                              "launch of it: a hundred take 8 min\n"));
  EXPECT_EQ(std::ranges::count(said, '\n'), 1);
  End();
}

TEST_F(WindowLimit, WhereManyShortOnesHoldTheProgramThatIsSaidWithHowMuchSlowerItIs) {
  Start("--sampling all");
  ::testing::internal::CaptureStderr();
  for (int i = 0; i < 150; ++i) {
    LaunchLong("short", 2ms);  // 0.2 s
    clock_.Advance(50ms);
  }
  EXPECT_EQ(::testing::internal::GetCapturedStderr(),
            ("coalcheck: windows have held the program for 20.0 s of its 25.0 s: with "
             "--sampling all it may take 5 times as long; --sampling first, or auto, "
             "counts fewer launches\n"));
  End();
}

TEST_F(WindowLimit, WhereThePriceIsSmallNothingIsSaidOfIt) {
  Start("--sampling all");
  ::testing::internal::CaptureStderr();
  for (int i = 0; i < 150; ++i) {
    LaunchLong("short", 2ms);
    clock_.Advance(500ms);
  }
  EXPECT_EQ(::testing::internal::GetCapturedStderr(), "");
  End();
}

}  // namespace
}  // namespace coalcheck::testing
