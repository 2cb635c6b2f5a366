// SPDX-License-Identifier: Apache-2.0
//
// Windows over graphs that are counted themselves, from their instantiation on, and what happens
// when counting itself fails.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <optional>
#include <string>

#include "tests/agent/graphs_in_one_context.h"
#include "tests/agent/recording_words.h"

namespace coalcheck::testing {
namespace {

using namespace std::chrono_literals;
using ::testing::Contains;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::SizeIs;
using ::testing::UnorderedElementsAre;

class GraphWindows : public GraphsInOneContext {
 protected:
  void Start(const std::string& options = "") {
    GraphsInOneContext::Start(options);
    program_->device().InsistOnInstances();
  }
};

TEST_F(GraphWindows, OneOpensBeforeTheInstantiationAndClosesAfterTheFirstLaunch) {
  Start();
  const auto captured = CaptureOnly({"a", "b", "a"});
  EXPECT_FALSE(program_->device().IsEnabled(context_));
  const auto graph = program_->Instantiate(context_, captured);
  EXPECT_TRUE(program_->device().IsEnabled(context_));
  LaunchGraph(graph);
  EXPECT_FALSE(program_->device().IsEnabled(context_));
  for (int i = 0; i < 3; ++i) LaunchGraph(graph);
  const recording::RecordedRun run = End();
  ASSERT_THAT(run.windows, SizeIs(1));
  EXPECT_EQ(run.windows[0].kind, recording::WindowKind::kGraph);
  EXPECT_THAT(Skips(run), UnorderedElementsAre("a graph_replay 6", "b graph_replay 3"));
}

TEST_F(GraphWindows, AGraphBuiltNodeByNodeIsCountedLikeACapturedOne) {
  Start();
  LaunchGraph(program_->Instantiate(context_, program_->device().MakeGraph({{"a"}, {"b"}})));
  const recording::RecordedRun run = End();
  ASSERT_THAT(run.windows, SizeIs(1));
  EXPECT_THAT(run.windows[0].inside, SizeIs(2));
}

TEST_F(GraphWindows, AGraphOfWhatWasCountedBeforeGetsNone) {
  Start();
  Launch("a");
  const auto graph = Capture({"a"});
  EXPECT_FALSE(program_->device().IsEnabled(context_));
  LaunchGraph(graph);
  EXPECT_THAT(End().windows, SizeIs(1));
}

TEST_F(GraphWindows, OneWaitsForTheFirstLaunchOfEveryGraphInstantiatedInIt) {
  Start();
  const auto first = program_->Instantiate(context_, program_->device().MakeGraph({{"a"}}));
  const auto second = program_->Instantiate(context_, program_->device().MakeGraph({{"b"}}));
  LaunchGraph(second);
  EXPECT_TRUE(program_->device().IsEnabled(context_));
  LaunchGraph(first);
  EXPECT_FALSE(program_->device().IsEnabled(context_));
  EXPECT_THAT(End().windows, SizeIs(1));
}

TEST_F(GraphWindows, NoneStaysOpenWhileAStreamCapturesForPatchingWouldBreakTheCapture) {
  Start();
  const auto first = Capture({"a"});
  EXPECT_TRUE(program_->device().IsEnabled(context_));
  const auto captured = CaptureOnly({"b"});
  EXPECT_FALSE(program_->device().IsEnabled(context_));
  LaunchGraph(program_->Instantiate(context_, captured));
  LaunchGraph(first);
  const recording::RecordedRun run = End();
  EXPECT_THAT(Skips(run), ElementsAre("a graph_replay 1"));
}

TEST_F(GraphWindows, AGraphNeverLaunchedHoldsItsWindowUntilTheDeadlineOnly) {
  Start();
  Capture({"a"});
  Launch("b");
  EXPECT_TRUE(program_->device().IsEnabled(context_));
  clock_.Advance(5000ms);
  Launch("c");
  EXPECT_FALSE(program_->device().IsEnabled(context_));
  const recording::RecordedRun run = End();
  EXPECT_THAT(run.windows, SizeIs(2));
  EXPECT_THAT(Losses(run), IsEmpty());
}

TEST_F(GraphWindows, AProgramThatEndsBeforeLaunchingItsGraphLosesNothing) {
  Start();
  Capture({"a"});
  Launch("b");
  const recording::RecordedRun run = End();
  ASSERT_THAT(run.windows, SizeIs(1));
  EXPECT_THAT(run.windows[0].inside, SizeIs(1));
  EXPECT_THAT(Losses(run), IsEmpty());
}

TEST_F(GraphWindows, AGraphLaunchThatFailsIsTriedAgain) {
  Start();
  const auto graph = Capture({"a"});
  LaunchGraph(graph, false);
  EXPECT_TRUE(program_->device().IsEnabled(context_));
  LaunchGraph(graph);
  EXPECT_FALSE(program_->device().IsEnabled(context_));
  EXPECT_THAT(Skips(End()), IsEmpty());
}

TEST_F(GraphWindows, AfterAnUncountedGraphAThreadMustLaunchAKernelBeforeAnotherIsCounted) {
  Start();
  const auto first = Capture({"a"});
  LaunchGraph(first);
  LaunchGraph(first);
  LaunchGraph(Capture({"b"}));  // would come back empty: no window
  Launch("c");
  LaunchGraph(Capture({"b"}));
  const recording::RecordedRun run = End();
  EXPECT_THAT(run.windows, SizeIs(3));
  EXPECT_THAT(Skips(run), UnorderedElementsAre("a graph_replay 1", "b graph_replay 1"));
}

TEST_F(GraphWindows, AReplayClosesAWindowThatWaitsForAnotherGraph) {
  Start();
  const auto first = Capture({"a"});
  LaunchGraph(first);
  Capture({"b"});
  EXPECT_TRUE(program_->device().IsEnabled(context_));
  LaunchGraph(first);
  EXPECT_FALSE(program_->device().IsEnabled(context_));
  End();
}

TEST_F(GraphWindows, AReplayInsideAWindowThatCannotCloseSpoilsIt) {
  Start();
  const auto first = Capture({"a"});
  LaunchGraph(first);
  std::atomic<bool> running{true};
  program_->Launch(context_, other_, {{"waits", 0us, [&] { return !running; }}});
  LaunchGraph(first);
  running = false;
  program_->Synchronise(context_);
  const recording::RecordedRun run = End();
  EXPECT_THAT(run.windows, SizeIs(1));
  EXPECT_THAT(Losses(run), ElementsAre(HasSubstr("window_spoiled: a graph was launched inside")));
  EXPECT_THAT(Skips(run), UnorderedElementsAre("a graph_replay 1", "waits failed 1"));
}

TEST_F(GraphWindows, AnUploadedGraphIsNotCounted) {
  Start();
  const auto graph = Capture({"a"});
  program_->agent().graphs().Uploaded(*graph);
  LaunchGraph(graph);
  EXPECT_FALSE(program_->device().IsEnabled(context_));
  EXPECT_THAT(Skips(program_->End()), ElementsAre("a graph_replay 1"));
}

TEST_F(GraphWindows, AKernelThatMayWaitForOthersKeepsItsGraphOutOfWindows) {
  Start("--waiting-kernels skip");
  const auto graph = Capture({"a", "spins"});
  EXPECT_FALSE(program_->device().IsEnabled(context_));
  LaunchGraph(graph);
  EXPECT_THAT(Skips(End()), UnorderedElementsAre("a graph_replay 1", "spins waits_for_others 1"));
}

TEST_F(GraphWindows, AKernelWhoseLanesWaitForOthersKeepsItsGraphOutOfWindows) {
  Start();
  for (int i = 0; i < 2; ++i) LaunchGraph(Capture({"a", "breaks"}));
  EXPECT_EQ(program_->device().enables(), 0U);
  EXPECT_THAT(Skips(End()), UnorderedElementsAre("a graph_replay 2", "breaks other_lanes 2"));
}

TEST_F(GraphWindows, AGraphThatEndedWhileWatchedIsCountedWhenItIsInstantiatedAgain) {
  Start();
  const auto graph = Capture({"a", "spins"});
  for (int i = 0; i < 2; ++i) LaunchGraph(graph);
  Launch("b");
  LaunchGraph(Capture({"a", "spins"}));
  const recording::RecordedRun run = End();
  EXPECT_THAT(run.windows, SizeIs(2));
}

TEST_F(GraphWindows, AGraphThatDoesNotEndAloneHoldsTheProgramOnceForTheDeadline) {
  Start();
  std::atomic<bool> flag{false};
  const auto graph = program_->Instantiate(
      context_, program_->device().MakeGraph({{"spins", 0us, [&] { return flag.load(); }}}));
  const auto start = clock_.Now();
  LaunchGraph(graph);
  EXPECT_LT(clock_.Now() - start, 60ms);
  Launch("sets the flag");
  flag = true;
  program_->Synchronise(context_);
  flag = false;
  const auto again = clock_.Now();
  LaunchGraph(graph);
  EXPECT_LT(clock_.Now() - again, 1ms);
  flag = true;
  EXPECT_THAT(Skips(End()),
              UnorderedElementsAre("spins waits_for_others 2", "sets the flag never_idle 1"));
}

TEST_F(GraphWindows, OnceWatchedOutsideGraphsSuchAKernelIsCountedInThem) {
  Start();
  for (int i = 0; i < 2; ++i) Launch("spins");
  LaunchGraph(Capture({"spins"}));
  const recording::RecordedRun run = End();
  EXPECT_THAT(run.windows, SizeIs(1));
  EXPECT_THAT(Skips(run), ElementsAre("spins watched 2"));
}

TEST_F(GraphWindows, BodiesOfConditionalNodesAreALoss) {
  Start();
  const auto graph = program_->Instantiate(context_, program_->device().MakeGraph({{"a"}}, 1));
  LaunchGraph(graph);
  LaunchGraph(graph);
  EXPECT_THAT(Losses(End()), ElementsAre(HasSubstr("unseen_graph: launches of graphs with cond")));
}

TEST_F(GraphWindows, AnUpdateInPlaceIsALoss) {
  Start();
  const auto graph = Capture({"a"});
  program_->agent().graphs().Updated(*graph);
  LaunchGraph(graph);
  EXPECT_THAT(Losses(End()), ElementsAre(HasSubstr("updated_graph: updates in place")));
}

TEST_F(GraphWindows, ALaunchBesideACaptureGoesUncountedAndNoStreamIsAsked) {
  Start();
  Launch("a");
  ASSERT_TRUE(program_->BeginCapture(context_, stream_));
  const std::uint64_t queries = program_->device().queries();
  program_->LaunchPlain(context_, other_, "b");
  program_->Synchronise(context_);
  EXPECT_EQ(program_->device().queries(), queries);
  program_->EndCapture(context_, stream_);
  EXPECT_THAT(Skips(End()), ElementsAre("b capturing 1"));
}

TEST_F(GraphWindows, ACaptureCanSpreadToAnotherContextSoNoStreamThereIsAskedEither) {
  Start();
  const agent::ContextHandle second = program_->CreateContext(1);
  const agent::StreamHandle stream = program_->CreateStream(second);
  ASSERT_TRUE(program_->BeginCapture(context_, stream_));
  const std::uint64_t queries = program_->device().queries();
  program_->LaunchPlain(second, stream, "b");
  EXPECT_EQ(program_->device().queries(), queries);
  program_->EndCapture(context_, stream_);
  EXPECT_THAT(Skips(End()), ElementsAre("b capturing 1"));
}

TEST_F(GraphWindows, ABrokenCaptureDoesNotKeepWindowsFromOpening) {
  Start();
  ASSERT_TRUE(program_->BeginCapture(context_, stream_));
  program_->device().BreakCapture(context_, stream_);
  EXPECT_EQ(program_->EndCapture(context_, stream_), std::nullopt);
  Launch("a");
  const recording::RecordedRun run = End();
  EXPECT_THAT(Skips(run), IsEmpty());
  EXPECT_THAT(run.windows, SizeIs(1));
}

TEST_F(GraphWindows, AGraphThatIsUploadedAsItIsInstantiatedIsNotCounted) {
  Start();
  const auto graph = program_->device().MakeGraph({{"a"}});
  const auto exec = program_->Instantiate(context_, graph, true);
  EXPECT_EQ(program_->device().enables(), 0U);
  LaunchGraph(exec);
  EXPECT_THAT(Skips(End()), ElementsAre("a graph_replay 1"));
}

TEST_F(GraphWindows, AGraphNobodySawBeingMadeIsALoss) {
  Start();
  LaunchGraph(program_->device().Instantiate(context_, program_->device().MakeGraph({{"a"}})));
  EXPECT_THAT(Losses(program_->End()),
              ElementsAre(HasSubstr("unseen_graph: launches of graphs whose making")));
}

TEST_F(GraphWindows, InstantiationsBesideAKernelThatNeverEndsDoNotAllWait) {
  Start("--close-deadline 1");
  std::atomic<bool> running{true};
  program_->Launch(context_, other_, {{"runs", 0us, [&] { return !running; }}});
  running = false;
  program_->Synchronise(context_);
  running = true;
  program_->Launch(context_, other_, {{"runs", 0us, [&] { return !running; }}});
  const auto start = clock_.Now();
  for (int i = 0; i < 16; ++i) Capture({"a" + std::to_string(i)});
  EXPECT_LT(clock_.Now() - start, 600ms);  // a few tries of 100 ms
  running = false;
  program_->Synchronise(context_);
  End();
}

class Failures : public GraphWindows {
 protected:
  std::string LinesOf(const std::function<void()>& act) {
    ::testing::internal::CaptureStderr();
    act();
    return ::testing::internal::GetCapturedStderr();
  }
};

TEST_F(Failures, WhenCountingCannotBeginThatIsSaidOnceAndTheProgramGoesOn) {
  Start("--sampling all");
  program_->device().SetFaults({.enable = "REFUSED (35)"});
  const std::string said = LinesOf([&] {
    for (int i = 0; i < 3; ++i) Launch("a");
    Capture({"b"});
  });
  EXPECT_EQ(said, "coalcheck: nothing can be counted: REFUSED (35)\n");
  const recording::RecordedRun run = program_->End();
  EXPECT_THAT(run.windows, IsEmpty());
  EXPECT_THAT(Losses(run), ElementsAre("could_not_collect: nothing can be counted: REFUSED (35)"));
}

TEST_F(Failures, WhenPreparingFailsTheReasonIsGiven) {
  Start();
  program_->device().SetFaults({.prepare = "NO SUCH METRIC"});
  EXPECT_EQ(LinesOf([&] { Launch("a"); }), "coalcheck: nothing can be counted: NO SUCH METRIC\n");
}

TEST_F(Failures, WhenTheCountsCannotBeTakenTheLaunchIsNotCounted) {
  Start("--sampling all");
  program_->device().SetFaults({.flush = "BROKEN"});
  EXPECT_EQ(LinesOf([&] {
              Launch("a");
              Launch("a");
            }),
            "coalcheck: measuring stops: BROKEN\n");
  const recording::RecordedRun run = program_->End();
  EXPECT_THAT(Skips(run), ElementsAre("a failed 1"));
  EXPECT_THAT(Losses(run), Contains("window_lost: BROKEN"));
  EXPECT_FALSE(program_->device().IsEnabled(context_));
}

TEST_F(Failures, WhenCountingCannotBeEndedMeasuringStops) {
  Start("--sampling all");
  program_->device().SetFaults({.disable = "STUCK"});
  EXPECT_EQ(LinesOf([&] { Launch("a"); }), "coalcheck: measuring stops: STUCK\n");
  EXPECT_THAT(Skips(program_->End()), ElementsAre("a failed 1"));
}

TEST_F(Failures, WhatIsOpenElsewhereIsStillClosedAfterMeasuringStopped) {
  Start();
  std::atomic<bool> running{true};
  program_->Launch(context_, stream_, {{"waits", 0us, [&] { return !running; }}});
  const agent::ContextHandle second = program_->CreateContext(1);
  program_->device().SetFaults({.enable = "REFUSED"});
  LinesOf([&] { program_->LaunchPlain(second, program_->CreateStream(second), "a"); });
  program_->Launch(context_, stream_, {{"waits"}, 2});  // inside the open window
  running = false;
  program_->Synchronise(context_);
  EXPECT_FALSE(program_->device().IsEnabled(context_));
  const recording::RecordedRun run = End();
  ASSERT_THAT(run.windows, SizeIs(1));
  EXPECT_THAT(run.windows[0].inside, SizeIs(2));
}

}  // namespace
}  // namespace coalcheck::testing
