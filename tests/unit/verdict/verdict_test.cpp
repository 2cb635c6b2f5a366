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
  findings::Place& place = report.places.emplace_back();
  place.is_finding = is_finding;
  place.accesses = {0};
  place.counted = 1;
  report.launches = report.launches_checked = Launches(1);
  return report;
}

findings::Report Empty() {
  findings::Report report;
  findings::RecordingInfo& recording = report.recordings.emplace_back();
  recording.name = "a.rec";
  recording.end = recording::End{"exit", 1, {}};
  return report;
}

TEST(Verdict, OutcomesAreTheDocumentedExitCodes) {
  EXPECT_EQ(static_cast<int>(Outcome::kClean), 0);
  EXPECT_EQ(static_cast<int>(Outcome::kFindings), 1);
  EXPECT_EQ(static_cast<int>(Outcome::kNothingChecked), 3);
  EXPECT_EQ(static_cast<int>(Outcome::kCouldNotCollect), 4);
}

findings::KernelCoverage Seen(const char* kernel, Launches launches, Launches checked,
                              const recording::Skipped& skipped) {
  findings::KernelCoverage coverage;
  coverage.kernel = kernel;
  coverage.launches = launches;
  coverage.checked = checked;
  coverage.skipped = {skipped};
  return coverage;
}

TEST(Verdict, CleanNeedsACheckedAccess) {
  EXPECT_EQ(Judge(WithAccess(false)).outcome, Outcome::kClean);
  EXPECT_EQ(Judge(Empty()).outcome, Outcome::kNothingChecked);
}

TEST(Verdict, AnAccessWithoutLineInformationCountsAsChecked) {
  findings::Report report = WithAccess(false);
  findings::KernelCoverage& kernel = report.kernels.emplace_back();
  kernel.kernel = "k";
  kernel.launches = kernel.checked = Launches(1);
  kernel.lacks_lines = true;
  EXPECT_EQ(Judge(report).outcome, Outcome::kClean);
}

TEST(Verdict, LibraryCodeThatIsNotJudgedFailsNothing) {
  findings::Report report = WithAccess(false);
  findings::Access& library = report.accesses.emplace_back();
  library.counts.sectors = Sectors(32);
  library.in_scope = false;
  findings::Place& place = report.places.emplace_back();
  place.accesses = {1};
  place.counted = 1;
  place.counts = library.counts;
  place.in_scope = false;
  EXPECT_EQ(Judge(report).outcome, Outcome::kClean);
}

TEST(Verdict, AFindingWinsOverEverything) {
  findings::Report report = WithAccess(true);
  report.recordings[0].losses.push_back({"could_not_collect", "", 1});
  report.recordings[0].dropped_records = 3;
  EXPECT_EQ(Judge(report).outcome, Outcome::kFindings);
}

TEST(Verdict, WithoutAnEndNoLaunchIsNotTakenForNone) {
  findings::Report report = Empty();
  report.recordings[0].end.reset();
  EXPECT_THAT(Judge(report).reason, HasSubstr("no launch was recorded before a.rec ended without"));
  report.recordings[0].process_end = recording::ProcessEnd{0, recording::EndKind::kSignal, 11};
  report.recordings[0].progress = recording::Progress{3, 0, 0};
  EXPECT_EQ(Judge(report).reason,
            "no launch was recorded before a.rec was killed by SIGSEGV (3 launches seen)");
}

TEST(Verdict, WithoutAnEndADamagedProgressIsNeverClean) {
  findings::Report report = WithAccess(false);
  report.recordings[0].is_progress_damaged = true;
  report.recordings[0].end.emplace();
  EXPECT_EQ(Judge(report).outcome, Outcome::kClean) << "its end says what was written";
  report.recordings[0].end.reset();
  EXPECT_EQ(Judge(report).outcome, Outcome::kCouldNotCollect);
  EXPECT_THAT(Judge(report).reason, HasSubstr("its file progress is damaged"));
}

TEST(Verdict, ARecordingThatCouldNotBeReadIsNeverClean) {
  findings::Report report = WithAccess(false);
  report.unreadable = {{"b.rec", "it is empty"}};
  EXPECT_EQ(Judge(report).outcome, Outcome::kCouldNotCollect);
  EXPECT_EQ(Judge(report).reason, "b.rec could not be read: it is empty");
}

TEST(Verdict, TheProgramsOwnFailureWinsOverEveryVerdict) {
  const Verdict found = Judge(WithAccess(true));
  findings::Launch launch;
  EXPECT_EQ(Decide(launch, found).number, 1U);
  EXPECT_EQ(Decide(launch, found).decider, ShellSees::Decider::kVerdict);
  launch.exit_zero = true;
  EXPECT_EQ(Decide(launch, found).number, 0U);
  EXPECT_EQ(Decide(launch, found).decider, ShellSees::Decider::kExitZero);
  launch.end.number = 37;
  EXPECT_EQ(Decide(launch, found).number, 37U);
  EXPECT_EQ(Decide(launch, found).decider, ShellSees::Decider::kProgram);
  launch.end.kind = recording::EndKind::kSignal;
  EXPECT_EQ(Decide(launch, found).kind, recording::EndKind::kSignal);
}

TEST(Verdict, NoLaunchSaysSo) {
  findings::Report report = Empty();
  EXPECT_EQ(Judge(report).reason, "no kernel was launched");
  report.recordings.clear();
  EXPECT_EQ(Judge(report).reason, "no process of the program made a recording");
}

TEST(Verdict, AReportThatCouldNotBeWrittenIsExitCode5UnlessTheProgramFailed) {
  findings::Launch launch;
  EXPECT_EQ(Decide(launch, {Outcome::kFindings, ""}, /*written=*/false).number, 5);
  launch.end.number = 37;
  EXPECT_EQ(Decide(launch, {Outcome::kFindings, ""}, /*written=*/false).number, 37);
}

TEST(Verdict, LaunchesThatWereNotCountedSayWhy) {
  findings::Report report = Empty();
  report.launches = Launches(12);
  report.kernels.push_back(Seen("k", Launches(12), {}, {"never_idle", Launches(12)}));
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

// One access is clean, and something else was not looked at.
void ExpectNotClean(const findings::Report& report, const std::string& reason) {
  EXPECT_EQ(Judge(report).outcome, Outcome::kCouldNotCollect);
  EXPECT_EQ(Judge(report).reason, reason);
}

TEST(Verdict, CountsThatCouldNotBeAttributedAreNeverClean) {
  findings::Report report = WithAccess(false);
  report.unattributed.push_back(
      {findings::UnattributedCause::kCubinMissing, "k", CubinId(1), "", 3, {}});
  EXPECT_EQ(Judge(report).outcome, Outcome::kClean) << "no sector, so no waste";
  report.unattributed[0].counts.sectors = Sectors(8);
  ExpectNotClean(report, "8 sectors of k not attributed: its cubin is not in the recording");
}

TEST(Verdict, LostWindowsAreNeverClean) {
  findings::Report report = WithAccess(false);
  report.recordings[0].losses.push_back({"unseen_graph", "", 3});
  EXPECT_EQ(Judge(report).outcome, Outcome::kClean) << "those launches were not counted";
  report.recordings[0].losses.push_back({"window_lost", "the context was destroyed", 2});
  ExpectNotClean(report, "a.rec lost 2 windows: the context was destroyed");
}

TEST(Verdict, CountedLaunchesWithoutAWindowAreNeverClean) {
  findings::Report report = WithAccess(false);
  report.kernels.push_back(Seen("k", Launches(9), Launches(1), {"sampling", Launches(8)}));
  EXPECT_EQ(Judge(report).outcome, Outcome::kClean);
  report.kernels.push_back(Seen("l", Launches(1), {}, {"window_lost", Launches(1)}));
  ExpectNotClean(report, "1 counted launch is in no window that was read");
}

TEST(Verdict, LinesThatMayHaveBeenWindowsAreNeverClean) {
  using recording::LineLoss;
  for (const LineLoss why : {LineLoss::kNotJson, LineLoss::kTooLong, LineLoss::kTooDeep,
                             LineLoss::kBadField, LineLoss::kDuplicateWindow}) {
    findings::Report report = WithAccess(false);
    report.recordings[0].lost_lines.push_back({why, 2, 17, ""});
    ExpectNotClean(report, "a.rec has 2 lines that could not be used: " +
                               std::string(ToString(why)) + " (line 17)");
  }
  findings::Report report = WithAccess(false);
  report.recordings[0].lost_lines.push_back({LineLoss::kUnknownRecord, 1, 17, ""});
  EXPECT_EQ(Judge(report).outcome, Outcome::kClean) << "a record of a newer tool is no window";
}

TEST(Verdict, ALastLineCutShortIsCleanOnlyWhereTheProgramWasKilled) {
  findings::Report report = WithAccess(false);
  report.recordings[0].lost_lines.push_back({recording::LineLoss::kCutShort, 1, 17, ""});
  EXPECT_EQ(Judge(report).outcome, Outcome::kClean);
  report.recordings[0].end = recording::End{"exit", 1, {}};
  EXPECT_EQ(Judge(report).outcome, Outcome::kCouldNotCollect);
}

TEST(Verdict, ARecordingThatWasNotUsedIsNeverCleanBesideOneThatWas) {
  findings::Report report = WithAccess(false);
  report.recordings.emplace_back().name = "b.rec";
  report.recordings[1].missing_counters = {"sectors", "ideal_sectors"};
  ExpectNotClean(report, "b.rec lacks the counters sectors and ideal_sectors");
}

TEST(Verdict, TooFewLaunchesAreNeverCleanAndFindingsStay) {
  findings::Report report = WithAccess(false);
  report.min_launches = Launches(2);
  EXPECT_EQ(Judge(report).outcome, Outcome::kNothingChecked);
  report.launches_checked = Launches(2);
  EXPECT_EQ(Judge(report).outcome, Outcome::kClean);
  report = WithAccess(true);
  report.min_launches = Launches(2);
  EXPECT_EQ(Judge(report).outcome, Outcome::kFindings);
}

TEST(Verdict, OnlyWhatCouldNotBeCollectedAtAllIsTolerated) {
  findings::Report report = Empty();
  report.allow_unavailable = true;
  EXPECT_EQ(ExitCode(Judge(report)), 3);
  report.recordings[0].losses.push_back({"could_not_collect", "no permission", 1});
  EXPECT_EQ(Judge(report).outcome, Outcome::kCouldNotCollect);
  EXPECT_EQ(ExitCode(Judge(report)), 0);
  EXPECT_EQ(Decide(findings::Launch{}, Judge(report)).number, 0U);
  report = WithAccess(false);
  report.allow_unavailable = true;
  report.recordings[0].dropped_records = 3;
  EXPECT_EQ(ExitCode(Judge(report)), 4);
}

TEST(Verdict, LossesOfARunThatDidCountAreNotToleratedForAnotherThatCouldNot) {
  findings::Report report = WithAccess(false);
  report.allow_unavailable = true;
  report.recordings.emplace_back().losses = {{"could_not_collect", "no permission", 1, {}}};
  EXPECT_FALSE(IsUnavailable(report));
  EXPECT_EQ(ExitCode(Judge(report)), 4) << "some was counted";
  report.recordings[0].losses.push_back({"window_lost", "", 7});
  EXPECT_EQ(Judge(report).reason, "a.rec lost 7 windows");
  EXPECT_TRUE(Judge(report).in_part);
  report = Empty();
  report.allow_unavailable = true;
  report.recordings[0].losses = {{"could_not_collect", "no permission", 1, {}}};
  EXPECT_TRUE(IsUnavailable(report));
  report.recordings[0].losses.push_back({"window_lost", "", 7});
  EXPECT_FALSE(IsUnavailable(report));
  EXPECT_EQ(ExitCode(Judge(report)), 4) << "nothing of what was counted can be read";
}

TEST(Verdict, ARunWithoutTheCountersToJudgeByIsNotComplete) {
  findings::Report report = WithAccess(true);
  EXPECT_EQ(WhyIncomplete(report), "");
  report.recordings[0].missing_counters = {"sectors"};
  EXPECT_EQ(WhyIncomplete(report), "a.rec lacks the counters sectors");
}

}  // namespace
}  // namespace coalcheck::verdict
