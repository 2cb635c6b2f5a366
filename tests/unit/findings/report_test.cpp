// SPDX-License-Identifier: Apache-2.0
//
// Judgement, order, coverage and several recordings in one report.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "libcoalcheck/findings/words/words.h"
#include "libcoalcheck/recording/skip_reasons.h"
#include "tests/unit/findings/fakes.h"

namespace coalcheck::findings {
namespace {

using cubin::AccessKind;
using ::testing::ElementsAre;
using ::testing::IsEmpty;
using ::testing::SizeIs;

class ReportTest : public ::testing::Test {
 protected:
  ReportTest() {
    code_.Add(kCubin, "k").accesses = {MakeAccess(16, AccessKind::kLoad, {{"k", kSource, 5}}),
                                       MakeAccess(32, AccessKind::kStore, {{"k", kSource, 6}})};
  }

  // One window with a load of that many sectors and ideal sectors.
  bool IsFinding(std::uint64_t sectors, std::uint64_t ideal, double min_wasted_share) {
    recording::RecordedRun run = MakeRun();
    run.windows = {MakeWindow(1, "k", {MakeRow(16, 1, sectors, ideal)})};
    return ReportOn({run}, code_, sources_, {}, min_wasted_share).accesses[0].is_finding;
  }

  FakeCode code_;
  FakeSources sources_;
};

TEST_F(ReportTest, AShareOfExactlyTheMinimumIsAFinding) {
  EXPECT_TRUE(IsFinding(10, 9, 0.1));
  EXPECT_FALSE(IsFinding(1000, 901, 0.1));
  EXPECT_TRUE(IsFinding(5, 4, 0.2));
}

TEST_F(ReportTest, NoWasteIsNoFindingWhateverTheMinimum) {
  EXPECT_FALSE(IsFinding(4, 4, 0));
  EXPECT_FALSE(IsFinding(4, 8, 0)) << "more ideal than real sectors are no waste";
  EXPECT_TRUE(IsFinding(1000, 999, 0));
}

TEST_F(ReportTest, ReasonsBeyondTheMostAreSummed) {
  recording::RecordedRun run = MakeRun();
  for (std::uint64_t i = 0; i < 100; ++i) {
    run.tallies.push_back({{"k" + std::to_string(i), {}, {}},
                           Launches(1),
                           Launches(0),
                           {{"r" + std::to_string(i), Launches(1)}, {"r0", Launches(1)}}});
  }
  const std::vector<recording::Skipped> all = words::SkippedInAll(ReportOn({run}, code_, sources_));
  ASSERT_EQ(all.size(), 65U);
  EXPECT_EQ(all[0].reason, "r0");
  EXPECT_EQ(all[0].launches, Launches(101));
  EXPECT_EQ(all[1].reason, ToString(recording::Skip::kOther));
  EXPECT_EQ(all[1].launches, Launches(36));
}

TEST_F(ReportTest, ReasonsThatTheAgentHasAreKeptBesideAnyNumberOfOthers) {
  const std::string lost(ToString(recording::Skip::kWindowLost));
  recording::RecordedRun run = MakeRun();
  for (std::uint64_t i = 0; i < 100; ++i) {
    const std::string reason = i == 99 ? lost : "r" + std::to_string(i);
    run.tallies.push_back({{"k", {}, {}}, Launches(1), Launches(0), {{reason, Launches(1)}}});
  }
  EXPECT_THAT(words::SkippedInAll(ReportOn({run}, code_, sources_)),
              ::testing::Contains(::testing::Field(&recording::Skipped::reason, lost)));
}

TEST_F(ReportTest, AccessesBeyondThoseThatAReportHoldsAreCountedAsSuch) {
  cubin::Function& function = code_.Add(kCubin, "many");
  recording::RecordedRun run = MakeRun();
  std::vector<recording::CountRow> rows;
  for (std::uint32_t i = 0; i < 25'010; ++i) {
    function.accesses.push_back(MakeAccess(16 * i, AccessKind::kLoad, {}));
    rows.push_back(MakeRow(16 * i, 1, 8, 4));
  }
  run.windows = {MakeWindow(1, "many", std::move(rows))};
  const Report report = ReportOn({run}, code_, sources_);
  EXPECT_THAT(report.accesses, SizeIs(25'000));
  ASSERT_THAT(report.unattributed, SizeIs(1));
  EXPECT_EQ(report.unattributed[0].instructions, 10U);
}

// 140 accesses of a megabyte each.
TEST_F(ReportTest, ChainsLongerThanAReportCanHoldAreNotTakenOver) {
  const std::string path(4000, 'p');
  cubin::Function& function = code_.Add(kCubin, "long");
  recording::RecordedRun run = MakeRun();
  std::vector<recording::CountRow> rows;
  for (std::uint32_t i = 0; i < 140; ++i) {
    std::vector<cubin::SourceFrame> frames(256, {"long", path, i + 1});
    function.accesses.push_back(MakeAccess(16 * i, AccessKind::kLoad, std::move(frames)));
    rows.push_back(MakeRow(16 * i, 1, 8, 4));
  }
  run.windows = {MakeWindow(1, "long", std::move(rows))};
  const Report report = ReportOn({run}, code_, sources_);
  EXPECT_LT(report.accesses.size(), 140U);
  ASSERT_THAT(report.unattributed, SizeIs(1));
  EXPECT_EQ(report.unattributed[0].instructions, 140U - report.accesses.size());
  EXPECT_EQ(report.unattributed[0].detail, "a report holds no more accesses");
}

TEST_F(ReportTest, TheMostWastefulComesFirst) {
  recording::RecordedRun run = MakeRun();
  run.windows = {MakeWindow(1, "k", {MakeRow(16, 1, 8, 4), MakeRow(32, 1, 32, 4)})};
  const Report report = ReportOn({run}, code_, sources_);
  EXPECT_EQ(report.accesses[0].kind, AccessKind::kStore);
  EXPECT_EQ(report.accesses[1].kind, AccessKind::kLoad);
}

TEST_F(ReportTest, WindowsOfOneAccessAreSummed) {
  recording::RecordedRun run = MakeRun();
  run.windows = {MakeWindow(1, "k", {MakeRow(16, 1, 8, 4)}),
                 MakeWindow(2, "k", {MakeRow(16, 3, 4, 4)})};
  const Report report = ReportOn({run}, code_, sources_);
  ASSERT_THAT(report.accesses, SizeIs(1));
  EXPECT_THAT(report.accesses[0].instructions, SizeIs(1));
  EXPECT_EQ(report.accesses[0].counts.sectors, Sectors(20));
  EXPECT_EQ(report.accesses[0].windows, 2U);
  EXPECT_EQ(report.launches_checked, Launches(2));
}

TEST_F(ReportTest, RecordingsOfSeveralRanksAreSummedAndNamed) {
  recording::RecordedRun rank = MakeRun();
  rank.windows = {MakeWindow(1, "k", {MakeRow(16, 1, 8, 4)})};
  rank.tallies = {{{"k", {}, {}}, Launches(100), Launches(1), {{"sampling", Launches(99)}}}};
  const Report report = ReportOn({rank, rank}, code_, sources_);
  ASSERT_THAT(report.accesses, SizeIs(1));
  EXPECT_EQ(report.accesses[0].counts.sectors, Sectors(16));
  EXPECT_EQ(report.accesses[0].launches, Launches(200));
  EXPECT_EQ(report.accesses[0].launches_checked, Launches(2));
  ASSERT_THAT(report.recordings, SizeIs(2));
  EXPECT_EQ(report.recordings[1].name, "rank1");
  ASSERT_THAT(report.kernels, SizeIs(1));
  ASSERT_THAT(report.kernels[0].skipped, SizeIs(1));
  EXPECT_EQ(report.kernels[0].skipped[0].launches, Launches(198));
}

// CUPTI may leave a kernel unpatched: what brought no counts must not pass for clean in silence.
TEST_F(ReportTest, AKernelInsideAWindowWithoutACountIsNamed) {
  recording::RecordedRun run = MakeRun();
  run.windows = {MakeWindow(1, "k", {MakeRow(16, 1, 4, 4)}), MakeWindow(2, "silent", {})};
  run.windows[1].inside = {{{"silent", {}, {}}, Launches(1)}};
  const Report report = ReportOn({run}, code_, sources_);
  ASSERT_THAT(report.kernels, SizeIs(2));
  EXPECT_EQ(report.kernels[0].kernel, "k");
  EXPECT_FALSE(report.kernels[0].counted_nothing);
  EXPECT_EQ(report.kernels[1].kernel, "silent");
  EXPECT_TRUE(report.kernels[1].counted_nothing);
}

TEST_F(ReportTest, ATallyOlderThanItsWindowsDoesNotHideLaunches) {
  recording::RecordedRun run = MakeRun();
  run.windows = {MakeWindow(1, "k", {MakeRow(16, 1, 4, 4)}),
                 MakeWindow(2, "k", {MakeRow(16, 1, 4, 4)})};
  run.tallies = {{{"k", {}, {}}, Launches(1), Launches(1), {}}};
  const Report report = ReportOn({run}, code_, sources_);
  EXPECT_EQ(report.launches, Launches(2));
  EXPECT_EQ(report.launches_checked, Launches(2));
}

TEST_F(ReportTest, CountedLaunchesWhoseWindowWasLostAreNamed) {
  recording::RecordedRun run = MakeRun();
  run.windows = {MakeWindow(1, "k", {MakeRow(16, 1, 4, 4)})};
  run.tallies = {{{"k", {}, {}}, Launches(9), Launches(3), {{"sampling", Launches(6)}}},
                 {{"gone", {}, {}}, Launches(1), Launches(1), {}}};
  const Report report = ReportOn({run}, code_, sources_);
  EXPECT_EQ(report.launches, Launches(10));
  EXPECT_EQ(report.launches_checked, Launches(1));
  for (const KernelCoverage& kernel : report.kernels) {
    Launches accounted = kernel.checked;
    for (const recording::Skipped& skipped : kernel.skipped) accounted += skipped.launches;
    EXPECT_EQ(accounted, kernel.launches) << kernel.kernel;
    ASSERT_FALSE(kernel.skipped.empty());
    EXPECT_EQ(kernel.skipped.back().reason, "window_lost");
  }
}

TEST_F(ReportTest, ARecordingWithoutTheSectorPairIsNotUsedAndSaysSo) {
  recording::RecordedRun run = MakeRun();
  run.header.counters = {"requests", "sectors"};
  run.windows = {MakeWindow(1, "k", {{PcOffset(16), {1, 8}}})};
  const Report report = ReportOn({run}, code_, sources_);
  EXPECT_THAT(report.accesses, IsEmpty());
  EXPECT_THAT(report.recordings[0].missing_counters, ElementsAre("ideal_sectors"));
}

TEST_F(ReportTest, ARecordingOfTheSectorPairAloneIsEnough) {
  recording::RecordedRun run = MakeRun();
  run.header.counters = {"ideal_sectors", "sectors"};
  run.windows = {MakeWindow(1, "k", {{PcOffset(16), {4, 32}}})};
  const Report report = ReportOn({run}, code_, sources_);
  ASSERT_THAT(report.accesses, SizeIs(1));
  EXPECT_EQ(report.accesses[0].counts.sectors, Sectors(32));
  EXPECT_EQ(report.accesses[0].counts.ideal, Sectors(4));
  EXPECT_FALSE(report.present.requests);
  EXPECT_FALSE(report.present.lanes);
  EXPECT_FALSE(report.present.lines);
}

TEST_F(ReportTest, CountersOfANewerToolAreIgnored) {
  recording::RecordedRun run = MakeRun();
  run.header.counters = {"new", "sectors", "ideal_sectors"};
  run.windows = {MakeWindow(1, "k", {{PcOffset(16), {77, 32, 4}}})};
  EXPECT_EQ(ReportOn({run}, code_, sources_).accesses[0].counts.sectors, Sectors(32));
}

TEST_F(ReportTest, InstantiationsStayApartInTheDataAndAreOnePlace) {
  const char* kFloat = "_Z4copyIfEvPT_";
  const char* kDouble = "_Z4copyIdEvPT_";
  for (const char* name : {kFloat, kDouble}) {
    code_.Add(kCubin, name).accesses = {
        MakeAccess(16, AccessKind::kLoad, {{name, "/src/app/copy.h", 9}})};
  }
  recording::RecordedRun run = MakeRun();
  run.windows = {MakeWindow(1, kFloat, {MakeRow(16, 1, 32, 4)}),
                 MakeWindow(2, kDouble, {MakeRow(16, 1, 8, 8)}),
                 MakeWindow(3, "k", {MakeRow(16, 1, 4, 4)})};
  const Report report = ReportOn({run}, code_, sources_);
  EXPECT_THAT(report.accesses, SizeIs(3));
  ASSERT_THAT(report.places, SizeIs(2));
  EXPECT_TRUE(report.places[0].is_finding);
  EXPECT_THAT(report.places[0].accesses, SizeIs(2));
  EXPECT_EQ(report.places[0].counted, 1U) << "the clean instantiation is no part of the waste";
  EXPECT_EQ(report.places[0].counts.sectors, Sectors(32));
}

TEST_F(ReportTest, TwoKernelsThatInlineOneLineAreTwoPlaces) {
  for (const char* name : {"_Z1aPf", "_Z1bPf"}) {
    code_.Add(kCubin, name).accesses = {
        MakeAccess(16, AccessKind::kLoad, {{"f", "/src/app/f.h", 9}})};
  }
  recording::RecordedRun run = MakeRun();
  run.windows = {MakeWindow(1, "_Z1aPf", {MakeRow(16, 1, 32, 4)}),
                 MakeWindow(2, "_Z1bPf", {MakeRow(16, 1, 32, 4)})};
  EXPECT_THAT(ReportOn({run}, code_, sources_).places, SizeIs(2));
}

}  // namespace
}  // namespace coalcheck::findings
