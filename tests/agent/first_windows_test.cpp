// SPDX-License-Identifier: Apache-2.0
//
// A kernel's first window: opened at once, put off until a launch was timed, or left out and named.
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
using ::testing::UnorderedElementsAre;

constexpr std::uint32_t kManyBlocks = 2000;

class FirstWindows : public OneContext {
 protected:
  void Start(const std::string& options = "") {
    OneContext::Start("--sampling auto " + options);
    program_->device().SetSlowdown(50);  // times as long in a window
  }
  void LaunchLong(const std::string& kernel, std::chrono::milliseconds duration,
                  std::uint32_t grid = kManyBlocks) {
    OneContext::LaunchLong(kernel, duration, grid);
  }
  std::chrono::milliseconds TimeOf(const std::function<void()>& work) {
    const auto start = clock_.Now();
    work();
    return std::chrono::duration_cast<std::chrono::milliseconds>(clock_.Now() - start);
  }
};

TEST_F(FirstWindows, OfAKernelWhoseCodeMakesNoLongOneLikelyIsTheFirstLaunch) {
  Start();
  LaunchLong("loops", 1ms);
  const recording::RecordedRun run = End();
  EXPECT_THAT(run.windows, SizeIs(1));
  EXPECT_THAT(Skips(run), IsEmpty());
}

TEST_F(FirstWindows, OfAKernelThatCountsUpToItsArgumentAreBoundedByThat) {
  Start();
  program_->Launch(context_, stream_, {{.name = "counts_up", .arguments = "1000"}});
  // One warp that takes 18 s, and launches that show no less.
  for (int i = 0; i < 2; ++i) {
    program_->Launch(context_, stream_,
                     {{.name = "counts_up_far", .duration = 80ms, .arguments = "20000000"}});
    program_->Synchronise(context_);
  }
  const recording::RecordedRun run = End();
  EXPECT_THAT(run.windows, SizeIs(1));
  EXPECT_THAT(Skips(run),
              UnorderedElementsAre("counts_up_far timed 1", "counts_up_far window_limit 1"));
  EXPECT_THAT(Losses(run),
              ElementsAre(HasSubstr("window_limit: counts_up_far: a window is expected "
                                    "to take 18.0 s, and a launch takes")));
}

TEST_F(FirstWindows, OfAKernelThatMightTakeLongIsTheSecondLaunchOnceTheFirstWasShort) {
  Start();
  for (int i = 0; i < 3; ++i) LaunchLong("many_loops", 10ms);
  const recording::RecordedRun run = End();
  ASSERT_THAT(run.windows, SizeIs(1));
  EXPECT_EQ(run.windows[0].first_launch, LaunchOrdinal(2));
  EXPECT_THAT(Skips(run), UnorderedElementsAre("many_loops timed 1", "many_loops sampling 1"));
  EXPECT_THAT(Losses(run), IsEmpty());
}

TEST_F(FirstWindows, OfAKernelThatTakesLongAreNoneAndThatIsSaidWithItsCost) {
  Start();
  const auto took = TimeOf([this] {
    for (int i = 0; i < 10; ++i) LaunchLong("many_loops", 300ms);
  });
  EXPECT_LT(took, 3100ms);
  const recording::RecordedRun run = End();
  EXPECT_THAT(run.windows, IsEmpty());
  EXPECT_THAT(Skips(run), UnorderedElementsAre("many_loops timed 1", "many_loops window_limit 9"));
  EXPECT_THAT(Losses(run),
              ElementsAre(AllOf(HasSubstr("window_limit: many_loops: a window is expected to take "
                                          "10.5 s, and a launch takes 0.3 s "
                                          "uncounted; --window-limit 13"),
                                HasSubstr(" counts it, and so does --kernel 'many_loops'"))));
}

TEST_F(FirstWindows, OfAKernelThatDoesLittleButAccessAreForetoldToTakeLonger) {
  Start();
  for (int i = 0; i < 2; ++i) LaunchLong("many_loops_of_loads", 30ms);
  const recording::RecordedRun run = End();
  EXPECT_THAT(run.windows, IsEmpty());
  EXPECT_THAT(Losses(run), ElementsAre(HasSubstr("a window is expected to take 6.")));
}

TEST_F(FirstWindows, OfAKernelThatIsLaunchedOnceAreNoneAndThatIsSaidAtTheEnd) {
  Start();
  LaunchLong("many_loops", 100ms);
  const recording::RecordedRun run = End();
  EXPECT_THAT(run.windows, IsEmpty());
  EXPECT_THAT(Skips(run), ElementsAre("many_loops timed 1"));
  EXPECT_THAT(Losses(run),
              ElementsAre(HasSubstr("window_limit: many_loops: by its code a window might have "
                                    "taken 80.0 s, by its only launch 3.5 s; --kernel "
                                    "'many_loops' counts it")));
}

TEST_F(FirstWindows, ALimitAsHighAsIsSaidCountsIt) {
  Start("--window-limit 13200");
  for (int i = 0; i < 2; ++i) LaunchLong("many_loops", 300ms);
  EXPECT_THAT(End().windows, SizeIs(1));
}

TEST_F(FirstWindows, TheUsersWordWinsAndTheCostIsSaidAtOnce) {
  Start("--kernel many_loops");
  ::testing::internal::CaptureStderr();
  LaunchLong("many_loops", 300ms);
  EXPECT_THAT(::testing::internal::GetCapturedStderr(),
              HasSubstr("coalcheck: many_loops is counted, as --kernel asks: a window of it may "
                        "take 80.0 s"));
  const recording::RecordedRun run = End();
  EXPECT_THAT(run.windows, SizeIs(1));
  EXPECT_THAT(Skips(run), IsEmpty());
}

TEST_F(FirstWindows, ATimedLaunchIsWaitedForForASecondAtMostAndOnce) {
  Start();
  running_ = true;
  const auto took = TimeOf([this] {
    for (int i = 0; i < 5; ++i) LaunchWaiting("many_loops", context_, stream_, kManyBlocks);
  });
  EXPECT_GE(took, 1000ms);
  EXPECT_LT(took, 1002ms);
  running_ = false;
  program_->Synchronise(context_);
  EXPECT_EQ(program_->device().enables(), 0U);
  const recording::RecordedRun run = End();
  EXPECT_THAT(Skips(run), UnorderedElementsAre("many_loops timed 1", "many_loops window_limit 4"));
  EXPECT_THAT(Losses(run), ElementsAre(HasSubstr("window_limit: many_loops: it had not ended after "
                                                 "1.0 s uncounted; --kernel")));
}

TEST_F(FirstWindows, NothingElseOfTheContextRunsBesideATimedLaunch) {
  Start();
  program_->Launch(context_, other_, {{"before", 30ms}});  // counted: 1.5 s
  program_->Launch(context_, other_, {{"before", 20ms}});
  LaunchLong("many_loops", 50ms);
  program_->Launch(context_, other_, {{"beside", 1ms}});
  LaunchLong("many_loops", 50ms);
  const recording::RecordedRun run = End();
  EXPECT_THAT(Skips(run), UnorderedElementsAre("many_loops timed 1", "before sampling 1"));
  EXPECT_THAT(run.windows, SizeIs(3));
}

TEST_F(FirstWindows, AFailedLaunchShowsNothing) {
  Start();
  program_->Launch(context_, stream_, SimulatedLaunch{{"many_loops", 10ms}, kManyBlocks, false});
  for (int i = 0; i < 2; ++i) LaunchLong("many_loops", 10ms);
  const recording::RecordedRun run = End();
  EXPECT_THAT(run.windows, SizeIs(1));
  EXPECT_THAT(Skips(run), UnorderedElementsAre("many_loops failed 1", "many_loops timed 1"));
}

TEST_F(FirstWindows, AKernelWithSignsOfWaitingIsTimedWhileItIsWatched) {
  Start();
  for (int i = 0; i < 3; ++i) LaunchLong("spins", 40ms);
  EXPECT_THAT(Skips(End()), ElementsAre("spins watched 2"));
  Start("--window-limit 1000");
  for (int i = 0; i < 3; ++i) LaunchLong("spins", 40ms);  // 1.4 s
  EXPECT_THAT(Skips(End()), UnorderedElementsAre("spins watched 2", "spins window_limit 1"));
}

TEST_F(FirstWindows, WhereNoLaunchCouldBeTimedThatIsSaid) {
  Start("--waiting-kernels skip");
  LaunchWaiting("spins", context_, other_);
  program_->Launch(context_, stream_, {{"many_loops", 1ms}, kManyBlocks});
  running_ = false;
  program_->Synchronise(context_);
  const recording::RecordedRun run = End();
  EXPECT_THAT(Skips(run), Contains("many_loops never_idle 1"));
  EXPECT_THAT(Losses(run), ElementsAre(HasSubstr("many_loops: by its code a window might take 80.0 "
                                                 "s, and no launch could be timed; --kernel")));
}

TEST_F(FirstWindows, NoLaunchIsTimedWhileAStreamCaptures) {
  Start();
  ASSERT_TRUE(program_->BeginCapture(context_, other_));
  const auto queries = program_->device().queries();
  program_->Launch(context_, stream_, {{"many_loops", 300ms}, kManyBlocks});
  program_->Launch(context_, other_, {{"many_loops", 300ms}, kManyBlocks});
  EXPECT_EQ(program_->device().queries(), queries);
  program_->EndCapture(context_, other_);
  program_->Synchronise(context_);
  EXPECT_THAT(Skips(End()), ElementsAre("many_loops capturing 1"));
}

TEST_F(FirstWindows, TakeTenSecondsTogetherAndGoOnAsTimePasses) {
  Start();
  for (const char* kernel : {"loops_a", "loops_b", "loops_c"}) LaunchLong(kernel, 120ms);
  LaunchLong("loops_c", 120ms);
  clock_.Advance(200s);
  LaunchLong("loops_d", 120ms);
  const recording::RecordedRun run = End();
  EXPECT_THAT(run.windows, SizeIs(3));
  EXPECT_THAT(Skips(run), UnorderedElementsAre("loops_c timed 1", "loops_c window_limit 1"));
  EXPECT_THAT(Losses(run), ElementsAre(HasSubstr("window_limit: loops_c: ")));
}

TEST_F(FirstWindows, OfShortKernelsGoOnWhenTheTenSecondsAreSpent) {
  Start();
  for (const char* kernel : {"loops_a", "loops_b"}) LaunchLong(kernel, 120ms);
  for (const char* kernel : {"c", "d", "e", "loops_f"}) {
    for (int i = 0; i < 2; ++i) LaunchLong(kernel, 1ms);
  }
  const recording::RecordedRun run = End();
  EXPECT_THAT(run.windows, SizeIs(6));
  EXPECT_THAT(Skips(run), UnorderedElementsAre("c sampling 1", "d sampling 1", "e sampling 1",
                                               "loops_f timed 1"));
}

TEST_F(FirstWindows, OfShortKernelsEndWithTheReserve) {
  Start();
  for (const char* kernel : {"loops_a", "loops_b"}) LaunchLong(kernel, 120ms);
  for (int i = 0; i < 60; ++i) LaunchLong("short_" + std::to_string(i), 1ms);  // 50 ms each
  const std::size_t windows = End().windows.size();
  EXPECT_GE(windows, 2U + 38U);
  EXPECT_LE(windows, 2U + 42U);
}

TEST_F(FirstWindows, AreForetoldByHowMuchSlowerTheOthersWere) {
  Start();
  program_->device().SetSlowdown(100);
  for (int i = 0; i < 2; ++i) LaunchLong("many_loops", 30ms);  // 3 s, a hundred times as long
  for (int i = 0; i < 2; ++i) LaunchLong("many_loops_too", 80ms);
  const recording::RecordedRun run = End();
  EXPECT_THAT(run.windows, SizeIs(1));
  EXPECT_THAT(Losses(run), ElementsAre(HasSubstr("window_limit: many_loops_too: a window is "
                                                 "expected to take 5.")));
}

TEST_F(FirstWindows, UnderOtherSamplingsAreNotPutOff) {
  OneContext::Start("--sampling first");
  LaunchLong("many_loops", 100ms);
  EXPECT_THAT(End().windows, SizeIs(1));
}

}  // namespace
}  // namespace coalcheck::testing
