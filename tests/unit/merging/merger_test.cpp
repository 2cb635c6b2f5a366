// SPDX-License-Identifier: Apache-2.0
//
// What of single recordings is in the merged one.
#include "libcoalcheck/merging/merger.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>

#include "tests/unit/merging/rank_runs.h"

namespace coalcheck::merging {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

std::vector<RecordedRun> Ranks(std::uint32_t count) {
  std::vector<RecordedRun> runs;
  for (std::uint32_t rank = 0; rank < count; ++rank) runs.push_back(RunOfRank(rank));
  return runs;
}

std::uint64_t SectorsIn(const RecordedRun& run) {
  const Column sectors(run.header.counters, "sectors");
  std::uint64_t sum = 0;
  for (const auto& window : run.windows) {
    for (const auto& function : window.functions) {
      for (const auto& row : function.rows) sum += sectors.Of(row);
    }
  }
  return sum;
}

TEST(Merger, CountsAddExactly) {
  const RecordedRun merged = ReadBack(Merged(Ranks(100)));
  EXPECT_THAT(merged.lost_lines, IsEmpty());
  EXPECT_EQ(SectorsIn(merged), 100U * 40);
  ASSERT_EQ(merged.tallies.size(), 1U);
  EXPECT_EQ(merged.tallies[0].launches, Launches(500));
  EXPECT_EQ(merged.tallies[0].counted, Launches(100));
  EXPECT_EQ(merged.tallies[0].skipped[0].launches, Launches(400));
  EXPECT_EQ(merged.header.merged, 100U);
  EXPECT_EQ(merged.ranks.size(), 100U);
}

TEST(Merger, KeepsTheWindowsOfTheLowestRanksAsTheyAreAndSumsTheOthers) {
  const RecordedRun merged = ReadBack(Merged(Ranks(10)));
  ASSERT_EQ(merged.windows.size(), kExamples + 1);
  for (std::uint32_t rank = 0; rank < kExamples; ++rank) {
    ASSERT_TRUE(merged.windows[rank].origin.has_value());
    EXPECT_EQ(merged.windows[rank].origin->rank, rank);
  }
  EXPECT_EQ(merged.windows.back().sum_of, 10 - kExamples);
  EXPECT_EQ(merged.windows.back().inside[0].launches, Launches(10 - kExamples));
}

TEST(Merger, SaysHowCountsSpreadOverTheRanks) {
  std::vector<RecordedRun> runs = Ranks(9);
  runs[5] = RunOfRank(5, 32);
  const RecordedRun merged = ReadBack(Merged(runs));
  ASSERT_EQ(merged.spreads.size(), 1U);
  ASSERT_EQ(merged.spreads[0].rows.size(), 1U);
  const recording::SpreadRow& row = merged.spreads[0].rows[0];
  EXPECT_EQ(row.processes, 9U);
  EXPECT_EQ(row.touched.least.rank, 0U);
  EXPECT_EQ(row.touched.least.sectors, 40U);
  EXPECT_EQ(row.touched.most.rank, 5U);
  EXPECT_EQ(row.wasted.most.sectors, 310U);
  ASSERT_EQ(row.touched.steps.size(), 2U);
  EXPECT_EQ(row.touched.steps[0].eighths, 32U);
  EXPECT_EQ(row.touched.steps[0].processes, 8U);
  EXPECT_EQ(row.touched.steps[1].eighths, 256U);
  EXPECT_THAT(row.touched.steps[1].ranks, ElementsAre(5U));
}

TEST(Merger, TheLowestRanksOfAStepAreNamedInWhateverOrderTheyCome) {
  std::vector<RecordedRun> runs = Ranks(10);
  std::ranges::reverse(runs);
  const RecordedRun merged = ReadBack(Merged(runs));
  ASSERT_EQ(merged.spreads.size(), 1U);
  EXPECT_THAT(merged.spreads[0].rows[0].touched.steps[0].ranks, ElementsAre(0U, 1U, 2U, 3U));
}

TEST(Merger, RatesAreComparedExactly) {
  EXPECT_TRUE(CompareRates({1, 3, 0}, {2, 6, 0}) == 0);
  const std::uint64_t huge = std::uint64_t{1} << 62U;
  EXPECT_TRUE(CompareRates({huge, huge - 1, 0}, {huge - 1, huge - 2, 0}) < 0);
}

TEST(Merger, ProcessesOfOneRankOnOneHostAreOneRank) {
  RecordedRun worker = RunOfRank(3);
  worker.header.pid = 999;
  worker.end.reset();
  const RecordedRun merged = ReadBack(Merged({RunOfRank(3), worker}));
  ASSERT_EQ(merged.ranks.size(), 1U);
  merged.ranks.ForEach([](const recording::RankEntry& entry) {
    EXPECT_EQ(entry.job.rank, 3U);
    ASSERT_EQ(entry.endings.size(), 2U);
    EXPECT_EQ(entry.sums.sectors, Sectors(80));
  });
}

TEST(Merger, RanksOfTwoJobsAndTheSameRankOnTwoHostsStayApart) {
  RecordedRun other_job = RunOfRank(3);
  other_job.header.job.id = "slurm 2.0";
  RecordedRun other_host = RunOfRank(3);
  other_host.header.host = "elsewhere";
  EXPECT_EQ(ReadBack(Merged({RunOfRank(3), other_job, other_host})).ranks.size(), 3U);
}

TEST(Merger, WindowsThatAKilledProcessDidNotWriteAreALossOfItsRank) {
  RecordedRun killed = RunOfRank(4);
  killed.end.reset();
  killed.progress = recording::Progress{9, 3, 0, 0};
  const RecordedRun merged = ReadBack(Merged({RunOfRank(3), killed}));
  ASSERT_EQ(merged.losses.size(), 1U);
  EXPECT_EQ(merged.losses[0].what, "window_lost");
  EXPECT_EQ(merged.losses[0].count, 2U);
  EXPECT_TRUE(merged.losses[0].ranks.Contains(4));
  EXPECT_FALSE(merged.losses[0].ranks.Contains(3));
}

TEST(Merger, AKilledProcessWhoseProgressIsDamagedMayHaveLostWindows) {
  RecordedRun killed = RunOfRank(4);
  killed.end.reset();
  killed.is_progress_damaged = true;
  const RecordedRun merged = ReadBack(Merged({RunOfRank(3), killed}));
  ASSERT_EQ(merged.losses.size(), 1U);
  EXPECT_EQ(merged.losses[0].what, "window_lost");
  EXPECT_EQ(merged.losses[0].detail, "how many closed is not known: its file progress is damaged");
  EXPECT_TRUE(merged.losses[0].ranks.Contains(4));
}

TEST(Merger, WindowsMissingInOneProcessAreNotMadeGoodByAnother) {
  RecordedRun lost = RunOfRank(0);
  lost.windows.clear();  // the tally says that one was counted
  RecordedRun killed = RunOfRank(1);
  killed.tallies.clear();
  const RecordedRun merged = ReadBack(Merged({lost, killed}));
  ASSERT_EQ(merged.tallies.size(), 1U);
  EXPECT_EQ(merged.tallies[0].counted, Launches(2)) << "one of them is in no window";
}

TEST(Merger, CountersThatNotAllHaveAreLeftOutAndNamed) {
  RecordedRun minimal = RunOfRank(1);
  minimal.header.counters = {"sectors", "ideal_sectors"};
  minimal.windows[0].functions[0].rows[0].values = {40, 10};
  const RecordedRun merged = ReadBack(Merged({RunOfRank(0), minimal, RunOfRank(2)}));
  EXPECT_THAT(merged.header.counters, ElementsAre("sectors", "ideal_sectors"));
  EXPECT_THAT(merged.header.dropped_counters,
              ElementsAre("requests", "lanes", "async_requests", "async_lanes", "lines"));
  EXPECT_EQ(SectorsIn(merged), 3U * 40);
}

TEST(Merger, ARecordingByWhichNothingCanBeJudgedCostsTheOthersNothing) {
  RecordedRun useless = RunOfRank(1);
  useless.header.counters = {"requests"};
  useless.windows[0].functions[0].rows[0].values = {40};
  const RecordedRun merged = ReadBack(Merged({useless, RunOfRank(0)}));
  EXPECT_EQ(merged.header.counters, kAllCounters);
  EXPECT_EQ(SectorsIn(merged), 40U);
  ASSERT_EQ(merged.losses.size(), 1U);
  EXPECT_EQ(merged.losses[0].what, "window_lost");
}

TEST(Merger, WhatCouldNotBeReadIsKeptByName) {
  Merger merger;
  merger.Add(RunOfRank(0));
  merger.AddUnread("r1", "it is empty");
  const RecordedRun merged = ReadBack(BytesOf(std::move(merger).Finish()));
  ASSERT_EQ(merged.unread.size(), 1U);
  EXPECT_EQ(merged.unread[0].name, "r1");
}

// A run with `count` sets of one launch each, from `first` on.
RecordedRun RunWithSets(std::uint32_t rank, std::uint32_t first, std::uint32_t count) {
  RecordedRun run = RunOfRank(rank);
  recording::Uncounted& uncounted = run.uncounted.emplace_back();
  uncounted = {"kernel", {}, Launches(10)};
  for (std::uint32_t i = first; i < first + count; ++i) {
    recording::LaunchArguments arguments{.launches = Launches(1), .size = Bytes(1), .bytes = "x"};
    uncounted.sets.push_back({{i, 1, 1}, {32, 1, 1}, arguments});
  }
  return run;
}

TEST(Merger, EqualSetsOfLaunchesThatWereNotCountedAreOne) {
  const RecordedRun merged =
      ReadBack(Merged({RunWithSets(0, 1, 2), RunWithSets(1, 2, 2), RunOfRank(2)}));
  ASSERT_EQ(merged.uncounted.size(), 1U);
  ASSERT_EQ(merged.uncounted[0].sets.size(), 3U);
  EXPECT_EQ(merged.uncounted[0].sets[1].arguments.launches, Launches(2));
  EXPECT_EQ(merged.uncounted[0].others, Launches(20));
}

TEST(Merger, TheFirstSetsInOrderAreKeptInWhateverGroupsTheyAreMerged) {
  const std::vector<RecordedRun> runs = {RunWithSets(0, 50, 40), RunWithSets(1, 1, 40),
                                         RunWithSets(2, 30, 40)};
  const RecordedRun at_once = ReadBack(Merged(runs));
  const RecordedRun in_two_steps =
      ReadBack(Merged({ReadBack(Merged({runs[0], runs[2]})), runs[1]}));
  for (const RecordedRun* merged : {&at_once, &in_two_steps}) {
    ASSERT_EQ(merged->uncounted.size(), 1U);
    ASSERT_EQ(merged->uncounted[0].sets.size(), recording::kMostUncountedSets);
    EXPECT_EQ(merged->uncounted[0].sets.back().grid.x, 64U);
    EXPECT_EQ(merged->uncounted[0].all(), Launches(3 * (40 + 10)));
  }
  EXPECT_EQ(at_once.uncounted[0].others, in_two_steps.uncounted[0].others);
}

}  // namespace
}  // namespace coalcheck::merging
