// SPDX-License-Identifier: Apache-2.0
//
// What was evaluated is held against what was counted, within what sampling and data leave open.
#include "libcoalcheck/findings/explaining/confirm.h"

#include <gtest/gtest.h>

namespace coalcheck::findings {
namespace {

using address::EvaluatedAccess;
using address::LaneShape;
using address::LaunchEvaluation;

Counts CountsOf(std::uint64_t requests, std::uint64_t lanes, std::uint64_t sectors) {
  Counts counts;
  counts.requests = Requests(requests);
  counts.lanes = Lanes(lanes);
  counts.sectors = Sectors(sectors);
  return counts;
}

EvaluatedAccess Evaluated(const LaneShape& shape, const address::Sums& sums) {
  EvaluatedAccess access;
  access.sums = sums;
  access.shapes = {{shape, sums}};
  return access;
}

Standing StandingOf(const Counts& counted, const LaunchEvaluation& evaluation,
                    const EvaluatedAccess& access) {
  return Confirm(counted, Bytes(4), Launches(1), ptx::Function(), evaluation, &access).standing;
}

LaunchEvaluation SomeBlocks() {
  LaunchEvaluation evaluation;
  evaluation.covers = true;
  return evaluation;
}

TEST(Confirm, WhatChosenBlocksMayBeOffByIsNoContradiction) {
  const LaneShape shape{.kind = LaneShape::Kind::kStep, .step = 4};
  EvaluatedAccess access = Evaluated(shape, {100, 3200, 430, 400, 120});
  EXPECT_EQ(StandingOf(CountsOf(1000, 32'000, 4500), SomeBlocks(), access),
            Standing::kContradicted);
  access.error = 0.05;
  EXPECT_EQ(StandingOf(CountsOf(1000, 32'000, 4490), SomeBlocks(), access),
            Standing::kNotEvaluated);
  EXPECT_EQ(StandingOf(CountsOf(1000, 32'000, 4300), SomeBlocks(), access), Standing::kConfirmed);
  EXPECT_EQ(StandingOf(CountsOf(1000, 32'000, 5000), SomeBlocks(), access),
            Standing::kContradicted);
}

TEST(Confirm, BlocksThatDifferMuchAgreeByChance) {
  EvaluatedAccess access = Evaluated(LaneShape{}, {100, 3200, 400, 400, 120});
  EXPECT_TRUE(IsSure(access));
  access.error = 0.019;  // of 4 sectors a request
  EXPECT_TRUE(IsSure(access));
  access.error = 0.021;
  EXPECT_FALSE(IsSure(access));
}

TEST(Confirm, WhereEveryBlockWasEvaluatedNothingIsLeftOpen) {
  const LaneShape shape{.kind = LaneShape::Kind::kStep, .step = 4};
  EvaluatedAccess access = Evaluated(shape, {1000, 32'000, 4300, 4000, 1200});
  access.error = 1;
  LaunchEvaluation evaluation;
  evaluation.is_complete = true;
  EXPECT_EQ(StandingOf(CountsOf(1000, 32'000, 4500), evaluation, access), Standing::kContradicted);
}

// Four rows of eight floats: each touches one sector or, from an odd place, two.
TEST(Confirm, EachRowThatDataBeginMayTouchOneMoreSector) {
  const LaneShape shape{
      .kind = LaneShape::Kind::kRows, .step = 4, .row = 8, .begins_by_data = true};
  EvaluatedAccess access = Evaluated(shape, {10, 320, 10, 40, 10});
  access.by_data = 10;
  EXPECT_EQ(StandingOf(CountsOf(10, 320, 80), SomeBlocks(), access), Standing::kDecidedByData);
  EXPECT_EQ(StandingOf(CountsOf(10, 320, 200), SomeBlocks(), access), Standing::kContradicted);
}

TEST(Confirm, WarpsThatWereNotEvaluatedMayBeFuller) {
  EvaluatedAccess access =
      Evaluated({.kind = LaneShape::Kind::kByData, .is_partial = true}, {10, 200, 200, 25, 200});
  access.by_data = 10;
  EXPECT_EQ(StandingOf(CountsOf(10, 310, 300), SomeBlocks(), access), Standing::kDecidedByData);
}

// What the GPU computes with fewer digits may rightly differ from what was evaluated.
TEST(Confirm, WhatWasComputedNearlyContradictsNothing) {
  const EvaluatedAccess access =
      Evaluated({.kind = LaneShape::Kind::kStep, .step = 4}, {1000, 32'000, 4300, 4000, 1200});
  LaunchEvaluation evaluation;
  evaluation.is_complete = true;
  evaluation.is_approximate = true;
  EXPECT_EQ(StandingOf(CountsOf(1000, 32'000, 4500), evaluation, access), Standing::kNotEvaluated);
  EXPECT_EQ(StandingOf(CountsOf(1000, 32'000, 4300), evaluation, access), Standing::kConfirmed);
}

// `counters[multiprocessor * 32 + lane]`, of lines: nobody knows which, and it does not matter.
TEST(Confirm, WhereEveryPlaceHasAsManySectorsThePlaceMayBeUnknown) {
  EvaluatedAccess access = Evaluated(
      {.kind = LaneShape::Kind::kStep, .step = 4, .begins_by_data = true}, {10, 320, 40, 40, 10});
  access.by_data = 10;
  access.origins = {{address::Origin::Kind::kNotComputed, ptx::kNone}};
  access.most = 4;
  EXPECT_EQ(StandingOf(CountsOf(10, 320, 40), SomeBlocks(), access), Standing::kConfirmed);
  EXPECT_EQ(StandingOf(CountsOf(10, 320, 50), SomeBlocks(), access), Standing::kNotEvaluated);
  access.most = 5;
  EXPECT_EQ(StandingOf(CountsOf(10, 320, 40), SomeBlocks(), access), Standing::kNotEvaluated);
}

TEST(Confirm, OfLanesThatShareNoSectorAnySomeTouchOneEach) {
  const EvaluatedAccess apart =
      Evaluated({.kind = LaneShape::Kind::kStep, .step = 120}, {8, 256, 256, 32, 240});
  EXPECT_EQ(ConfirmAlone(CountsOf(1, 29, 29), &apart).standing, Standing::kConfirmed);
  EXPECT_EQ(ConfirmAlone(CountsOf(1, 29, 28), &apart).standing, Standing::kNotEvaluated);
  const EvaluatedAccess close =
      Evaluated({.kind = LaneShape::Kind::kStep, .step = 16}, {8, 256, 128, 32, 32});
  EXPECT_EQ(ConfirmAlone(CountsOf(1, 1, 1), &close).standing, Standing::kNotEvaluated);
  // Those of one sector touch that one.
  const EvaluatedAccess together =
      Evaluated({.kind = LaneShape::Kind::kStep, .step = 1}, {8, 256, 8, 8, 8});
  EXPECT_EQ(ConfirmAlone(CountsOf(3, 50, 3), &together).standing, Standing::kConfirmed);
  EXPECT_EQ(ConfirmAlone(CountsOf(3, 50, 5), &together).standing, Standing::kNotEvaluated);
}

}  // namespace
}  // namespace coalcheck::findings
