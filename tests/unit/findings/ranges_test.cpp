// SPDX-License-Identifier: Apache-2.0
//
// Which launches and sectors belong to a range.
#include "libcoalcheck/findings/sums/ranges.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>

#include "tests/support/linear_time.h"
#include "tests/unit/findings/fakes.h"

namespace coalcheck::findings {
namespace {

using ::testing::ElementsAre;

// Launches made in `outer` (set 1), in both (set 2), or in none (set 0).
class Ranges : public ::testing::Test {
 protected:
  Ranges() { run_.range_sets = {{RangeSetId(1), {kOuter}}, {RangeSetId(2), {kOuter, kInner}}}; }

  recording::LaunchShape In(std::uint32_t set) { return {"kernel", {}, {}, RangeSetId(set)}; }
  void Tally(std::uint32_t set, std::uint64_t launches) {
    run_.tallies.push_back({In(set), Launches(launches), Launches(0), {}});
  }
  // Of one launch in each of `sets`; 10 sectors where 4 would do.
  void Window(const std::vector<std::uint32_t>& sets) {
    recording::Window window;
    for (const std::uint32_t set : sets) window.inside.push_back({In(set), Launches(1)});
    window.functions = {{CubinId(1), "kernel", {{PcOffset(16), {10, 4}}}}};
    run_.windows.push_back(window);
  }
  // "name launches checked windows sectors", most wasted first.
  std::vector<std::string> Rows() {
    std::map<OpenRange, RangeCoverage> ranges;
    AddRanges(run_, {0, 1}, ranges);
    std::vector<std::string> rows;
    for (const RangeCoverage& one : Sorted(ranges)) {
      rows.push_back(one.range.name + " " + std::to_string(one.launches.count()) + " " +
                     std::to_string(one.checked.count()) + " " + std::to_string(one.windows) + " " +
                     std::to_string(one.sectors.count()));
    }
    return rows;
  }

  recording::RecordedRun run_;
};

TEST_F(Ranges, ALaunchBelongsToEveryRangeItWasMadeIn) {
  Tally(0, 5);
  Tally(1, 20);
  Tally(2, 3);
  Window({2});
  Window({1});
  EXPECT_THAT(Rows(), ElementsAre("outer 23 2 2 20", "inner 3 1 1 10"));
}

TEST_F(Ranges, AWindowOverSeveralRangesCountsForThoseThatAllItsLaunchesShare) {
  Tally(1, 1);
  Tally(2, 1);
  Window({1, 2});
  EXPECT_THAT(Rows(), ElementsAre("outer 2 2 1 10", "inner 1 1 0 0"));
}

TEST_F(Ranges, AWindowWithALaunchOutsideEveryRangeCountsForNone) {
  Tally(1, 1);
  Window({0, 1});
  EXPECT_THAT(Rows(), ElementsAre("outer 1 1 0 0"));
}

TEST_F(Ranges, LaunchesWithoutATallyAreThoseInsideWindows) {
  Window({1});
  EXPECT_THAT(Rows(), ElementsAre("outer 1 1 1 10"));
}

TEST_F(Ranges, OfASetThatWasNeverExplainedNothingIsSaid) {
  Tally(9, 4);
  Window({9});
  EXPECT_THAT(Rows(), ElementsAre());
}

TEST_F(Ranges, LongNamesAreNotCopiedForEachWindow) {
  const auto seconds = [this](std::size_t length) {
    run_ = {};
    recording::RangeSet& set = run_.range_sets.emplace_back();
    set.ranges = RangeSetId(1);
    for (int i = 0; i < 64; ++i) {
      set.open.push_back({"", std::string(length, 'x') + std::to_string(i), RangeKind::kPushPop});
    }
    for (int i = 0; i < 4000; ++i) Window({1});
    return support::SecondsOf([this](std::size_t) { EXPECT_EQ(Rows().size(), 64U); }, 0);
  };
  const double of_short = std::max(seconds(1), 0.01);
  EXPECT_LT(seconds(20'000), 30 * of_short);  // 200 times where they were copied
}

}  // namespace
}  // namespace coalcheck::findings
