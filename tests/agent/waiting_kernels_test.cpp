// SPDX-License-Identifier: Apache-2.0
//
// Kernels that may need other work to end, programs that are never idle, and what is said of them.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <thread>

#include "tests/agent/one_context.h"
#include "tests/agent/recording_words.h"

namespace coalcheck::testing {
namespace {

using namespace std::chrono_literals;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::SizeIs;
using ::testing::UnorderedElementsAre;

using WaitingKernels = OneContext;

TEST_F(WaitingKernels, AKernelWithSignsIsWatchedTwiceAndThenCounted) {
  Start();
  for (int i = 0; i < 4; ++i) Launch("spins");
  const recording::RecordedRun run = End();
  EXPECT_THAT(run.windows, SizeIs(1));
  EXPECT_THAT(Skips(run), ElementsAre("spins sampling 1", "spins watched 2"));
}

TEST_F(WaitingKernels, AWarmUpWithTheFlagSetDeceivesNobody) {
  Start();
  running_ = false;
  program_->Launch(context_, other_, {{"spins"}});
  LaunchWaiting("spins", context_, other_);
  program_->LaunchPlain(context_, stream_, "sets the flag");
  EXPECT_EQ(program_->device().enables(), 0U);
  running_ = false;
  EXPECT_THAT(Skips(End()), UnorderedElementsAre("spins waits_for_others 1", "spins watched 1",
                                                 "sets the flag never_idle 1"));
}

TEST_F(WaitingKernels, OneThatDoesNotEndAloneIsHeldForTheDeadlineOnceAndNeverAgain) {
  Start("--sampling all");
  const auto start = clock_.Now();
  LaunchWaiting("spins", context_, other_);
  EXPECT_GE(clock_.Now() - start, 50ms);
  EXPECT_LT(clock_.Now() - start, 52ms);
  program_->Launch(context_, stream_, {{"sets the flag"}, 1});  // in the same context
  running_ = false;
  program_->Synchronise(context_);
  const auto again = clock_.Now();
  for (int i = 0; i < 5; ++i) Launch("spins");
  EXPECT_LT(clock_.Now() - again, 1ms);
  const recording::RecordedRun run = End();
  EXPECT_THAT(run.windows, IsEmpty());
  EXPECT_THAT(Skips(run),
              UnorderedElementsAre("spins waits_for_others 6", "sets the flag never_idle 1"));
}

TEST_F(WaitingKernels, NothingOpensWhileAKernelIsWatched) {
  Start();
  LaunchWaiting("spins", context_, other_);
  EXPECT_EQ(program_->device().enables(), 0U);
  running_ = false;
  End();
}

TEST_F(WaitingKernels, TheShapesOfOneKernelAreWatchedTogether) {
  Start();
  for (std::uint32_t grid = 1; grid <= 3; ++grid) {
    program_->Launch(context_, stream_, {{"spins"}, grid});
  }
  const recording::RecordedRun run = End();
  EXPECT_THAT(run.windows, SizeIs(1));
  EXPECT_THAT(Skips(run), ElementsAre("spins watched 1", "spins watched 1"));
}

TEST_F(WaitingKernels, TheyCanBeSkippedOrDared) {
  Start("--waiting-kernels skip");
  Launch("spins");
  Launch("a");
  EXPECT_THAT(Skips(End()), ElementsAre("spins waits_for_others 1"));
  Start("--waiting-kernels window");
  Launch("spins");
  EXPECT_THAT(Skips(End()), IsEmpty());
}

// It ends while it is watched, and may not while it is counted.
TEST_F(WaitingKernels, AKernelWhoseLanesWaitForOthersIsNeitherWatchedNorCounted) {
  Start("--sampling all");
  for (int i = 0; i < 4; ++i) Launch("breaks");
  EXPECT_EQ(program_->device().queries(), 0U);
  EXPECT_EQ(program_->device().enables(), 0U);
  EXPECT_THAT(Skips(End()), ElementsAre("breaks other_lanes 4"));
}

TEST_F(WaitingKernels, NamingAKernelWhoseLanesWaitForOthersCountsItOnlyWhereThatIsDared) {
  Start("--kernel breaks");
  Launch("breaks");
  EXPECT_THAT(Skips(End()), ElementsAre("breaks other_lanes 1"));
  Start("--waiting-kernels window");
  Launch("breaks");
  EXPECT_THAT(Skips(End()), IsEmpty());
}

TEST_F(WaitingKernels, AKernelWhoseLanesWaitForOthersIsNotLaunchedInAWindowThatCanBeClosed) {
  Start("--close-deadline 1");
  LaunchWaiting("a", context_, other_);
  running_ = false;
  Launch("breaks");
  EXPECT_FALSE(program_->device().IsEnabled(context_));
  EXPECT_THAT(Skips(End()), ElementsAre("breaks other_lanes 1"));
}

TEST_F(WaitingKernels, NorInAWindowThatWaitsForAGraph) {
  Start();
  program_->device().InsistOnInstances();
  ASSERT_TRUE(program_->BeginCapture(context_, stream_));
  Launch("a");
  ASSERT_TRUE(program_->Instantiate(context_, program_->EndCapture(context_, stream_)));
  ASSERT_TRUE(program_->device().IsEnabled(context_));
  program_->LaunchPlain(context_, other_, "breaks");
  EXPECT_FALSE(program_->device().IsEnabled(context_));
  EXPECT_THAT(Skips(End()), ElementsAre("breaks other_lanes 1"));
}

TEST_F(WaitingKernels, AnExcludedKernelIsNeverHeld) {
  Start("--kernel-exclude 'sp*' --sampling all");
  LaunchWaiting("spins", context_, other_);
  EXPECT_EQ(program_->device().queries(), 0U);
  running_ = false;
  EXPECT_THAT(Skips(End()), ElementsAre("spins excluded 1"));
}

TEST_F(WaitingKernels, AContextThatIsNeverIdleIsAskedEverMoreRarelyWhateverTheShapes) {
  Start("--close-deadline 1 --waiting-kernels skip");
  LaunchWaiting("spins", context_, other_);
  const auto start = clock_.Now();
  for (int i = 0; i < 1000; ++i) {
    program_->Launch(context_, stream_, {{"a"}, static_cast<std::uint32_t>(i + 1)});
  }
  EXPECT_LT(clock_.Now() - start, 1100ms);  // at the 1st, 3rd, 7th … launch, 100 ms each
  running_ = false;
  EXPECT_THAT(End().windows, IsEmpty());
}

TEST_F(WaitingKernels, ResidentCollectionCountsBesideAKernelThatNeverEnds) {
  Start("--collection resident");
  Launch("a");
  LaunchWaiting("spins", context_, other_);
  Launch("a");
  EXPECT_TRUE(program_->device().IsEnabled(context_));
  running_ = false;
  program_->Synchronise(context_);
  const recording::RecordedRun run = End();
  ASSERT_THAT(run.windows, SizeIs(1));
  EXPECT_EQ(run.windows[0].kind, recording::WindowKind::kResident);
  EXPECT_THAT(Skips(run), IsEmpty());
}

TEST_F(WaitingKernels, ResidentCountsAreTakenNowAndThenSoThatAKilledProgramLosesLittle) {
  Start("--collection resident");
  Launch("a");
  program_->Synchronise(context_);
  clock_.Advance(2000ms);
  Launch("a");
  program_->Synchronise(context_);
  EXPECT_THAT(program_->Read().windows, SizeIs(1));
  clock_.Advance(2000ms);
  program_->Synchronise(context_);  // nothing ran since
  EXPECT_THAT(program_->Read().windows, SizeIs(1));
  Launch("a");
  EXPECT_THAT(End().windows, SizeIs(2));
}

TEST_F(WaitingKernels, AFlushThatTheProgramAsksForTakesTheCountsOfEveryContext) {
  Start("--collection resident");
  const agent::ContextHandle second = program_->CreateContext(1);
  const agent::StreamHandle stream = program_->CreateStream(second);
  for (std::size_t windows = 2; windows <= 6; windows += 2) {
    Launch("a");
    program_->LaunchPlain(second, stream, "b");
    program_->agent().Flush();
    EXPECT_THAT(program_->Read().windows, SizeIs(windows));
  }
  End();
}

TEST_F(WaitingKernels, ResidentCollectionCountsEveryLaunchOfAGraph) {
  Start("--collection resident");
  const auto graph = program_->Instantiate(context_, program_->device().MakeGraph({{"a"}, {"b"}}));
  for (int i = 0; i < 3; ++i) program_->LaunchGraph(context_, stream_, *graph);
  const recording::RecordedRun run = End();
  ASSERT_THAT(run.windows, SizeIs(1));
  EXPECT_THAT(Skips(run), IsEmpty());
}

TEST_F(WaitingKernels, AWindowThatStaysOpenIsNamedOnceWithItsKernelAndTheOption) {
  Start();
  LaunchWaiting("forever", context_, other_);
  ::testing::internal::CaptureStderr();
  program_->agent().Tick();
  clock_.Advance(11s);
  program_->agent().Tick();
  const std::string said = ::testing::internal::GetCapturedStderr();
  EXPECT_THAT(said, HasSubstr("coalcheck: forever has not ended 60 s after"));
  EXPECT_THAT(said, HasSubstr("--kernel-exclude 'forever'"));
  EXPECT_EQ(std::ranges::count(said, '\n'), 1);
  running_ = false;
  End();
}

TEST_F(WaitingKernels, OfTwoGpusWithAWindowThatStaysOpenBothAreNamedWhicheverCameFirst) {
  Start();
  const agent::ContextHandle second = program_->CreateContext(1);
  const agent::StreamHandle stream = program_->CreateStream(second);
  for (int i = 0; i < 2; ++i) program_->LaunchPlain(second, stream, "spins");
  const auto tick = [this] {
    for (int i = 0; i < 10; ++i) {
      program_->agent().Tick();
      clock_.Advance(1s);
    }
  };
  ::testing::internal::CaptureStderr();
  // The later window is late after a second, when the earlier one is still waited for.
  clock_.AtNextRest([&] {
    std::thread([&] {
      LaunchWaiting("spins", second, stream);
      tick();
    }).join();
  });
  LaunchWaiting("first", context_, other_);
  tick();
  const std::string said = ::testing::internal::GetCapturedStderr();
  EXPECT_THAT(said, HasSubstr("first has not ended"));
  EXPECT_THAT(said, HasSubstr("spins has not ended"));
  EXPECT_EQ(std::ranges::count(said, '\n'), 2);
  running_ = false;
  End();
}

TEST_F(WaitingKernels, AfterAReleaseNothingIsHeardAndThatIsSaid) {
  Start();
  Launch("a");
  EXPECT_FALSE(program_->agent().IsQuiet());
  clock_.Advance(3s);
  EXPECT_TRUE(program_->agent().IsQuiet());
  EXPECT_TRUE(program_->agent().TryRelease());
  Launch("b");
  const recording::RecordedRun run = program_->End();
  EXPECT_THAT(run.windows, SizeIs(1));
  EXPECT_THAT(Losses(run), ElementsAre(HasSubstr("released: ")));
}

TEST_F(WaitingKernels, NothingIsReleasedWhileAWindowIsOpen) {
  Start();
  LaunchWaiting("waits", context_, other_);
  EXPECT_FALSE(program_->agent().TryRelease());
  running_ = false;
  program_->Synchronise(context_);
  EXPECT_TRUE(program_->agent().TryRelease());
  EXPECT_THAT(program_->End().windows, SizeIs(1));
}

TEST_F(WaitingKernels, NothingIsReleasedWhileAnUncountedKernelRuns) {
  Start("--kernel-exclude spins");
  LaunchWaiting("spins", context_, other_);
  const auto start = clock_.Now();
  EXPECT_FALSE(program_->agent().TryRelease());
  EXPECT_LT(clock_.Now() - start, 1ms) << "launches are held meanwhile";
  running_ = false;
  program_->Synchronise(context_);
  EXPECT_TRUE(program_->agent().TryRelease());
  static_cast<void>(program_->End());
}

TEST_F(WaitingKernels, NothingIsReleasedOnceTheProcessHasEnded) {
  Start();
  Launch("a");
  program_->agent().ProcessEnds("exit");
  bool given_back = false;
  EXPECT_FALSE(program_->agent().TryRelease([&] { given_back = true; }));
  EXPECT_FALSE(given_back);
  EXPECT_THAT(Losses(program_->Read()), ::testing::IsEmpty());
}

TEST_F(WaitingKernels, AFailedLaunchTeachesNothing) {
  Start();
  for (int i = 0; i < 3; ++i) program_->Launch(context_, stream_, {{"spins"}, 1, false});
  LaunchWaiting("spins", context_, other_);
  EXPECT_EQ(program_->device().enables(), 0U);
  running_ = false;
  EXPECT_THAT(Skips(End()), UnorderedElementsAre("spins waits_for_others 1", "spins failed 3"));
}

TEST_F(WaitingKernels, FlushingEverMoreOftenDoesNotWriteBeyondTheLimitOfTheRecording) {
  Start("--recording-limit 16K");
  ::testing::internal::CaptureStderr();
  for (int i = 0; i < 2000; ++i) {
    Launch("a");
    program_->agent().Flush();
  }
  EXPECT_THAT(::testing::internal::GetCapturedStderr(), HasSubstr("--recording-limit"));
  EXPECT_LT(program_->RecordingSize(), 20'000U);
  End();
}

TEST_F(WaitingKernels, AFullRecordingEndsCountingAndIsAnnouncedOnce) {
  Start("--recording-limit 1K --sampling all");
  ::testing::internal::CaptureStderr();
  for (int i = 0; i < 20; ++i) Launch("a");
  const std::string said = ::testing::internal::GetCapturedStderr();
  EXPECT_THAT(said, HasSubstr("--recording-limit"));
  EXPECT_EQ(std::ranges::count(said, '\n'), 1);
  const recording::RecordedRun run = End();
  EXPECT_LT(run.windows.size(), 10U);
  EXPECT_THAT(Losses(run), ElementsAre(HasSubstr("recording_full")));
}

}  // namespace
}  // namespace coalcheck::testing
