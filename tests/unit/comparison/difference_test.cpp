// SPDX-License-Identifier: Apache-2.0
//
// What two runs are said to differ in, and what they are not.
#include "libcoalcheck/comparison/difference.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "libcoalcheck/comparison/match.h"
#include "tests/unit/comparison/runs.h"

namespace coalcheck::comparison {
namespace {

using ::testing::ElementsAre;

Comparison CompareTo(const Program& after) {
  return Compare(Program().Measured("base"), after.Measured("new"), kDefaultTolerance);
}

std::vector<Change> ChangesTo(const Program& after) {
  std::vector<Change> changes;
  for (const Difference& one : CompareTo(after).differences) changes.push_back(one.change);
  return changes;
}

TEST(Difference, TheSameRunHasNone) {
  EXPECT_THAT(ChangesTo({}), ElementsAre(Change::kUnchanged, Change::kUnchanged));
  EXPECT_FALSE(CompareTo({}).HasRegressions());
}

TEST(Difference, MoreLaunchesAndRequestsAreNone) {
  Program longer;
  longer.requests = 70;
  EXPECT_THAT(ChangesTo(longer), ElementsAre(Change::kUnchanged, Change::kUnchanged));
}

TEST(Difference, MoreWasteForEachRequestIsWorse) {
  Program worse;
  worse.sectors = {32, 9, 4};
  EXPECT_THAT(ChangesTo(worse), ElementsAre(Change::kWorsened, Change::kUnchanged));
  EXPECT_TRUE(CompareTo(worse).HasRegressions());
}

TEST(Difference, ACleanLineThatBecomesAFindingIsWorse) {
  Program worse;
  worse.sectors = {32, 8, 16};
  EXPECT_EQ(ChangesTo(worse).front(), Change::kWorsened);
}

TEST(Difference, LessWasteIsBetterAlsoWhereItIsAFindingStill) {
  Program better;
  better.sectors = {16, 4, 4};
  const Comparison comparison = CompareTo(better);
  EXPECT_EQ(comparison.Number(Change::kImproved), 2U);
  EXPECT_FALSE(comparison.HasRegressions());
}

TEST(Difference, WithinTheToleranceNothingChanged) {
  EXPECT_EQ(TrendOf({100.0, 0.5}, {100.9, 0.5}, 0.01), Trend::kSame);
  EXPECT_EQ(TrendOf({100.0, 0.5}, {101.2, 0.5}, 0.01), Trend::kWorse);
  EXPECT_EQ(TrendOf({100.0, 0.5}, {98.8, 0.5}, 0.01), Trend::kBetter);
  EXPECT_EQ(TrendOf({0.0, 0}, {0.0, 0}, 0), Trend::kSame);
}

TEST(Difference, WithoutRequestsSharesAreCompared) {
  EXPECT_EQ(TrendOf({std::nullopt, 0.5}, {3.0, 0.5}, 0.01), Trend::kSame);
  EXPECT_EQ(TrendOf({3.0, 0.5}, {std::nullopt, 0.6}, 0.01), Trend::kWorse);
}

TEST(Difference, ALineThatIsGoneVanishedAndANewOneAppeared) {
  Program gone;
  gone.sectors = {32, 0, 4};
  EXPECT_THAT(ChangesTo(gone), ElementsAre(Change::kVanished, Change::kUnchanged));
  const Comparison back = Compare(gone.Measured(), Program().Measured(), kDefaultTolerance);
  EXPECT_EQ(back.differences.front().change, Change::kAppeared);
  EXPECT_TRUE(back.HasRegressions());
}

TEST(Difference, WhatWasNotRunAgainHasNotVanished) {
  Program not_run;
  not_run.sectors = {0, 0, 4};
  EXPECT_THAT(ChangesTo(not_run), ElementsAre(Change::kNotSeen, Change::kNotSeen));
}

TEST(Difference, WhatCannotBePredictedAnyMoreIsNoBetter) {
  const MeasuredRun known = Program().Measured();
  MeasuredRun unknown = known;
  Measured& place = unknown.places.front();
  place.is_finding = false;
  place.is_known = false;
  place.counts = {};
  EXPECT_EQ(Compare(known, unknown, kDefaultTolerance).Number(Change::kNotSeen), 1U);
  EXPECT_EQ(Compare(known, unknown, kDefaultTolerance).Number(Change::kImproved), 0U);
  EXPECT_EQ(Compare(unknown, known, kDefaultTolerance).Number(Change::kAppeared), 1U);
}

TEST(Difference, AMovedLineIsTheSame) {
  Program moved;
  moved.lines.insert(moved.lines.begin(), "// more");
  moved.at = {3, 4, 7};
  EXPECT_THAT(ChangesTo(moved), ElementsAre(Change::kUnchanged, Change::kUnchanged));
}

TEST(Difference, ARewrittenLineIsFoundByItsKernel) {
  Program fixed;
  fixed.lines[1] = "  p[i] = tile[i];";
  fixed.sectors = {4, 8, 4};
  const Comparison comparison = CompareTo(fixed);
  ASSERT_EQ(comparison.differences.front().change, Change::kImproved);
  EXPECT_TRUE(comparison.differences.front().text_changed);
}

TEST(Difference, WithoutSourcesPlacesAreMatchedByOrderAndThatIsSaid) {
  Program unread;
  unread.has_sources = false;
  unread.sectors = {32, 9, 4};
  const Comparison comparison = CompareTo(unread);
  EXPECT_EQ(comparison.differences.front().change, Change::kWorsened);
  EXPECT_EQ(comparison.differences.front().after->line, 3U);
  EXPECT_EQ(comparison.lines_unknown, 3U);
}

TEST(Match, TakesNoPlaceTwiceAndGuessesOnlyAmongEqualNumbers) {
  const Fingerprint anchor(1);
  const std::vector<MatchKey> before = {{Fingerprint(5), anchor}, {Fingerprint(5), anchor}};
  const std::vector<MatchKey> after = {{Fingerprint(5), anchor}};
  EXPECT_THAT(Match(before, after), ElementsAre(0U, std::nullopt));
  const std::vector<MatchKey> others = {{Fingerprint(7), anchor}, {Fingerprint(8), anchor}};
  EXPECT_THAT(Match(before, others), ElementsAre(0U, 1U));
}

}  // namespace
}  // namespace coalcheck::comparison
