// SPDX-License-Identifier: Apache-2.0
//
// The baseline's file, and the ratchet that it is.
#include "libcoalcheck/comparison/baseline.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "libcoalcheck/verdict/verdict.h"
#include "tests/unit/comparison/runs.h"

namespace coalcheck::comparison {
namespace {

using ::testing::HasSubstr;
using ::testing::SizeIs;
using ::testing::StartsWith;

findings::Report CheckedAgainst(const Baseline& baseline, const Program& program) {
  findings::Report report = program.Make();
  ApplyBaseline(baseline, "base.txt", findings::kDefaultTolerance, report);
  return report;
}

TEST(BaselineFile, IsReadBackAsItWasWritten) {
  const std::string file = WriteBaseline(BaselineOf(Program().Make()));
  const auto read = ReadBaseline(file, "base.txt");
  ASSERT_TRUE(read.ok()) << read.error();
  EXPECT_EQ(WriteBaseline(read.value()), file);
  EXPECT_THAT(read.value().findings, SizeIs(2));
  EXPECT_THAT(file, HasSubstr("\t28\t87.5\tstore\ta.cu\tcopy\tp[4*i]=1;\n"));
}

TEST(BaselineFile, MistakesAreNamedWithTheirLine) {
  const std::string first = "# coalcheck baseline 1\n";
  EXPECT_THAT(ReadBaseline("", "b").error(), StartsWith("b: the first line is not"));
  EXPECT_THAT(ReadBaseline("# other\n", "b").error(), StartsWith("b: the first line is not"));
  EXPECT_EQ(ReadBaseline(first + "x\n", "b").error(), "b:2: has not 7 columns apart by tabs");
  const std::string good = "00000000000000ab\t28\t87.5\tstore\ta.cu\tk\tp[i]\n";
  EXPECT_TRUE(ReadBaseline(first + good, "b").ok());
  EXPECT_EQ(ReadBaseline(first + good + good, "b").error(), "b:3: has the fingerprint of line 2");
  EXPECT_THAT(ReadBaseline(first + "zz" + good.substr(2), "b").error(),
              HasSubstr("begins with no fingerprint"));
  EXPECT_THAT(ReadBaseline(first + "00000000000000ab\tnan\t87.5\ts\ta\tk\tt\n", "b").error(),
              HasSubstr("wastes 'nan' sectors per request"));
  EXPECT_THAT(ReadBaseline(first + "00000000000000ab\t-\t101\ts\ta\tk\tt\n", "b").error(),
              HasSubstr("wastes '101' percent"));
}

TEST(Ratchet, WhatIsKnownIsExcused) {
  const findings::Report report = CheckedAgainst(BaselineOf(Program().Make()), {});
  EXPECT_EQ(report.baseline->known, 2U);
  EXPECT_EQ(verdict::Judge(report).outcome, verdict::Outcome::kClean);
}

TEST(Ratchet, WorseAndNewFindingsAreNot) {
  Program before;
  before.sectors = {16, 4, 4};
  const findings::Report report = CheckedAgainst(BaselineOf(before.Make()), {});
  EXPECT_EQ(report.baseline->worse, 1U);
  EXPECT_EQ(report.baseline->fresh, 1U);
  EXPECT_EQ(report.places[0].standing, "worse: it was 12 wasted sectors per request");
  EXPECT_EQ(report.places[1].standing, "new");
  EXPECT_EQ(verdict::Judge(report).outcome, verdict::Outcome::kFindings);
}

TEST(Ratchet, FindingsStandBeforeWhatIsExcused) {
  Program before;
  before.sectors = {32, 4, 4};
  const findings::Report report = CheckedAgainst(BaselineOf(before.Make()), {});
  EXPECT_TRUE(report.places[0].is_finding);
  EXPECT_EQ(report.places[0].standing, "new");
  EXPECT_TRUE(report.places[1].excuse);
}

TEST(Ratchet, TightensWhatIsBetterAndDropsWhatIsGoneButKeepsWhatWasNotSeen) {
  Program before;
  before.sectors = {32, 8, 16};
  Program after;
  after.sectors = {16, 0, 0};
  const Baseline baseline = BaselineOf(before.Make());
  const findings::Report report = CheckedAgainst(baseline, after);
  EXPECT_THAT(report.baseline->improved, SizeIs(1));
  EXPECT_THAT(report.baseline->vanished, SizeIs(1));
  EXPECT_THAT(report.baseline->not_seen, SizeIs(1));
  const Baseline tightened = Tightened(baseline, *report.baseline);
  ASSERT_THAT(tightened.findings, SizeIs(2));
  EXPECT_THAT(WriteBaseline(tightened), HasSubstr("\t12\t75\tstore\ta.cu\tcopy\t"));
  EXPECT_THAT(WriteBaseline(tightened), HasSubstr("\tscale\t"));
}

TEST(Ratchet, WhatIsNoLongerJudgedIsNotDropped) {
  const Baseline baseline = BaselineOf(Program().Make());
  Program clean;
  clean.sectors = {4, 4, 4};
  findings::Report outside = clean.Make();
  for (findings::Place& place : outside.places) place.in_scope = false;
  ApplyBaseline(baseline, "base.txt", findings::kDefaultTolerance, outside);
  EXPECT_THAT(outside.baseline->not_seen, SizeIs(2));
  EXPECT_THAT(Tightened(baseline, *outside.baseline).findings, SizeIs(2));
  EXPECT_THAT(Tightened(baseline, *CheckedAgainst(baseline, clean).baseline).findings, SizeIs(0));
}

TEST(Ratchet, TightenedTwiceChangesNothingMore) {
  Program after;
  after.sectors = {16, 4, 4};
  const Baseline baseline = BaselineOf(Program().Make());
  const Baseline once = Tightened(baseline, *CheckedAgainst(baseline, after).baseline);
  const Baseline twice = Tightened(once, *CheckedAgainst(once, after).baseline);
  EXPECT_EQ(WriteBaseline(twice), WriteBaseline(once));
}

}  // namespace
}  // namespace coalcheck::comparison
