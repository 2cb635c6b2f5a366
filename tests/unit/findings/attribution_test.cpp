// SPDX-License-Identifier: Apache-2.0
//
// What is one access and what is two, on machine code made by hand.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/unit/findings/fakes.h"

namespace coalcheck::findings {
namespace {

using cubin::AccessKind;
using ::testing::IsEmpty;
using ::testing::SizeIs;

class AttributionTest : public ::testing::Test {
 protected:
  // A report on one window of kernel "k" in which each of `pcs` made 10 wasteful requests.
  Report Counted(std::initializer_list<std::uint32_t> pcs) {
    std::vector<recording::CountRow> rows;
    for (const std::uint32_t pc : pcs) rows.push_back(MakeRow(pc, 10, 32, 4));
    recording::RecordedRun run = MakeRun();
    run.windows = {MakeWindow(1, "k", std::move(rows))};
    return ReportOn({run}, code_, sources_);
  }

  FakeCode code_;
  FakeSources sources_;
};

TEST_F(AttributionTest, TheInstructionsOfAnUnrolledLoopAreOneAccess) {
  code_.Add(kCubin, "k").accesses = {MakeAccess(16, AccessKind::kLoad, {{"k", kSource, 5}}),
                                     MakeAccess(32, AccessKind::kLoad, {{"k", kSource, 5}})};
  const Report report = Counted({16, 32});
  ASSERT_THAT(report.accesses, SizeIs(1));
  EXPECT_THAT(report.accesses[0].instructions, SizeIs(2));
  EXPECT_EQ(report.accesses[0].counts.requests, Requests(20));
  EXPECT_EQ(report.accesses[0].counts.lanes, Lanes(640));
  EXPECT_EQ(report.accesses[0].counts.sectors, Sectors(640));
  EXPECT_EQ(report.accesses[0].counts.ideal, Sectors(80));
  EXPECT_EQ(report.accesses[0].counts.lines, CacheLines(640));
  EXPECT_EQ(report.accesses[0].shown, (Frame{"k", kSource, 5}));
}

TEST_F(AttributionTest, TwoCallSitesOfAnInlinedHelperStayTwo) {
  const cubin::SourceFrame helper{"helper", "/src/app/helper.h", 3};
  code_.Add(kCubin, "k").accesses = {
      MakeAccess(16, AccessKind::kLoad, {helper, {"k", kSource, 5}}),
      MakeAccess(32, AccessKind::kLoad, {helper, {"k", kSource, 6}})};
  const Report report = Counted({16, 32});
  EXPECT_THAT(report.accesses, SizeIs(2));
  EXPECT_THAT(report.places, SizeIs(2));
  EXPECT_EQ(report.accesses[0].shown->file, "/src/app/helper.h");
}

TEST_F(AttributionTest, ALineWithALoadAndAStoreIsTwo) {
  code_.Add(kCubin, "k").accesses = {MakeAccess(16, AccessKind::kLoad, {{"k", kSource, 5}}),
                                     MakeAccess(32, AccessKind::kStore, {{"k", kSource, 5}})};
  EXPECT_THAT(Counted({16, 32}).accesses, SizeIs(2));
}

TEST_F(AttributionTest, TwoFilesWithTheSameLineNumberNeverMerge) {
  code_.Add(kCubin, "k").accesses = {MakeAccess(16, AccessKind::kLoad, {{"f", "/src/app/a.h", 5}}),
                                     MakeAccess(32, AccessKind::kLoad, {{"f", "/src/app/b.h", 5}})};
  const Report report = Counted({16, 32});
  EXPECT_THAT(report.accesses, SizeIs(2));
  EXPECT_THAT(report.places, SizeIs(2));
}

TEST_F(AttributionTest, TheSameKernelInTwoCubinsIsOneAccess) {
  const CubinId other{0xC1};
  code_.Add(kCubin, "k").accesses = {MakeAccess(16, AccessKind::kLoad, {{"k", kSource, 5}})};
  code_.Add(other, "k").accesses = {MakeAccess(48, AccessKind::kLoad, {{"k", kSource, 5}})};
  recording::RecordedRun run = MakeRun();
  run.windows = {MakeWindow(1, "k", {MakeRow(16, 1, 4, 4)}),
                 MakeWindow(2, "k", {MakeRow(48, 1, 4, 4)}, other)};
  const Report report = ReportOn({run}, code_, sources_);
  ASSERT_THAT(report.accesses, SizeIs(1));
  EXPECT_EQ(report.accesses[0].instructions[0].cubin, kCubin);
  EXPECT_EQ(report.accesses[0].instructions[1].cubin, other);
  EXPECT_EQ(report.accesses[0].windows, 2U);
  EXPECT_EQ(report.accesses[0].launches_checked, Launches(2));
}

TEST_F(AttributionTest, WithoutLineInformationEachInstructionIsAnAccess) {
  cubin::Function& function = code_.Add(kCubin, "k");
  function.has_lines = false;
  function.accesses = {MakeAccess(16, AccessKind::kLoad, {}),
                       MakeAccess(32, AccessKind::kLoad, {})};
  const Report report = Counted({16, 32});
  ASSERT_THAT(report.accesses, SizeIs(2));
  EXPECT_FALSE(report.accesses[0].shown.has_value());
  ASSERT_THAT(report.kernels, SizeIs(1));
  EXPECT_TRUE(report.kernels[0].lacks_lines);
  EXPECT_THAT(report.unattributed, IsEmpty());
}

TEST_F(AttributionTest, AnAsyncCopyTakesItsOwnCounters) {
  code_.Add(kCubin, "k").accesses = {MakeAccess(16, AccessKind::kAsyncCopy, {{"k", kSource, 5}}),
                                     MakeAccess(32, AccessKind::kLoad, {{"k", kSource, 6}})};
  recording::RecordedRun run = MakeRun();
  run.windows = {MakeWindow(
      1, "k",
      {{PcOffset(16), {0, 0, 7, 200, 28, 28, 7}}, {PcOffset(32), {9, 288, 0, 0, 36, 36, 9}}})};
  const Report report = ReportOn({run}, code_, sources_);
  ASSERT_THAT(report.accesses, SizeIs(2));
  for (const Access& access : report.accesses) {
    const bool async = access.kind == AccessKind::kAsyncCopy;
    EXPECT_EQ(access.counts.requests, Requests(async ? 7 : 9));
    EXPECT_EQ(access.counts.lanes, Lanes(async ? 200 : 288));
  }
}

TEST_F(AttributionTest, TheLineShownIsTheInnermostUnderTheRoot) {
  code_.Add(kCubin, "k").accesses = {MakeAccess(
      16, AccessKind::kLoad,
      {{"ldg", "/usr/include/cuda/x.h", 152}, {"f", "/src/app/f.h", 7}, {"k", kSource, 5}})};
  const Report report = Counted({16});
  EXPECT_EQ(report.accesses[0].shown, (Frame{"f", "/src/app/f.h", 7}));
  EXPECT_THAT(report.accesses[0].chain, SizeIs(3));
}

TEST_F(AttributionTest, TwoSpellingsOfAFileAreOneFile) {
  code_.Add(kCubin, "k").accesses = {
      MakeAccess(16, AccessKind::kLoad, {{"k", "/src/./app//a.cu", 5}}),
      MakeAccess(32, AccessKind::kLoad, {{"k", "/src/app/a.cu", 5}})};
  recording::RecordedRun run = MakeRun();
  run.windows = {MakeWindow(1, "k", {MakeRow(16, 1, 8, 4), MakeRow(32, 1, 8, 4)})};
  const Report report = ReportOn({run}, code_, sources_);
  ASSERT_EQ(report.accesses.size(), 1U);
  EXPECT_EQ(report.accesses[0].shown->file, "/src/app/a.cu");
  EXPECT_EQ(report.accesses[0].counts.sectors, Sectors(16));
}

TEST_F(AttributionTest, ThePathMapDecidesWhatIsUnderTheRoot) {
  code_.Add(kCubin, "k").accesses = {
      MakeAccess(16, AccessKind::kLoad, {{"f", "/build/box/f.h", 7}, {"k", "/elsewhere/k.cu", 5}})};
  recording::RecordedRun run = MakeRun();
  run.windows = {MakeWindow(1, "k", {MakeRow(16, 1, 4, 4)})};
  PathMap map;
  map.Add("/elsewhere/", "/src/app");
  const Report report = ReportOn({run}, code_, sources_, map);
  EXPECT_EQ(report.accesses[0].shown, (Frame{"k", "/src/app/k.cu", 5}));
}

TEST_F(AttributionTest, ALinePastTheEndOfAReadableFileIsDropped) {
  sources_.files["/src/app/f.h"] = {"one", "two"};
  code_.Add(kCubin, "k").accesses = {
      MakeAccess(16, AccessKind::kLoad, {{"f", "/src/app/f.h", 3}, {"k", kSource, 5}})};
  const Report report = Counted({16});
  EXPECT_EQ(report.accesses[0].shown->file, kSource);
  EXPECT_THAT(report.accesses[0].chain, SizeIs(1));
}

TEST_F(AttributionTest, EveryReasonForNotKnowingHasItsOwnRow) {
  code_.Add(kCubin, "k").accesses = {MakeAccess(16, AccessKind::kLoad, {{"k", kSource, 5}})};
  code_.Refuse(CubinId(1), UnattributedCause::kCubinMissing);
  code_.Refuse(CubinId(2), UnattributedCause::kCubinAltered, "its content is of 00");
  code_.Refuse(CubinId(3), UnattributedCause::kCubinUnreadable, "no ELF file");
  recording::RecordedRun run = MakeRun();
  const std::vector<recording::CountRow> rows = {MakeRow(16, 1, 4, 4), MakeRow(32, 1, 8, 4)};
  run.windows = {MakeWindow(1, "k", rows, std::nullopt), MakeWindow(2, "k", rows, CubinId(1)),
                 MakeWindow(3, "k", rows, CubinId(2)),   MakeWindow(4, "k", rows, CubinId(3)),
                 MakeWindow(5, "gone", rows, kCubin),    MakeWindow(6, "k", rows, kCubin)};
  const Report report = ReportOn({run}, code_, sources_);
  ASSERT_THAT(report.unattributed, SizeIs(6));
  std::map<UnattributedCause, const Unattributed*> rows_by_cause;
  for (const Unattributed& row : report.unattributed) rows_by_cause[row.cause] = &row;
  EXPECT_THAT(rows_by_cause, SizeIs(6));
  EXPECT_EQ(rows_by_cause[UnattributedCause::kCubinUnknown]->counts.sectors, Sectors(12));
  EXPECT_EQ(rows_by_cause[UnattributedCause::kCubinAltered]->detail, "its content is of 00");
  const Unattributed& stray = *rows_by_cause[UnattributedCause::kNoGlobalAccess];
  EXPECT_EQ(stray.instructions, 1U);
  EXPECT_EQ(stray.counts.sectors, Sectors(8));
  ASSERT_THAT(report.accesses, SizeIs(1));
  EXPECT_EQ(report.accesses[0].counts.sectors, Sectors(4));
}

TEST_F(AttributionTest, AFunctionThatIsNoKernelRestsOnAllLaunchesOfItsWindows) {
  cubin::Function& helper = code_.Add(kCubin, "_Z6helperPKfl$1");
  helper.is_kernel = false;
  helper.accesses = {MakeAccess(16, AccessKind::kLoad, {{"h", kSource, 5}})};
  recording::RecordedRun run = MakeRun();
  run.windows = {MakeWindow(1, "k", {})};
  run.windows[0].inside[0].launches = Launches(3);
  run.windows[0].functions = {{kCubin, "_Z6helperPKfl$1", {MakeRow(16, 1, 4, 4)}}};
  const Report report = ReportOn({run}, code_, sources_);
  EXPECT_EQ(report.accesses[0].launches_checked, Launches(3));
  EXPECT_FALSE(report.accesses[0].is_kernel);
}

}  // namespace
}  // namespace coalcheck::findings
