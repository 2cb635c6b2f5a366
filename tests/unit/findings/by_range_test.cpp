// SPDX-License-Identifier: Apache-2.0
//
// Which windows make the findings of a range.
#include "libcoalcheck/findings/making/by_range.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>

#include "tests/unit/findings/fakes.h"

namespace coalcheck::findings {
namespace {

using cubin::AccessKind;
using ::testing::ElementsAre;
using ::testing::SizeIs;

// Windows of launches of kernel `k`, a load in /src/app/a.cu, made in `outer` (set 1), in both
// ranges (set 2), or in none (set 0).
class ByRange : public ::testing::Test {
 protected:
  ByRange() {
    code_.Add(kCubin, "k").accesses = {MakeAccess(16, AccessKind::kLoad, {{"k", kSource, 1}})};
    run_.range_sets = {{RangeSetId(1), {kOuter}}, {RangeSetId(2), {kOuter, kInner}}};
  }
  // Of one launch in each of `sets`; `sectors` where 4 would do.
  void Window(const std::vector<std::uint32_t>& sets, std::uint64_t sectors) {
    recording::Window window =
        MakeWindow(run_.windows.size() + 1, "k", {MakeRow(16, 1, sectors, 4)});
    window.inside.clear();
    for (const std::uint32_t set : sets) {
      window.inside.push_back({{"k", {}, {}, RangeSetId(set)}, Launches(1)});
    }
    run_.windows.push_back(window);
  }
  Report Grouped(std::size_t recordings = 1) {
    return GroupedReportOn(std::vector<recording::RecordedRun>(recordings, run_), code_, sources_);
  }
  // "name checked/launches sectors findings", in the order of the report.
  static std::vector<std::string> Rows(const Report& report) {
    std::vector<std::string> rows;
    for (const RangeGroup& group : report.by_range) {
      const auto findings = std::ranges::count_if(group.report.accesses, &Access::is_finding);
      rows.push_back((group.range ? group.range->name : "outside") + " " +
                     std::to_string(group.report.launches_checked.count()) + "/" +
                     std::to_string(group.report.launches.count()) + " " +
                     std::to_string(group.report.sectors.count()) + " " + std::to_string(findings));
    }
    return rows;
  }

  FakeCode code_;
  FakeSources sources_;
  recording::RecordedRun run_ = MakeRun();
};

TEST_F(ByRange, EachGroupHoldsTheCountsOfItsOwnWindowsOnly) {
  Window({1}, 32);
  Window({2}, 4);
  Window({0}, 8);
  const Report report = Grouped();
  EXPECT_THAT(Rows(report), ElementsAre("outer 2/2 36 1", "inner 1/1 4 0", "outside 1/1 8 1"));
  EXPECT_EQ(report.windows_in_no_group, 0U);
}

TEST_F(ByRange, LaunchesThatWereNotCountedAreThoseMadeInTheRange) {
  Window({2}, 32);
  run_.tallies = {{{"k", {}, {}, RangeSetId(2)}, Launches(50), Launches(1), {}},
                  {{"k", {}, {}, RangeSetId(0)}, Launches(7), Launches(0), {}}};
  const Report report = Grouped();
  EXPECT_THAT(Rows(report), ElementsAre("inner 1/50 32 1", "outer 1/50 32 1", "outside 0/7 0 0"));
  EXPECT_EQ(report.by_range[0].report.accesses[0].launches, Launches(50));
}

TEST_F(ByRange, AWindowOverSeveralRangesIsInTheirCommonOneOrInNone) {
  Window({1, 2}, 32);
  Window({0, 1}, 16);
  const Report report = Grouped();
  EXPECT_THAT(Rows(report), ElementsAre("outer 2/3 32 1", "inner 0/1 0 0", "outside 0/1 0 0"));
  EXPECT_EQ(report.windows_in_no_group, 1U);
}

TEST_F(ByRange, ASetThatWasNeverExplainedIsNeitherInARangeNorOutside) {
  Window({9}, 32);
  Window({}, 32);
  const Report report = Grouped();
  EXPECT_THAT(Rows(report), ElementsAre("outside 0/0 0 0"));
  EXPECT_EQ(report.windows_in_no_group, 2U);
}

TEST_F(ByRange, OneRangeOfSeveralRecordingsIsOneGroup) {
  Window({1}, 32);
  EXPECT_THAT(Rows(Grouped(2)), ElementsAre("outer 2/2 64 1", "outside 0/0 0 0"));
}

TEST_F(ByRange, WithoutRangesEverythingIsOutside) {
  run_.range_sets.clear();
  Window({0}, 32);
  EXPECT_THAT(Rows(Grouped()), ElementsAre("outside 1/1 32 1"));
}

TEST_F(ByRange, AThousandRangesAreTwentyGroupsTheMostWastefulFirst) {
  for (std::uint32_t i = 1; i <= 1000; ++i) {
    run_.range_sets.push_back({RangeSetId(i + 10), {{"", std::to_string(i), RangeKind::kPushPop}}});
    Window({i + 10}, 4 + i);
  }
  const Report report = Grouped();
  ASSERT_THAT(report.by_range, SizeIs(kMostGroups + 1));
  EXPECT_EQ(report.by_range[0].range->name, "1000");
  EXPECT_FALSE(report.by_range.back().range);
  EXPECT_EQ(report.windows_in_no_group, 980U);
}

// Else library code that the whole report does not judge would be found in some ranges.
TEST_F(ByRange, LongNamesLeaveRoomForFewerGroups) {
  // As many accesses as take a tenth of what groups may hold, each in a file with a long path.
  const std::string path = "/src/app/" + std::string(4000, 'p') + ".cu";
  const std::size_t accesses = kMostGroupedText / 10 / (2 * path.size());
  cubin::Function& kernel = code_.Add(kCubin, "long");
  kernel.accesses.clear();
  std::vector<recording::CountRow> rows;
  for (std::uint32_t i = 0; i < accesses; ++i) {
    kernel.accesses.push_back(MakeAccess(16 * i, AccessKind::kLoad, {{"k", path, i + 1}}));
    rows.push_back(MakeRow(16 * i, 1, 32, 4));
  }
  for (std::uint32_t i = 1; i <= kMostGroups; ++i) {
    run_.range_sets.push_back({RangeSetId(i + 10), {{"", std::to_string(i), RangeKind::kPushPop}}});
    Window({i + 10}, 32);
    run_.windows.back().functions.front() = {kCubin, "long", rows};
  }
  const Report report = Grouped();
  EXPECT_LT(report.by_range.size(), 12U);
  EXPECT_GT(report.by_range.size(), 4U);
}

TEST_F(ByRange, AGroupWithoutTheUsersCodeStaysInTheScopeOfTheReport) {
  code_.Add(kCubin, "bare").accesses = {MakeAccess(16, AccessKind::kLoad, {})};
  Window({0}, 32);
  run_.windows.push_back(MakeWindow(9, "bare", {MakeRow(16, 1, 32, 4)}));
  run_.windows.back().inside[0].shape.ranges = RangeSetId(1);
  EXPECT_THAT(Rows(Grouped()), ElementsAre("outer 1/1 32 0", "outside 1/1 32 1"));
}

}  // namespace
}  // namespace coalcheck::findings
