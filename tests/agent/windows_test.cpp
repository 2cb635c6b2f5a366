// SPDX-License-Identifier: Apache-2.0
//
// When windows open and close over kernel launches, and that the recording accounts for each one.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <atomic>
#include <future>
#include <string>
#include <thread>
#include <vector>

#include "tests/agent/one_context.h"
#include "tests/agent/recording_words.h"

namespace coalcheck::testing {
namespace {

using namespace std::chrono_literals;
using ::testing::Contains;
using ::testing::ElementsAre;
using ::testing::IsEmpty;
using ::testing::SizeIs;
using ::testing::UnorderedElementsAre;

using Windows = OneContext;

TEST_F(Windows, TheFirstLaunchOfEachShapeIsCountedAndTheOthersAreSampledOut) {
  Start();
  for (int i = 0; i < 3; ++i) {
    Launch("a");
    program_->Launch(context_, stream_, {{"a"}, 2});
  }
  const recording::RecordedRun run = End();
  EXPECT_THAT(run.windows, SizeIs(2));
  EXPECT_THAT(Skips(run), ElementsAre("a sampling 2", "a sampling 2"));
  EXPECT_THAT(Losses(run), IsEmpty());
  ASSERT_TRUE(run.end.has_value());
  EXPECT_EQ(run.end->reason, "exit");
}

TEST_F(Windows, UnderAllEveryLaunchHasAWindowOfItsOwn) {
  Start("--sampling all");
  for (int i = 0; i < 5; ++i) Launch("a");
  const recording::RecordedRun run = End();
  ASSERT_THAT(run.windows, SizeIs(5));
  EXPECT_EQ(run.windows[4].first_launch, LaunchOrdinal(5));
  EXPECT_THAT(Skips(run), IsEmpty());
}

TEST_F(Windows, EveryThirdLaunchIsCountedWhenAskedFor) {
  Start("--sampling every:3");
  for (int i = 0; i < 7; ++i) Launch("a");
  const recording::RecordedRun run = End();
  EXPECT_THAT(run.windows, SizeIs(3));
  EXPECT_THAT(Skips(run), ElementsAre("a sampling 4"));
}

TEST_F(Windows, OpeningWaitsForTheContextToBeIdle) {
  Start();
  program_->Launch(context_, other_, {{"long", 50ms}});
  program_->LaunchPlain(context_, stream_, "a");
  const recording::RecordedRun run = End();
  EXPECT_THAT(run.windows, SizeIs(2));
  EXPECT_THAT(Skips(run), IsEmpty());
}

TEST_F(Windows, NotIdleByTheDeadlineTheLaunchGoesUncountedAndTheGateIsFree) {
  Start();
  LaunchWaiting("persistent", context_, other_);  // outlives its own window, which stays open …
  running_ = false;
  program_->Synchronise(context_);  // … until here
  LaunchWaiting("persistent", context_, other_);
  const auto start = clock_.Now();
  Launch("a");
  EXPECT_GE(clock_.Now() - start, 100ms);
  EXPECT_LT(clock_.Now() - start, 110ms);
  running_ = false;
  const recording::RecordedRun run = End();
  EXPECT_THAT(Skips(run), ElementsAre("persistent waits_for_others 1", "a never_idle 1"));
}

TEST_F(Windows, AMissedShapeIsTriedAgainEverMoreRarely) {
  Start();
  LaunchWaiting("persistent", context_, other_);
  running_ = false;
  program_->Synchronise(context_);
  LaunchWaiting("persistent", context_, other_);
  for (int i = 0; i < 4; ++i) Launch("a");
  running_ = false;
  for (int i = 0; i < 12; ++i) Launch("a");
  const recording::RecordedRun run = End();
  EXPECT_THAT(Skips(run), Contains("a never_idle 2"));  // the 1st and the 4th
  EXPECT_THAT(Skips(run), Contains("a sampling 13"));   // the 16th is counted
}

TEST_F(Windows, AKernelThatWaitsForTheHostIsClosedLateAtTheNextCall) {
  Start("--close-deadline 1000");
  const auto start = clock_.Now();
  LaunchWaiting("waits");
  EXPECT_GE(clock_.Now() - start, 1000ms);
  EXPECT_LT(clock_.Now() - start, 1010ms);
  running_ = false;  // the application went on and set its flag
  Launch("next");
  const recording::RecordedRun run = End();
  ASSERT_THAT(run.windows, SizeIs(2));
  EXPECT_EQ(run.windows[0].close, recording::WindowClose::kLate);
}

TEST_F(Windows, AContextThatItsKernelEndedIsNotWaitedFor) {
  Start();
  const auto start = clock_.Now();
  program_->Launch(context_, stream_, {{.name = "asserts", .ends_context = true}});
  Launch("next");
  EXPECT_LT(clock_.Now() - start, 10ms);
  EXPECT_THAT(End().windows, IsEmpty());
}

TEST_F(Windows, AKernelThatIsMuchSlowerWhileItIsCountedHoldsTheOthersBackAndSlowsNoneOfThem) {
  Start();
  program_->device().SetSlowdown(70);
  const auto start = clock_.Now();
  for (std::uint32_t i = 0; i < 10; ++i) {
    program_->Launch(context_, stream_, {{"contract", 100ms}, 1});
    program_->Synchronise(context_);
  }
  EXPECT_GE(clock_.Now() - start, 7s + 900ms);
  EXPECT_LT(clock_.Now() - start, 8s);
  const recording::RecordedRun run = End();
  ASSERT_THAT(run.windows, SizeIs(1));
  EXPECT_EQ(run.windows[0].close, recording::WindowClose::kInTime);
  EXPECT_THAT(Losses(run), IsEmpty());
}

TEST_F(Windows, BehindOneThatOutlivesItsDeadlineNothingIsLaunchedForAsLongAgain) {
  Start("--close-deadline 2000");
  LaunchWaiting("waits");
  const auto start = clock_.Now();
  program_->Launch(context_, other_, SimulatedLaunch{{"waits"}, 2});
  EXPECT_GE(clock_.Now() - start, 2000ms);
  program_->Launch(context_, other_, SimulatedLaunch{{"waits"}, 2});
  EXPECT_LT(clock_.Now() - start, 2200ms) << "that wait is made once a window";
  running_ = false;
  program_->Synchronise(context_);
  const recording::RecordedRun run = End();
  ASSERT_THAT(run.losses, SizeIs(1));
  EXPECT_EQ(run.losses[0].what, "slowed");
  EXPECT_THAT(run.losses[0].detail, ::testing::HasSubstr("waits had outlived --close-deadline"));
  EXPECT_EQ(run.losses[0].count, 2U);
}

TEST_F(Windows, AKernelWithSignsOfWaitingHoldsTheProgramForASecondAtMost) {
  Start();
  Launch("spins", 2);
  const auto start = clock_.Now();
  LaunchWaiting("spins");
  EXPECT_GE(clock_.Now() - start, 1000ms);
  EXPECT_LT(clock_.Now() - start, 1200ms);
  program_->Launch(context_, other_, SimulatedLaunch{{"spins"}, 2});
  EXPECT_LT(clock_.Now() - start, 2200ms);
  running_ = false;
  End();
}

TEST_F(Windows, LaunchesWhileALateWindowIsOpenAreInsideIt) {
  Start();
  LaunchWaiting("waits");
  program_->Launch(context_, other_, SimulatedLaunch{{"waits"}, 2});
  program_->Launch(context_, other_, SimulatedLaunch{{"waits"}, 2});
  running_ = false;
  program_->Synchronise(context_);
  const recording::RecordedRun run = End();
  ASSERT_THAT(run.windows, SizeIs(1));
  ASSERT_THAT(run.windows[0].inside, SizeIs(2));
  EXPECT_EQ(run.windows[0].inside[0].launches.count() + run.windows[0].inside[1].launches.count(),
            3U);
}

TEST_F(Windows, AShapeThatEndedLateIsNotCountedAgain) {
  Start("--sampling all");
  LaunchWaiting("waits");
  running_ = false;
  program_->Synchronise(context_);
  LaunchWaiting("waits");
  running_ = false;
  const recording::RecordedRun run = End();
  EXPECT_THAT(run.windows, SizeIs(1));
  EXPECT_THAT(Skips(run), ElementsAre("waits waits_for_others 1"));
}

TEST_F(Windows, CollectivesPassUncounted) {
  Start("--sampling all");
  Launch("ncclDevKernel_AllReduce");
  const recording::RecordedRun run = End();
  EXPECT_THAT(run.windows, IsEmpty());
  EXPECT_THAT(Skips(run), ElementsAre("ncclDevKernel_AllReduce excluded 1"));
  EXPECT_EQ(program_->device().enables(), 0U);
}

TEST_F(Windows, AContextIsNotHeldByAnotherOnesKernels) {
  Start();
  const agent::ContextHandle second = program_->CreateContext(1);
  const agent::StreamHandle stream = program_->CreateStream(second);
  LaunchWaiting("waits");
  program_->LaunchPlain(second, stream, "a");
  running_ = false;
  program_->Synchronise(context_);
  const recording::RecordedRun run = End();
  ASSERT_THAT(run.windows, SizeIs(2));
  EXPECT_EQ(run.windows[0].device, DeviceIndex(1));
  EXPECT_THAT(Skips(run), IsEmpty());
}

TEST_F(Windows, TheLegacyStreamStandsForBlockingStreamsNobodySaw) {
  Start();
  const agent::StreamHandle unseen(0x9999);
  program_->device().CreateStream(context_, unseen, StreamType::kBlocking);
  program_->device().Launch(context_, unseen, {"unseen", 50ms});
  Launch("a");
  EXPECT_THAT(End().windows, SizeIs(1));  // the device says when a window opened over "unseen"
}

TEST_F(Windows, ADestroyedStreamIsForgotten) {
  Start();
  program_->device().DestroyStream(context_, other_);
  program_->agent().StreamEnds(context_, other_);
  Launch("a");
  EXPECT_THAT(End().windows, SizeIs(1));
}

TEST_F(Windows, ALaunchThatFailsIsTakenBackAndTheNextOneIsCounted) {
  Start();
  program_->Launch(context_, stream_, {{"a"}, 1, false});
  for (int i = 0; i < 3; ++i) Launch("a");
  const recording::RecordedRun run = End();
  EXPECT_THAT(run.windows, SizeIs(1));
  EXPECT_THAT(Skips(run), UnorderedElementsAre("a sampling 2", "a failed 1"));
}

TEST_F(Windows, ALaunchThatFailsInsideALateWindowIsTakenOutOfIt) {
  Start();
  LaunchWaiting("waits");
  program_->Launch(context_, stream_, {{"b"}, 1, false});
  running_ = false;
  program_->Synchronise(context_);
  const recording::RecordedRun run = End();
  ASSERT_THAT(run.windows, SizeIs(1));
  EXPECT_THAT(run.windows[0].inside, SizeIs(1));
  EXPECT_THAT(Skips(run), ElementsAre("b failed 1"));
}

TEST_F(Windows, AKernelThatOutlivedOneIsHeldInNoOtherShapeEither) {
  Start("--sampling all");
  LaunchWaiting("waits");
  running_ = false;
  program_->Synchronise(context_);
  Launch("waits", 1, 2);
  Launch("waits", 1, 3);
  const recording::RecordedRun run = End();
  EXPECT_THAT(run.windows, SizeIs(1));
  EXPECT_THAT(Skips(run), ElementsAre("waits waits_for_others 1", "waits waits_for_others 1"));
}

TEST_F(Windows, OneStillOpenWhenTheProcessEndsIsALossAndItsLaunchesAreTallied) {
  Start();
  LaunchWaiting("waits");
  const recording::RecordedRun run = End();
  EXPECT_THAT(run.windows, IsEmpty());
  EXPECT_THAT(Skips(run), ElementsAre("waits failed 1"));
  EXPECT_THAT(Losses(run),
              ElementsAre("window_lost: a window was still open when the process ended"));
  running_ = false;
}

// Another thread that is in the middle of loading code, as long as the object lives.
class Loading {
 public:
  explicit Loading(agent::Agent& agent)
      : thread_([&agent, this] {
          agent.CodeChangeBegins();
          agent.CodeChangeBegins();  // one driver call inside another
          agent.CodeChangeEnds();
          begun_.set_value();
          over_.get_future().wait();
          agent.CodeChangeEnds();
        }) {
    begun_.get_future().wait();
  }
  Loading(const Loading&) = delete;
  Loading& operator=(const Loading&) = delete;
  ~Loading() {
    over_.set_value();
    thread_.join();
  }

 private:
  std::promise<void> begun_;
  std::promise<void> over_;
  std::thread thread_;
};

TEST_F(Windows, NoneOpensWhileAnotherThreadLoadsOrUnloadsCode) {
  Start();
  {
    const Loading loading(program_->agent());
    Launch("a");
  }
  const recording::RecordedRun run = End();
  EXPECT_THAT(run.windows, IsEmpty());
  EXPECT_THAT(Skips(run), ElementsAre("a gate_busy 1"));
}

TEST_F(Windows, NoneOpensInAContextThatWasMadeWhileAnotherThreadLoadsCode) {
  Start();
  agent::ContextHandle late;
  {
    const Loading loading(program_->agent());
    late = program_->CreateContext();
    program_->LaunchPlain(late, program_->CreateStream(late), "a");
  }
  // The second is behind the pause that follows a try in vain.
  for (int i = 0; i < 2; ++i) program_->LaunchPlain(late, program_->CreateStream(late), "b");
  const recording::RecordedRun run = End();
  EXPECT_THAT(run.windows, SizeIs(1));
  EXPECT_THAT(Skips(run), UnorderedElementsAre("a gate_busy 1", "b never_idle 1"));
}

TEST_F(Windows, OneLeftOpenDoesNotCloseWhileCodeIsLoadedAndClosesAfterwards) {
  Start();
  LaunchWaiting("waits");
  program_->agent().CodeChangeBegins();
  running_ = false;
  program_->agent().Synchronised(context_);
  EXPECT_TRUE(program_->device().IsEnabled(context_));
  program_->agent().CodeChangeEnds();
  program_->agent().Synchronised(context_);
  EXPECT_FALSE(program_->device().IsEnabled(context_));
  EXPECT_THAT(End().windows, SizeIs(1));
}

}  // namespace
}  // namespace coalcheck::testing
