// SPDX-License-Identifier: Apache-2.0
//
// Which kernels a graph holds, from its capture to its launches, and how often captures get a
// window.
#include "injection/agent/graph_book.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "injection/agent/capture_pace.h"

namespace coalcheck::agent {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

constexpr CaptureId kCapture(1);
constexpr GraphHandle kGraph(0x10);
constexpr GraphExecHandle kExec(0x20);

TEST(GraphBook, AnInstantiatedGraphHoldsWhatWasCapturedInOrder) {
  GraphBook book;
  ShapeEntry a({"a", {}, {}});
  ShapeEntry b({"b", {}, {}});
  book.AddCaptured(kCapture, b);
  book.AddCaptured(kCapture, a);
  book.AddCaptured(kCapture, b);
  book.EndCapture(kCapture, kGraph, WindowId(7));
  book.Instantiated(kExec, kGraph);
  const GraphKernelsPtr kernels = book.Find(kExec);
  ASSERT_NE(kernels, nullptr);
  EXPECT_THAT(kernels->shapes, ElementsAre(&b, &a, &b));
  EXPECT_EQ(kernels->window, WindowId(7));
}

TEST(GraphBook, TwoCapturesAtOnceDoNotMix) {
  GraphBook book;
  ShapeEntry a({"a", {}, {}});
  ShapeEntry b({"b", {}, {}});
  book.AddCaptured(CaptureId(1), a);
  book.AddCaptured(CaptureId(2), b);
  book.EndCapture(CaptureId(2), GraphHandle(2), WindowId(0));
  book.EndCapture(CaptureId(1), GraphHandle(1), WindowId(0));
  book.Instantiated(GraphExecHandle(1), GraphHandle(1));
  book.Instantiated(GraphExecHandle(2), GraphHandle(2));
  EXPECT_THAT(book.Find(GraphExecHandle(1))->shapes, ElementsAre(&a));
  EXPECT_THAT(book.Find(GraphExecHandle(2))->shapes, ElementsAre(&b));
}

TEST(GraphBook, AGraphThatWasNotCapturedIsUnknown) {
  GraphBook book;
  book.Instantiated(kExec, kGraph);
  EXPECT_EQ(book.Find(kExec), nullptr);
}

TEST(GraphBook, ACaptureGivenUpLeavesNothing) {
  GraphBook book;
  ShapeEntry a({"a", {}, {}});
  book.AddCaptured(kCapture, a);
  book.EndCapture(kCapture, std::nullopt, WindowId(0));
  book.EndCapture(kCapture, kGraph, WindowId(0));  // the number used again, nothing captured
  book.Instantiated(kExec, kGraph);
  EXPECT_THAT(book.Find(kExec)->shapes, IsEmpty());
}

TEST(GraphBook, ReplaysAreFoldedIntoTheTalliesOnce) {
  GraphBook book;
  ShapeEntry a({"a", {}, {}});
  book.AddCaptured(kCapture, a);
  book.EndCapture(kCapture, kGraph, WindowId(0));
  book.Instantiated(kExec, kGraph);
  book.Find(kExec)->replays = 3;
  book.FoldReplays();
  book.FoldReplays();
  EXPECT_EQ(a.Tally().launches, Launches(3));
  EXPECT_EQ(a.Tally().skipped[0].reason, recording::kSkippedInGraph);
  EXPECT_EQ(a.Tally().skipped[0].launches, Launches(3));
}

TEST(GraphBook, AnExecutableHandleUsedAgainKeepsTheOldReplays) {
  GraphBook book;
  ShapeEntry a({"a", {}, {}});
  book.AddCaptured(kCapture, a);
  book.EndCapture(kCapture, kGraph, WindowId(0));
  book.Instantiated(kExec, kGraph);
  book.Find(kExec)->replays = 2;
  book.EndCapture(CaptureId(2), GraphHandle(0x11), WindowId(0));
  book.Instantiated(kExec, GraphHandle(0x11));
  EXPECT_EQ(a.Tally().launches, Launches(2));
  EXPECT_THAT(book.Find(kExec)->shapes, IsEmpty());
}

std::vector<int> CapturesWithWindow(CapturePace& pace, int captures, bool new_each_time) {
  std::vector<int> with_window;
  for (int i = 1; i <= captures; ++i) {
    if (!pace.Next()) continue;
    with_window.push_back(i);
    pace.WindowClosed(new_each_time);
  }
  return with_window;
}

TEST(CapturePace, CapturesThatBringSomethingNewAreAllCounted) {
  CapturePace pace;
  EXPECT_THAT(CapturesWithWindow(pace, 4, true), ElementsAre(1, 2, 3, 4));
}

TEST(CapturePace, TwiceAsManyPassAfterEachThatBroughtNothing) {
  CapturePace pace;
  EXPECT_THAT(CapturesWithWindow(pace, 20, false), ElementsAre(1, 3, 6, 11, 20));
  pace.WindowClosed(true);
  EXPECT_TRUE(pace.Next());
}

}  // namespace
}  // namespace coalcheck::agent
