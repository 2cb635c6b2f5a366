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

}  // namespace
}  // namespace coalcheck::findings
