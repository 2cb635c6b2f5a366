// SPDX-License-Identifier: Apache-2.0
//
// What one of several recordings shows, and the sum of all hides.
#include "libcoalcheck/comparison/each_alone.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "libcoalcheck/comparison/baseline.h"
#include "tests/unit/comparison/runs.h"

namespace coalcheck::comparison {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::SizeIs;
using ::testing::StartsWith;

Program WithSectors(std::vector<std::uint64_t> sectors) {
  Program program;
  program.sectors = std::move(sectors);
  return program;
}

findings::Report Held(findings::Report sum, const std::vector<findings::Report>& recordings) {
  EachAlone each(sum);
  for (std::size_t i = 0; i < recordings.size(); ++i) {
    each.Add(recordings[i], "rank " + std::to_string(i));
  }
  each.Finish();
  return sum;
}

findings::Report Against(const Baseline& baseline, const Program& program) {
  findings::Report report = program.Make();
  ApplyBaseline(baseline, "base.txt", findings::kDefaultTolerance, report);
  return report;
}

const Program kClean = WithSectors({4, 4, 4});
const Program kWasteful = WithSectors({32, 4, 4});

TEST(EachAlone, AFindingThatTheSumHidesIsNamedWithBothReasons) {
  const auto alone = Held(kClean.Make(), {kClean.Make(), kWasteful.Make()}).alone;
  ASSERT_THAT(alone, SizeIs(1));
  EXPECT_EQ(alone[0].recording, "rank 1");
  EXPECT_THAT(alone[0].where, HasSubstr("a.cu:2"));
  EXPECT_EQ(alone[0].kind, cubin::AccessKind::kStore);
  EXPECT_EQ(alone[0].counts.sectors, Sectors(320));
  EXPECT_THAT(alone[0].because, StartsWith("87.5 % is not below"));
  EXPECT_THAT(alone[0].in_sum, StartsWith("wastes nothing"));
}

TEST(EachAlone, AFindingOfTheSumIsNot) {
  EXPECT_THAT(Held(kWasteful.Make(), {kClean.Make(), kWasteful.Make()}).alone, IsEmpty());
}

TEST(EachAlone, WhatTheSumDoesNotJudgeIsNamed) {
  findings::Report sum = kWasteful.Make();
  sum.places[0].is_finding = false;
  sum.places[0].in_scope = false;
  const auto alone = Held(sum, {kWasteful.Make()}).alone;
  ASSERT_THAT(alone, SizeIs(1));
  EXPECT_EQ(alone[0].in_sum, "library code, not judged");
}

TEST(EachAlone, WhatTheSumDoesNotHaveIsNamed) {
  const auto alone = Held(WithSectors({0, 4, 4}).Make(), {kWasteful.Make()}).alone;
  ASSERT_THAT(alone, SizeIs(1));
  EXPECT_EQ(alone[0].in_sum, "it is not found");
}

TEST(EachAlone, OfARecordingThatIsJudgedWholeAloneTheWorstStandsForAll) {
  findings::Report whole = WithSectors({16, 32, 32}).Make();
  whole.scope = findings::Scope::kAll;
  findings::Report sum = kClean.Make();
  sum.scope = findings::Scope::kUser;
  const auto alone = Held(sum, {whole}).alone;
  ASSERT_THAT(alone, SizeIs(1));
  EXPECT_EQ(alone[0].counts.sectors, Sectors(320));
  EXPECT_THAT(alone[0].because, HasSubstr("; so would 2 more, as nothing in it lies under"));
}

TEST(EachAlone, TheWorstOfEachRecordingComesFirst) {
  const auto alone =
      Held(kClean.Make(), {WithSectors({32, 31, 4}).Make(), WithSectors({4, 4, 8}).Make()}).alone;
  std::vector<std::string> order;
  for (const findings::FindingAlone& one : alone) order.push_back(one.recording);
  EXPECT_THAT(order, ElementsAre("rank 0", "rank 1", "rank 0"));
}

TEST(EachAlone, WhatIsWorseThanTheBaselineInOneIsNamedAndKeptThere) {
  const Baseline baseline = BaselineOf(WithSectors({16, 4, 4}).Make());
  const findings::Report sum =
      Held(Against(baseline, WithSectors({8, 4, 4})),
           {Against(baseline, kWasteful), Against(baseline, WithSectors({5, 4, 4}))});
  ASSERT_THAT(sum.alone, SizeIs(1));
  EXPECT_THAT(sum.alone[0].because, StartsWith("worse: it was 12 wasted sectors per request; "));
  EXPECT_THAT(sum.alone[0].in_sum, StartsWith("known to the baseline; "));
  EXPECT_EQ(WriteBaseline(Tightened(baseline, *sum.baseline)), WriteBaseline(baseline));
}

TEST(EachAlone, WhatOneRecordingStillShowsIsNotDroppedFromTheBaseline) {
  const Baseline baseline = BaselineOf(kWasteful.Make());
  for (const Program& sum : {kClean, WithSectors({0, 4, 4})}) {
    const findings::Report report = Held(Against(baseline, sum), {Against(baseline, kWasteful)});
    EXPECT_THAT(report.baseline->not_seen, SizeIs(1));
    EXPECT_THAT(Tightened(baseline, *report.baseline).findings, SizeIs(1));
  }
}

TEST(EachAlone, WhereOneIsLeftOutNothingIsTakenOutOfTheBaseline) {
  const Baseline baseline = BaselineOf(WithSectors({32, 8, 16}).Make());
  findings::Report sum = Against(baseline, WithSectors({16, 4, 0}));
  EachAlone each(sum);
  each.Add(Against(baseline, WithSectors({16, 4, 0})), "rank 0");
  each.LeaveOut();
  each.Finish();
  EXPECT_EQ(sum.not_judged_alone, 1U);
  EXPECT_EQ(WriteBaseline(Tightened(baseline, *sum.baseline)), WriteBaseline(baseline));
}

TEST(EachAlone, TheWorstRateIsOfARecordingWithItsOwnCounters) {
  findings::Report sum = kWasteful.Make();
  sum.present.requests = false;
  const findings::Report held = Held(sum, {kClean.Make(), kWasteful.Make()});
  ASSERT_TRUE(held.places[0].worst_alone);
  EXPECT_EQ(held.places[0].worst_alone->recording, "rank 1");
  EXPECT_EQ(held.places[0].worst_alone->waste.sectors_per_request, 28);
}

}  // namespace
}  // namespace coalcheck::comparison
