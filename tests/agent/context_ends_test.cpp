// SPDX-License-Identifier: Apache-2.0
//
// What becomes of windows, and of counting on a device, when contexts are destroyed.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <thread>

#include "tests/agent/one_context.h"
#include "tests/agent/recording_words.h"

namespace coalcheck::testing {
namespace {

using namespace std::chrono_literals;
using ::testing::Contains;
using ::testing::ElementsAre;
using ::testing::IsEmpty;
using ::testing::SizeIs;

using ContextEnds = OneContext;

TEST_F(ContextEnds, AWindowStillOpenThenIsALoss) {
  Start();
  LaunchWaiting("waits");
  program_->DestroyContext(context_);
  const recording::RecordedRun run = End();
  EXPECT_THAT(Skips(run), ElementsAre("waits failed 1"));
  EXPECT_THAT(Losses(run),
              Contains("window_lost: a window was still open when its context was destroyed"));
  running_ = false;
}

TEST_F(ContextEnds, WithTheContextThatCountingWasSetUpInCountingEndsOnItsDevice) {
  Start();
  const agent::ContextHandle elsewhere = program_->CreateContext(1);
  const agent::StreamHandle stream_elsewhere = program_->CreateStream(elsewhere);
  Launch("a");
  program_->DestroyContext(context_);
  context_ = program_->CreateContext();
  stream_ = program_->CreateStream(context_);
  Launch("b");
  program_->LaunchPlain(elsewhere, stream_elsewhere, "c");
  const recording::RecordedRun run = End();
  EXPECT_THAT(run.windows, SizeIs(2));
  EXPECT_THAT(Skips(run), ElementsAre("b failed 1"));
  EXPECT_THAT(Losses(run),
              ElementsAre(::testing::HasSubstr("counting_ended: launches after the context")));
}

// The agent hears of a context's end before the driver destroys it: it counts on until then.
TEST_F(ContextEnds, CountingIsNotTakenDownBesideAContextThatGoesWithItsWindowOpen) {
  Start();
  const agent::ContextHandle second = program_->CreateContext();
  const agent::StreamHandle stream = program_->CreateStream(second);
  Launch("a");
  LaunchWaiting("waits", second, stream);
  ASSERT_TRUE(program_->device().IsEnabled(second));
  program_->agent().ContextEnds(second);
  program_->DestroyContext(context_);
  EXPECT_TRUE(program_->device().IsEnabled(second));
  EXPECT_FALSE(program_->device().IsTakenDown(0));
  program_->device().DestroyContext(second, true);
  EXPECT_THAT(Losses(End()),
              Contains("window_lost: a window was still open when its context was destroyed"));
  running_ = false;
}

TEST_F(ContextEnds, NothingIsGivenBackBesideAContextThatGoesWithItsWindowOpen) {
  Start();
  const agent::ContextHandle second = program_->CreateContext();
  const agent::StreamHandle stream = program_->CreateStream(second);
  Launch("a");
  LaunchWaiting("waits", second, stream);
  program_->agent().ContextEnds(second);
  EXPECT_FALSE(program_->agent().TryRelease());
  EXPECT_FALSE(program_->agent().TryRelease());
  EXPECT_FALSE(program_->device().IsTakenDown(0));
  EXPECT_THAT(Losses(End()), Contains("not_released: CUPTI is kept: a context was destroyed while "
                                      "a window was open in it"));
  running_ = false;
}

TEST_F(ContextEnds, ASecondContextMayGo) {
  Start();
  const agent::ContextHandle second = program_->CreateContext();
  program_->LaunchPlain(second, program_->CreateStream(second), "a");
  program_->DestroyContext(second);
  Launch("b");
  const recording::RecordedRun run = End();
  EXPECT_THAT(run.windows, SizeIs(2));
  EXPECT_THAT(Losses(run), IsEmpty());
}

TEST_F(ContextEnds, LossesOfOneKindAreSummedUp) {
  Start();
  const agent::ContextHandle others[] = {program_->CreateContext(), program_->CreateContext()};
  for (const agent::ContextHandle context : others) {
    LaunchWaiting(context == others[0] ? "waits" : "waits, too", context,
                  program_->CreateStream(context));
    program_->DestroyContext(context);
  }
  const recording::RecordedRun run = End();
  ASSERT_EQ(run.losses.size(), 1U);
  EXPECT_EQ(run.losses[0].count, 2U);
  running_ = false;
}

TEST(ShutDown, SeesThatCountingStaysOnWhereAnotherThreadLeavesTheGateWithout) {
  const agent::ContextHandle context(1);
  agent::ContextWatch* watch = nullptr;
  SimulatedDevice* counting = nullptr;
  FakeClock clock;
  clock.AtNextRest([&] {
    counting->SetFaults({.disable = "no"});
    agent::ClosedWindow discarded;
    EXPECT_EQ(watch->DiscardWindow(discarded), agent::CloseResult::kFailed);
  });
  SimulatedDevice device(clock);
  counting = &device;
  agent::CaptureSet captures;
  agent::CodeChanges changes;
  const agent::Deadlines deadlines{options::AgentOptions()};
  agent::ContextWatch one(context, ContextId(1), DeviceIndex(0),
                          {device, device, clock, captures, changes, deadlines});
  watch = &one;
  ASSERT_EQ(one.OpenForLaunch(WindowId(1), LaunchOrdinal(1), recording::WindowKind::kLaunch,
                              [] { return true; }),
            agent::OpenResult::kOpened);
  const agent::KeptOut kept_out(changes, clock, 1ms);
  agent::CloseResult result{};
  agent::ClosedWindow closed;
  EXPECT_FALSE(one.ShutDown(kept_out, 1ms, result, closed)) << "it may be taken down";
  EXPECT_TRUE(device.IsEnabled(context));
}

// With a real clock: the other thread asks for code while its context's gate is waited for.
TEST(ContextEndsBesideAThread, CountingIsTakenDownThoughItAsksForCodeBetweenItsLaunches) {
  for (int round = 0; round < 5; ++round) {
    RealClock clock;
    SimulatedProgram program(clock, "--sampling first --close-deadline 3000");
    const agent::ContextHandle first = program.CreateContext();
    const agent::ContextHandle second = program.CreateContext();
    const agent::StreamHandle stream = program.CreateStream(second);
    program.LaunchPlain(first, program.CreateStream(first), "a");
    program.LaunchPlain(second, stream, "b");
    agent::Agent& agent = program.agent();
    agent.launches().Begin(second, stream, {agent::FunctionHandle(1), "b", {1, 1, 1}, {32, 1, 1}});
    std::thread ending([&] { program.DestroyContext(first); });
    std::this_thread::sleep_for(5ms);
    agent.launches().End(true);
    program.ChangeCode(3us);
    ending.join();
    EXPECT_TRUE(program.device().IsTakenDown(0)) << "in round " << round;
  }
}

// As cudaDeviceReset by another thread does it, while the kernel that is counted runs on.
TEST(ContextEndsBesideAThread, AResetOfTheDeviceWhileAWindowIsOpenHoldsNobodyForLong) {
  RealClock clock;
  SimulatedProgram program(clock, "--sampling all --open-deadline 20 --close-deadline 200");
  const agent::ContextHandle context = program.CreateContext();
  const agent::StreamHandle stream = program.CreateStream(context);
  std::atomic<bool> reset{false};
  const auto start = clock.Now();
  std::thread launching([&] {
    program.Launch(context, stream, {{"waits", 0us, [&reset] { return reset.load(); }}});
  });
  while (!program.device().IsEnabled(context)) std::this_thread::sleep_for(100us);
  program.DestroyContext(context);
  reset = true;
  launching.join();
  EXPECT_LT(clock.Now() - start, 10s);
  const recording::RecordedRun run = program.End();
  EXPECT_THAT(Skips(run), ElementsAre("waits failed 1"));
  EXPECT_THAT(Losses(run),
              Contains("window_lost: a window was still open when its context was destroyed"));
}

}  // namespace
}  // namespace coalcheck::testing
