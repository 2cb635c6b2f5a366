// SPDX-License-Identifier: Apache-2.0
//
// Graphs of which an instance of the agent's own is counted, in place of the application's.
#include <gmock/gmock.h>

#include "tests/agent/graphs_in_one_context.h"
#include "tests/agent/recording_words.h"

namespace coalcheck::testing {
namespace {

using namespace std::chrono_literals;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::SizeIs;
using ::testing::UnorderedElementsAre;

class GraphInstances : public GraphsInOneContext {
 protected:
  // Nothing of the agent's own is left: but for the application's instances.
  void ExpectOnly(std::size_t instances) {
    EXPECT_EQ(program_->device().instances(), instances);
    EXPECT_EQ(program_->device().copies(), 0U);
  }
};

// One that is made while the context counts stays slower for good.
TEST_F(GraphInstances, TheApplicationsOwnIsNeverMadeWhileItsContextCounts) {
  Start();
  const auto graph = Capture({"a", "b", "a"});
  EXPECT_EQ(program_->device().enables(), 0U);
  LaunchGraph(graph);
  EXPECT_EQ(program_->device().enables(), 1U);
  EXPECT_FALSE(program_->device().IsEnabled(context_));
  EXPECT_FALSE(program_->device().WasMadeWhileCounting(*graph));
  ExpectOnly(1);
  for (int i = 0; i < 3; ++i) LaunchGraph(graph);
  const recording::RecordedRun run = End();
  ASSERT_THAT(run.windows, SizeIs(1));
  EXPECT_EQ(run.windows[0].kind, recording::WindowKind::kGraph);
  EXPECT_THAT(Skips(run), UnorderedElementsAre("a graph_replay 6", "b graph_replay 3"));
}

TEST_F(GraphInstances, BetweenItsInstantiationAndItsLaunchNothingElseIsSlowed) {
  Start();
  const auto first = Capture({"a"});
  const auto second = Capture({"b"});
  Launch("c");
  EXPECT_FALSE(program_->device().IsEnabled(context_));
  LaunchGraph(first);
  Launch("c");
  LaunchGraph(second);
  const recording::RecordedRun run = End();
  EXPECT_THAT(run.windows, SizeIs(3));
  EXPECT_THAT(Skips(run), ElementsAre("c sampling 1"));
}

TEST_F(GraphInstances, OfTwoInstancesOfOneGraphTheFirstThatIsLaunchedIsCounted) {
  Start();
  const auto graph = CaptureOnly({"a"});
  const auto one = program_->Instantiate(context_, graph);
  const auto two = program_->Instantiate(context_, graph);
  LaunchGraph(two);
  LaunchGraph(one);
  EXPECT_THAT(Skips(End()), ElementsAre("a graph_replay 1"));
  ExpectOnly(2);
}

TEST_F(GraphInstances, WhatIsChangedInPlaceIsLaunchedAsItWasChanged) {
  Start();
  const auto graph = program_->Instantiate(
      context_, program_->device().MakeGraph({{.name = "a", .arguments = "old"}}));
  program_->device().ChangeInstance(*graph, {{.name = "a", .arguments = "new"}});
  program_->agent().graphs().Changed(*graph);
  LaunchGraph(graph);
  EXPECT_THAT(Skips(program_->End()), ElementsAre("a graph_replay 1"));
  ExpectOnly(1);
}

TEST_F(GraphInstances, WhatIsUpdatedInPlaceIsLaunchedAsItWasUpdated) {
  Start();
  const auto graph = Capture({"a"});
  program_->device().ChangeInstance(*graph, {{.name = "b"}});
  program_->agent().graphs().Updated(*graph);
  LaunchGraph(graph);
  ExpectOnly(1);
}

TEST_F(GraphInstances, AGraphWhoseFirstLaunchCouldNotBeCountedIsNotAfterAChangeEither) {
  Start();
  const auto graph = Capture({"a"});
  running_ = true;
  program_->Launch(context_, other_, {{"breaks", 0us, [this] { return !running_; }}});
  LaunchGraph(graph);  // never idle
  running_ = false;
  program_->Synchronise(context_);
  Launch("breaks");
  program_->device().ChangeInstance(*graph, {{.name = "b"}});
  program_->agent().graphs().Updated(*graph);
  LaunchGraph(graph);
  ExpectOnly(1);
}

TEST_F(GraphInstances, AGraphTakesItsTurnOnce) {
  Start("--launch-count kernel:1");
  LaunchGraph(Capture({"a"}));
  EXPECT_THAT(End().windows, SizeIs(1));
}

TEST_F(GraphInstances, WhatIsSwitchedOffBeforeItsLaunchIsNotCounted) {
  Start();
  const auto graph = Capture({"a"});
  program_->agent().SwitchOff();
  LaunchGraph(graph);
  EXPECT_THAT(End().windows, IsEmpty());
  ExpectOnly(1);
}

TEST_F(GraphInstances, AGraphThatHasOneInstanceAtMostIsCountedInThat) {
  Start();
  const auto graph = program_->Instantiate(context_, program_->device().MakeGraph({{"a"}}, 1));
  EXPECT_TRUE(program_->device().WasMadeWhileCounting(*graph));
  LaunchGraph(graph);
  EXPECT_THAT(End().windows, SizeIs(1));
}

TEST_F(GraphInstances, AGraphThatKernelsMayLaunchIsCountedInItsOwn) {
  Start();
  const agent::GraphHandle graph = program_->device().MakeGraph({{"a"}});
  agent::GraphTracker& graphs = program_->agent().graphs();
  SimulatedDevice::MakeCurrent(context_);
  graphs.InstantiateBegins(context_, graph, {.for_device = true});
  EXPECT_TRUE(program_->device().IsEnabled(context_));
  graphs.InstantiateEnds(program_->device().Instantiate(context_, graph));
  ExpectOnly(1);
}

TEST_F(GraphInstances, WhereTheDriverLaunchesTheApplicationsOwnAllTheSameThatIsCounted) {
  Start();
  program_->device().InsistOnInstances();
  const auto graph = Capture({"a"});
  EXPECT_TRUE(program_->device().WasMadeWhileCounting(*graph));
  LaunchGraph(graph);
  EXPECT_THAT(End().windows, SizeIs(1));
}

TEST_F(GraphInstances, AGraphOfWhichTheDriverMakesNoSecondInstanceIsNotCounted) {
  Start();
  program_->device().RefuseSecondInstances();
  const auto graph = Capture({"a"});
  LaunchGraph(graph);
  EXPECT_FALSE(program_->device().IsEnabled(context_));
  EXPECT_THAT(Skips(End()), ElementsAre("a graph_replay 1"));
  ExpectOnly(1);
}

TEST_F(GraphInstances, AFirstLaunchThatFailsIsTriedAgain) {
  Start();
  const auto graph = Capture({"a"});
  LaunchGraph(graph, false);
  EXPECT_FALSE(program_->device().IsEnabled(context_));
  LaunchGraph(graph);
  EXPECT_THAT(Skips(End()), IsEmpty());
  ExpectOnly(1);
}

TEST_F(GraphInstances, AnInstanceThatIsNeverLaunchedTakesTheCopyWithIt) {
  Start();
  const auto graph = Capture({"a"});
  EXPECT_EQ(program_->device().copies(), 1U);
  program_->agent().graphs().ExecDestroyed(*graph);
  ExpectOnly(1);
  End();
}

TEST_F(GraphInstances, AsLongAsAWindowIsLateItsInstanceIsTheOneThatIsLaunched) {
  Start("--close-deadline 20");
  running_ = true;
  const auto graph = program_->Instantiate(
      context_, program_->device().MakeGraph({{"a", 0us, [this] { return !running_; }}}));
  LaunchGraph(graph);
  EXPECT_TRUE(program_->device().IsEnabled(context_));
  LaunchGraph(graph);
  running_ = false;
  program_->Synchronise(context_);
  EXPECT_FALSE(program_->device().IsEnabled(context_));
  LaunchGraph(graph);
  ExpectOnly(1);
  const recording::RecordedRun run = End();
  ASSERT_THAT(run.windows, SizeIs(1));
  EXPECT_THAT(Skips(run), ElementsAre("a graph_replay 1"));
}

TEST_F(GraphInstances, WhatIsChangedWhileItsWindowIsLateIsLaunchedAsItWasChanged) {
  Start("--close-deadline 20");
  running_ = true;
  const SimulatedKernel kernel{"a", 0us, [this] { return !running_; }};
  const auto graph = program_->Instantiate(context_, program_->device().MakeGraph({kernel}));
  LaunchGraph(graph);
  EXPECT_TRUE(program_->device().IsEnabled(context_));
  program_->device().ChangeInstance(*graph, {{.name = "a", .arguments = "new"}});
  program_->agent().graphs().Changed(*graph);
  LaunchGraph(graph);
  running_ = false;
  program_->Synchronise(context_);
  ExpectOnly(1);
}

TEST_F(GraphInstances, ADeviceThatIsResetBeforeTheLaunchLosesNothing) {
  Start();
  Capture({"a"});
  Launch("b");
  program_->DestroyContext(context_);
  context_ = program_->CreateContext();
  stream_ = program_->CreateStream(context_);
  Launch("c");
  const recording::RecordedRun run = End();
  EXPECT_THAT(run.windows, SizeIs(1));
  EXPECT_THAT(Skips(run), ElementsAre("c failed 1"));
  EXPECT_THAT(Losses(run), ElementsAre(HasSubstr("counting_ended: ")));
}

}  // namespace
}  // namespace coalcheck::testing
