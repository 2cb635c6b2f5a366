// SPDX-License-Identifier: Apache-2.0
//
// Tallies of launch shapes, kernels that are left out, and handles that the driver uses again.
#include "injection/agent/shapes/launch_book.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <optional>
#include <string>
#include <thread>
#include <vector>

#include "libcoalcheck/options/agent_options.h"

namespace coalcheck::agent {
namespace {

using ::testing::ElementsAre;

constexpr auto kFirst = selection::Sampling::Kind::kFirst;

LaunchSeen Seen(std::string_view kernel, std::uintptr_t function = 0x1000, std::uint32_t grid = 1) {
  return {FunctionHandle(function), kernel, {grid, 1, 1}, {32, 1, 1}};
}

bool IsExcluded(std::string_view kernel) {
  return ShapeEntry({std::string(kernel), {}, {}}).excluded();
}

TEST(ShapeEntry, TheTallyAddsUpWhatHappened) {
  ShapeEntry entry({"kernel", {}, {}});
  EXPECT_EQ(entry.NextLaunch(kFirst).earlier_launches, 0U);
  EXPECT_EQ(entry.NextLaunch(kFirst).earlier_launches, 1U);
  EXPECT_EQ(entry.NextLaunch(kFirst).earlier_launches, 2U);
  entry.Counted(Launches(1));
  entry.Skipped(Skip::kSampling);
  entry.Skipped(Skip::kNeverIdle);
  entry.AddLaunches(Launches(5), Skip::kGraphReplay);

  const recording::Tally tally = entry.Tally();
  EXPECT_EQ(tally.launches, Launches(8));
  EXPECT_EQ(tally.counted, Launches(1));
  std::vector<std::string> reasons;
  for (const recording::Skipped& skipped : tally.skipped) {
    reasons.push_back(skipped.reason + " " + std::to_string(skipped.launches.count()));
  }
  EXPECT_THAT(reasons, ElementsAre("sampling 1", "never_idle 1", "graph_replay 5"));
}

TEST(ShapeEntry, EveryReasonHasAWordOfItsOwn) {
  std::vector<std::string_view> words;
  for (std::size_t i = 0; i < kAgentSkips; ++i) words.push_back(ToString(static_cast<Skip>(i)));
  EXPECT_THAT(words, ElementsAre("sampling", "never_idle", "gate_busy", "excluded",
                                 "waits_for_others", "watched", "timed", "capturing",
                                 "graph_replay", "other_context", "other_ranks", "not_selected",
                                 "outside_ranges", "autotuning", "launch_range", "switched_off",
                                 "budget", "window_limit", "other_lanes", "failed"));
}

TEST(ShapeEntry, MissesInARowAreForgottenWhenAWindowOpens) {
  ShapeEntry entry({"kernel", {}, {}});
  entry.Missed();
  entry.Missed();
  EXPECT_EQ(entry.History(kFirst).missed, 2U);
  entry.Opened();
  EXPECT_EQ(entry.History(kFirst).missed, 0U);
  EXPECT_EQ(entry.History(kFirst).windows, 1U);
}

TEST(ShapeEntry, AShapeCountedInAnotherShapesWindowNeedsNoneOfItsOwn) {
  ShapeEntry entry({"kernel", {}, {}});
  entry.NextLaunch(kFirst);
  entry.Counted(Launches(1));
  EXPECT_EQ(entry.History(kFirst).windows, 1U);
}

TEST(ShapeEntry, CollectivesAreLeftOutUnderPlainAndMangledNames) {
  EXPECT_TRUE(IsExcluded("ncclDevKernel_AllReduce_Sum_f32_RING_LL"));
  EXPECT_TRUE(IsExcluded("_Z20ncclDevKernel_Reduce24ncclDevKernelArgsStorageILm4096EE"));
  EXPECT_TRUE(IsExcluded("nvshmemi_put_kernel"));
  EXPECT_TRUE(IsExcluded("_Z19nvshmemi_put_threadPv"));
  EXPECT_TRUE(IsExcluded("_ZN4ncclL6kernelEv"));
  EXPECT_TRUE(IsExcluded("_ZL20ncclDevKernel_Reducev"));
}

TEST(ShapeEntry, OrdinaryKernelsThatOnlyMentionACollectiveAreCounted) {
  EXPECT_FALSE(IsExcluded("transpose"));
  EXPECT_FALSE(IsExcluded("my_ncclLike_kernel"));
  EXPECT_FALSE(IsExcluded("_Z7anncclbPf"));
  EXPECT_FALSE(IsExcluded("_Z4copyP15ncclCommunicator"));
  EXPECT_FALSE(IsExcluded("_ZN3app6kernelEP8ncclComm"));
  EXPECT_FALSE(IsExcluded(""));
}

TEST(LaunchBook, OneShapeIsOneEntryAndAnotherGridIsAnother) {
  LaunchBook book;
  ShapeEntry& first = book.Find(Seen("kernel"));
  EXPECT_EQ(&book.Find(Seen("kernel")), &first);
  EXPECT_NE(&book.Find(Seen("kernel", 0x1000, 2)), &first);
  EXPECT_NE(&book.Find(Seen("other", 0x2000)), &first);
}

TEST(LaunchBook, TheSameKernelUnderAnotherHandleIsTheSameShape) {
  LaunchBook book;
  EXPECT_EQ(&book.Find(Seen("kernel", 0x1000)), &book.Find(Seen("kernel", 0x2000)));
}

TEST(LaunchBook, AHandleUsedAgainForAnotherKernelFindsThatKernel) {
  LaunchBook book;
  ShapeEntry& old = book.Find(Seen("old"));
  book.DiscardHandles();  // the module was unloaded
  ShapeEntry& reused = book.Find(Seen("new"));
  EXPECT_NE(&reused, &old);
  EXPECT_EQ(reused.shape().kernel, "new");
}

TEST(LaunchBook, AnotherThreadsUnloadIsNoticed) {
  LaunchBook book;
  EXPECT_EQ(book.Find(Seen("old")).shape().kernel, "old");
  std::thread([&] { book.DiscardHandles(); }).join();
  EXPECT_EQ(book.Find(Seen("new")).shape().kernel, "new");
}

TEST(LaunchBook, ABookInThePlaceOfAnotherDoesNotFindItsShapes) {
  std::optional<LaunchBook> book(std::in_place);
  book->Find(Seen("old"));
  book.emplace();
  EXPECT_EQ(book->Find(Seen("new")).shape().kernel, "new");
}

TEST(LaunchBook, TwoBooksDoNotShareTheirEntries) {
  LaunchBook book;
  LaunchBook other;
  EXPECT_NE(&book.Find(Seen("kernel")), &other.Find(Seen("kernel")));
}

TEST(LaunchBook, TheSameShapeInOtherRangesIsAnotherEntryWithTheSameHistory) {
  LaunchBook book;
  LaunchSeen seen = Seen("kernel");
  ShapeEntry& outside = book.Find(seen);
  seen.ranges = RangeSetId(1);
  ShapeEntry& inside = book.Find(seen);
  EXPECT_NE(&inside, &outside);
  outside.NextLaunch(kFirst);
  outside.Opened();
  EXPECT_EQ(inside.History(kFirst).windows, 1U);
  EXPECT_EQ(inside.History(selection::Sampling::Kind::kAuto).windows, 0U);
  EXPECT_EQ(inside.History(selection::Sampling::Kind::kAuto).kernel_windows, 1U);
}

TEST(LaunchBook, EachNewSetOfRangesIsGivenOutOnceWithItsMembers) {
  LaunchBook book({}, [](RangeSetId) { return std::vector<OpenRange>{{"", "step"}}; });
  LaunchSeen seen = Seen("kernel");
  seen.ranges = RangeSetId(3);
  book.Find(seen);
  const std::vector<recording::RangeSet> sets = book.TakeNewRanges();
  ASSERT_EQ(sets.size(), 1U);
  EXPECT_EQ(sets[0].ranges, RangeSetId(3));
  EXPECT_EQ(sets[0].open[0].name, "step");
  book.Find(seen);
  EXPECT_TRUE(book.TakeNewRanges().empty());
}

TEST(ShapeEntry, TwoLaunchesWithDifferentCountsAreRemembered) {
  ShapeEntry entry({"kernel", {}, {}});
  entry.CameTo(7);
  entry.CameTo(7);
  EXPECT_FALSE(entry.History(kFirst).counts_differ);
  entry.CameTo(8);
  EXPECT_TRUE(entry.History(kFirst).counts_differ);
}

class FullBook : public ::testing::Test {
 protected:
  FullBook() : FullBook("") {}
  explicit FullBook(const std::string& filters)
      : book_(options::ParseAgentOptions(filters).value().filters, [](RangeSetId id) {
          return std::vector<OpenRange>{{"", "range " + std::to_string(id.value()), {}}};
        }) {
    for (std::uint32_t grid = 1; grid <= LaunchBook::kMostShapes; ++grid) {
      book_.Find(Seen("a", 0x1000, grid));
    }
  }
  ShapeEntry& InRange(std::uint32_t range, std::uint32_t grid) {
    LaunchSeen launch = Seen("b", 0x2000, grid);
    launch.ranges = RangeSetId(range);
    return book_.Find(launch);
  }
  LaunchBook book_;
};

TEST_F(FullBook, NewShapesOfAKernelShareAnEntryWhoseLaunchesAreNamed) {
  EXPECT_EQ(book_.Folded(), Launches(0));
  ShapeEntry& folded = book_.Find(Seen("a", 0x1000, 1'000'001));
  EXPECT_EQ(&folded, &book_.Find(Seen("a", 0x1000, 1'000'002)));
  EXPECT_NE(&folded, &book_.Find(Seen("b", 0x2000, 1'000'001)));
  folded.NextLaunch(kFirst);
  folded.NextLaunch(kFirst);
  EXPECT_EQ(book_.Folded(), Launches(2));
  EXPECT_EQ(book_.Entries().size(), LaunchBook::kMostShapes + 2);
}

TEST_F(FullBook, ShapesKnownBeforeKeepTheirEntries) {
  EXPECT_EQ(book_.Find(Seen("a", 0x1000, 7)).shape().grid, (recording::Dim3{7, 1, 1}));
}

TEST_F(FullBook, LaunchesInAndOutsideOfRangesStayApart) {
  EXPECT_EQ(&InRange(1, 5), &InRange(2, 6));
  EXPECT_NE(&InRange(1, 5), &InRange(0, 5));
  EXPECT_EQ(InRange(0, 5).shape().ranges, RangeSetId(0));
}

class FullBookWithFilter : public FullBook {
 protected:
  FullBookWithFilter() : FullBook("--nvtx-include 'range 1'") {}
};

TEST_F(FullBookWithFilter, WhatIsLeftOutStaysLeftOut) {
  EXPECT_EQ(InRange(1, 5).left_out(), std::nullopt);
  EXPECT_EQ(InRange(2, 5).left_out(), Skip::kOutsideRanges);
  EXPECT_EQ(InRange(0, 5).left_out(), Skip::kOutsideRanges);
  EXPECT_NE(InRange(1, 5).shape(), InRange(2, 5).shape());
}

TEST(LaunchBook, EntriesComeInTheOrderTheyWereFirstSeen) {
  LaunchBook book;
  for (const char* kernel : {"c", "a", "b", "a", "c"}) {
    book.Find(Seen(kernel, std::hash<std::string_view>{}(kernel)));
  }
  std::vector<std::string> kernels;
  for (const ShapeEntry* entry : book.Entries()) kernels.push_back(entry->shape().kernel);
  EXPECT_THAT(kernels, ElementsAre("c", "a", "b"));
}

}  // namespace
}  // namespace coalcheck::agent
