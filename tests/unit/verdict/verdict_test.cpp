// SPDX-License-Identifier: Apache-2.0
//
// The exit code for each kind of report, and that silence never looks like success.
#include "libcoalcheck/verdict/verdict.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace coalcheck::verdict {
namespace {

using ::testing::HasSubstr;

findings::Report WithAccess(bool is_finding) {
  findings::Report report;
  report.recordings.emplace_back().name = "a.rec";
  report.accesses.emplace_back().is_finding = is_finding;
  report.places.push_back({is_finding, {0}, 1, {}});
  report.launches = report.launches_checked = Launches(1);
  return report;
}

findings::Report Empty() {
  findings::Report report;
  report.recordings.emplace_back().name = "a.rec";
  return report;
}

TEST(Verdict, OutcomesAreTheDocumentedExitCodes) {
  EXPECT_EQ(static_cast<int>(Outcome::kClean), 0);
  EXPECT_EQ(static_cast<int>(Outcome::kFindings), 1);
  EXPECT_EQ(static_cast<int>(Outcome::kNothingChecked), 3);
  EXPECT_EQ(static_cast<int>(Outcome::kCouldNotCollect), 4);
}

TEST(Verdict, CleanNeedsACheckedAccess) {
  EXPECT_EQ(Judge(WithAccess(false)).outcome, Outcome::kClean);
  EXPECT_EQ(Judge(Empty()).outcome, Outcome::kNothingChecked);
}

TEST(Verdict, AnAccessWithoutLineInformationCountsAsChecked) {
  findings::Report report = WithAccess(false);
  report.kernels.push_back({"k", Launches(1), Launches(1), {}, /*lacks_lines=*/true});
  EXPECT_EQ(Judge(report).outcome, Outcome::kClean);
}

TEST(Verdict, AFindingWinsOverEverything) {
  findings::Report report = WithAccess(true);
  report.recordings[0].losses.push_back({"could_not_collect", "", 1});
  report.recordings[0].dropped_records = 3;
  EXPECT_EQ(Judge(report).outcome, Outcome::kFindings);
}

TEST(Verdict, NoLaunchSaysSo) { EXPECT_EQ(Judge(Empty()).reason, "no kernel was launched"); }

TEST(Verdict, LaunchesThatWereNotCountedSayWhy) {
  findings::Report report = Empty();
  report.launches = Launches(12);
  report.kernels.push_back({"k", Launches(12), {}, {{"never_idle", Launches(12)}}, false});
  EXPECT_EQ(Judge(report).outcome, Outcome::kNothingChecked);
  EXPECT_EQ(Judge(report).reason,
            "12 launches seen, none counted: 12 because their context was never idle");
}

TEST(Verdict, ALaunchWithoutGlobalAccessesIsNothingChecked) {
  findings::Report report = Empty();
  report.launches = report.launches_checked = Launches(1);
  EXPECT_EQ(Judge(report).outcome, Outcome::kNothingChecked);
  EXPECT_THAT(Judge(report).reason, HasSubstr("without a single access"));
}

TEST(Verdict, CountsThatCouldNotBeAttributedAreNothingChecked) {
  findings::Report report = Empty();
  report.launches = report.launches_checked = Launches(1);
  report.unattributed.push_back(
      {findings::UnattributedCause::kCubinMissing, "k", CubinId(1), "", 3, {}});
  EXPECT_EQ(Judge(report).outcome, Outcome::kNothingChecked);
  EXPECT_THAT(Judge(report).reason, HasSubstr("its cubin is not in the recording"));
}

TEST(Verdict, MissingCountersAreNamed) {
  findings::Report report = Empty();
  report.recordings[0].missing_counters = {"sectors"};
  EXPECT_EQ(Judge(report).reason, "a.rec lacks the counters sectors");
}

TEST(Verdict, WhatTheAgentCouldNotCollectIsExitCodeFour) {
  findings::Report report = Empty();
  report.recordings[0].losses.push_back({"could_not_collect", "CUPTI error 35", 1});
  EXPECT_EQ(Judge(report).outcome, Outcome::kCouldNotCollect);
  EXPECT_EQ(Judge(report).reason, "CUPTI error 35");
}

TEST(Verdict, DroppedRecordsAreNeverClean) {
  findings::Report report = WithAccess(false);
  report.recordings[0].dropped_records = 1;
  EXPECT_EQ(Judge(report).outcome, Outcome::kCouldNotCollect);
  EXPECT_THAT(Judge(report).reason, HasSubstr("dropped 1 instruction record,"));
}

}  // namespace
}  // namespace coalcheck::verdict
