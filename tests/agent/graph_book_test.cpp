// SPDX-License-Identifier: Apache-2.0
//
// Which kernels an executable graph holds, from its instantiation to its end.
#include "injection/agent/graphs/graph_book.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace coalcheck::agent {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

constexpr GraphExecHandle kExec(0x20);

GraphKernelsPtr Holding(std::vector<ShapeEntry*> shapes) {
  auto kernels = std::make_shared<GraphKernels>();
  kernels->shapes = std::move(shapes);
  return kernels;
}

TEST(GraphBook, AnExecutableGraphHoldsWhatItWasInstantiatedWith) {
  UncountedLaunches uncounted;
  GraphBook book(uncounted);
  ShapeEntry a({"a", {}, {}});
  ShapeEntry b({"b", {}, {}});
  book.Instantiated(kExec, Holding({&b, &a, &b}));
  ASSERT_NE(book.Find(kExec), nullptr);
  EXPECT_THAT(book.Find(kExec)->shapes, ElementsAre(&b, &a, &b));
}

TEST(GraphBook, OneThatNobodySawBeingMadeIsUnknown) {
  UncountedLaunches uncounted;
  EXPECT_EQ(GraphBook(uncounted).Find(kExec), nullptr);
}

TEST(GraphBook, ReplaysAreFoldedIntoTheTalliesOnce) {
  UncountedLaunches uncounted;
  GraphBook book(uncounted);
  ShapeEntry a({"a", {}, {}});
  book.Instantiated(kExec, Holding({&a}));
  book.Find(kExec)->replays = 3;
  book.FoldReplays();
  book.FoldReplays();
  EXPECT_EQ(a.Tally().launches, Launches(3));
  EXPECT_EQ(a.Tally().skipped[0].reason, ToString(Skip::kGraphReplay));
  EXPECT_EQ(a.Tally().skipped[0].launches, Launches(3));
}

TEST(GraphBook, ReplaysOfAKernelThatMayWaitForOthersAreToldAsThat) {
  UncountedLaunches uncounted;
  GraphBook book(uncounted);
  ShapeEntry a({"a", {}, {}});
  a.trust().Set(Trust::kSuspect);
  book.Instantiated(kExec, Holding({&a}));
  book.Find(kExec)->replays = 3;
  book.FoldReplays();
  EXPECT_EQ(a.Tally().skipped[0].reason, ToString(Skip::kWaits));
}

TEST(GraphBook, AnExecutableHandleUsedAgainKeepsTheOldReplays) {
  UncountedLaunches uncounted;
  GraphBook book(uncounted);
  ShapeEntry a({"a", {}, {}});
  book.Instantiated(kExec, Holding({&a}));
  book.Find(kExec)->replays = 2;
  book.Instantiated(kExec, Holding({}));
  EXPECT_EQ(a.Tally().launches, Launches(2));
  EXPECT_THAT(book.Find(kExec)->shapes, IsEmpty());
}

TEST(GraphBook, ADestroyedOneKeepsItsReplaysAndIsForgotten) {
  UncountedLaunches uncounted;
  GraphBook book(uncounted);
  ShapeEntry a({"a", {}, {}});
  book.Instantiated(kExec, Holding({&a}));
  book.Find(kExec)->replays = 2;
  book.Destroyed(kExec);
  EXPECT_EQ(a.Tally().launches, Launches(2));
  EXPECT_EQ(book.Find(kExec), nullptr);
}

}  // namespace
}  // namespace coalcheck::agent
