// SPDX-License-Identifier: Apache-2.0
//
// Graphs whose kernels run in more than one context, as on two GPUs: a window is open in one.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "injection/agent/graphs/captured_nodes.h"
#include "tests/agent/recording_words.h"
#include "tests/support/fake_clock.h"
#include "tests/support/simulated_program.h"

namespace coalcheck::testing {
namespace {

using ::testing::IsEmpty;
using ::testing::SizeIs;
using ::testing::UnorderedElementsAre;

class GraphContexts : public ::testing::Test {
 protected:
  // A graph of kernel "a" and of `far`, which runs in a second context, launched `times` times.
  recording::RecordedRun Run(const std::string& far, int times) {
    const agent::ContextHandle first = program_.CreateContext();
    const agent::StreamHandle stream = program_.CreateStream(first);
    const agent::ContextHandle second = program_.CreateContext();
    const auto exec = program_.Instantiate(
        first, program_.device().MakeGraph({{"a"}, {.name = far, .runs_in = second}}));
    for (int i = 0; i < times; ++i) program_.LaunchGraph(first, stream, *exec);
    recording::RecordedRun run = program_.End();
    program_.ExpectTrue(run);
    return run;
  }

  FakeClock clock_;
  SimulatedProgram program_{clock_, ""};
};

TEST_F(GraphContexts, TheKernelsOfAnotherContextAreLaunchedAndNotCounted) {
  const recording::RecordedRun run = Run("far", 3);
  ASSERT_THAT(run.windows, SizeIs(1));
  ASSERT_THAT(run.windows[0].inside, SizeIs(1));
  EXPECT_EQ(run.windows[0].inside[0].shape.kernel, "a");
  EXPECT_THAT(Skips(run), UnorderedElementsAre("a graph_replay 2", "far other_context 3"));
}

TEST_F(GraphContexts, AKernelOfAnotherContextThatMayWaitKeepsItsGraphOutOfWindows) {
  EXPECT_THAT(Run("spins", 1).windows, IsEmpty());
}

TEST(CapturedNodes, BeyondTheMostAreCounted) {
  agent::CapturedNodes nodes;
  const agent::GraphHandle graph(1);
  for (std::uintptr_t i = 1; i <= agent::CapturedNodes::kMostNodes + 2; ++i) {
    nodes.Captured({graph, agent::GraphNodeHandle(i)}, {RangeSetId(1), {}});
  }
  EXPECT_EQ(nodes.discarded(), 2U);
  nodes.Discard(graph);
  nodes.Captured({graph, agent::GraphNodeHandle(1)}, {RangeSetId(2), {}});
  EXPECT_EQ(nodes.discarded(), 2U);
  EXPECT_EQ(nodes.Of({graph, agent::GraphNodeHandle(1)}).ranges, RangeSetId(2));
}

TEST(CapturedNodes, AreKnownUntilTheirGraphIsDestroyed) {
  agent::CapturedNodes nodes;
  const agent::CapturedNode node{agent::GraphHandle(1), agent::GraphNodeHandle(2)};
  nodes.Captured(node, {RangeSetId(3), agent::ContextHandle(4)});
  EXPECT_EQ(nodes.Of(node).ranges, RangeSetId(3));
  EXPECT_EQ(nodes.Of(node).context, agent::ContextHandle(4));
  nodes.Discard(agent::GraphHandle(1));
  EXPECT_EQ(nodes.Of(node).context, agent::ContextHandle(0));
}

}  // namespace
}  // namespace coalcheck::testing
