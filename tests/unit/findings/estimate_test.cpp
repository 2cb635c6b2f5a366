// SPDX-License-Identifier: Apache-2.0
//
// What is said of launches that were not counted, and that no count is made of it.
#include "libcoalcheck/findings/places/estimate.h"

#include <gtest/gtest.h>

#include "tests/unit/findings/fakes.h"

namespace coalcheck::findings {
namespace {

// A kernel whose store wastes 4 sectors in each of 10 requests, counted in one launch.
class EstimateTest : public ::testing::Test {
 protected:
  EstimateTest() {
    code_.Add(kCubin, "copy").accesses = {
        MakeAccess(16, cubin::AccessKind::kStore, {{"copy", kSource, 2}})};
    run_.windows = {MakeWindow(1, "copy", {MakeRow(16, 10, 8, 4)})};
    run_.windows[0].inside[0].shape.grid = {4, 1, 1};
  }
  void Launched(std::uint32_t blocks, std::uint64_t launches, std::uint64_t counted) {
    run_.tallies.push_back(
        {{"copy", {blocks, 1, 1}, {}}, Launches(launches), Launches(counted), {}});
  }
  Report Make() { return ReportOn({run_}, code_, sources_); }

  FakeCode code_;
  FakeSources sources_;
  recording::RecordedRun run_ = MakeRun();
};

TEST_F(EstimateTest, WhereEveryLaunchWasCheckedNothingIsEstimated) {
  Launched(4, 1, 1);
  const Report report = Make();
  EXPECT_FALSE(EstimateOf(report.accesses[0]));
  EXPECT_FALSE(EstimateOf(report, report.places[0]));
}

TEST_F(EstimateTest, AlikeLaunchesCountAlike) {
  Launched(4, 25, 1);
  const Report report = Make();
  const auto estimate = EstimateOf(report.accesses[0]);
  ASSERT_TRUE(estimate);
  EXPECT_EQ(estimate->wasted, Sectors(25 * 40));
  EXPECT_EQ(estimate->launches, Launches(25));
  EXPECT_EQ(estimate->checked, Launches(1));
  EXPECT_EQ(report.accesses[0].counts.Wasted(), Sectors(40)) << "counts stay what they are";
  EXPECT_EQ(report.sectors, Sectors(80));
}

TEST_F(EstimateTest, ALargerGridWeighsMore) {
  Launched(4, 1, 1);
  Launched(40, 2, 0);
  const Report report = Make();
  EXPECT_EQ(EstimateOf(report, report.places[0])->wasted, Sectors(40 + 2 * 400));
  EXPECT_EQ(EstimateOf(report, report.places[0])->launches, Launches(3));
}

TEST_F(EstimateTest, LaunchesOfUnknownSizeLeaveNothingToScaleBy) {
  Launched(4, 1, 1);
  Launched(0, 7, 0);
  const Report report = Make();
  EXPECT_EQ(report.accesses[0].launches, Launches(8));
  EXPECT_FALSE(EstimateOf(report.accesses[0]));
  EXPECT_FALSE(EstimateOf(report, report.places[0]));
}

TEST_F(EstimateTest, NumbersBeyondAllMeasureStayFinite) {
  run_.windows[0].functions[0].rows = {{PcOffset(16), {1, 32, 0, 0, ~std::uint64_t{0}, 4, 4}}};
  Launched(4294967295U, ~std::uint64_t{0}, 1);
  const Report report = Make();
  EXPECT_LE(EstimateOf(report, report.places[0])->wasted, Sectors(1'000'000'000'000'000'000U));
}

// 8 launches, of which one was checked, and some predicted to waste nothing.
Access Predicted(std::uint64_t launches) {
  Access access;
  access.launches = Launches(8);
  access.launches_checked = Launches(1);
  access.threads_share = 1.0 / 8;
  access.threads_checked = 32;
  access.counts.sectors = Sectors(100);
  access.uncounted.emplace();
  access.uncounted->launches = Launches(launches);
  access.uncounted->threads = 32.0 * static_cast<double>(launches);
  return access;
}

TEST(EstimateOfPredicted, OfLaunchesThatWerePredictedNothingIsEstimated) {
  EXPECT_FALSE(EstimateOf(Predicted(7)));
}

TEST(EstimateOfPredicted, TheOthersAreLikeThoseThatWereCheckedOrPredicted) {
  const auto estimate = EstimateOf(Predicted(3));
  ASSERT_TRUE(estimate);
  EXPECT_EQ(estimate->wasted, Sectors(200));
  EXPECT_EQ(estimate->checked, Launches(1));
  EXPECT_EQ(estimate->predicted, Launches(3));
}

}  // namespace
}  // namespace coalcheck::findings
