// SPDX-License-Identifier: Apache-2.0
//
// Steps, offsets and distances of expressions that are written down here.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "libcoalcheck/address/expression.h"

namespace coalcheck::address {
namespace {

using testing::Each;
using testing::ElementsAre;
using testing::Optional;

const Factor kPointer{FactorKind::kParameter, 1, 0, {}};
const Factor kWidth{FactorKind::kParameter, 2, 0, {}};
const Factor kX{FactorKind::kThreadIdx, 0, 0, {}};
const Factor kY{FactorKind::kThreadIdx, 1, 0, {}};
const Factor kBlockX{FactorKind::kBlockIdx, 0, 0, {}};
const Factor kSizeX{FactorKind::kBlockDim, 0, 0, {}};

AddressExpression Of(std::vector<Term> terms, std::int64_t constant = 0) {
  AddressExpression address;
  address.lanes = LaneDependence::kIndex;
  address.sum.terms = {{1, {kPointer}}};
  for (Term& term : terms) address.sum.terms.push_back(std::move(term));
  address.sum.constant = constant;
  return address;
}

TEST(StepInX, IsTheCoefficientOfTheThreadIndex) {
  EXPECT_EQ(StepInX(Of({{4, {kX}}, {8, {kY}}}))->bytes, 4);
  EXPECT_EQ(StepInX(Of({{-4, {kX}}}))->bytes, -4);
  EXPECT_EQ(StepInX(Of({{4, {kY}}}))->bytes, 0);
}

TEST(StepInX, CanBeMadeOfParameters) {
  const auto step = StepInX(Of({{4, {kX, kWidth}}, {8, {kX}}}));
  ASSERT_TRUE(step.has_value());
  EXPECT_EQ(step->bytes, std::nullopt);
  EXPECT_EQ(step->sum.constant, 8);
  ASSERT_EQ(step->sum.terms.size(), 1U);
  EXPECT_EQ(step->sum.terms[0], (Term{4, {kWidth}}));
}

TEST(StepInX, IsNoneWhereItDiffersFromRowToRow) {
  EXPECT_EQ(StepInX(Of({{4, {kX, kY}}})), std::nullopt);
  EXPECT_EQ(StepInX(Of({{4, {kX, kX}}})), std::nullopt);
}

AddressExpression Masked(Sum of, std::uint32_t shift, std::uint32_t mask) {
  AddressExpression address = Of({{4, {{FactorKind::kBits, 0, 0, {}}}}});
  address.bits.push_back({std::move(of), shift, mask});
  return address;
}

TEST(StepInX, SeesThroughBitsOfTheThreadIndex) {
  EXPECT_EQ(StepInX(Masked({{{1, {kX}}}, 0}, 0, 31))->bytes, 4);
  EXPECT_EQ(StepInX(Masked({{{1, {kX}}}, 0}, 5, ~0U))->bytes, 0);
  EXPECT_EQ(StepInX(Masked({{{1, {kX}}}, 0}, 0, 15)), std::nullopt);
  EXPECT_EQ(StepInX(Masked({{{1, {kX}}}, 0}, 2, ~0U)), std::nullopt);
}

TEST(StepInX, IsNoneWhereBitsDependOnSomethingElse) {
  EXPECT_EQ(StepInX(Masked({{{1, {kX}}, {1, {kBlockX}}}, 0}, 0, 31)), std::nullopt);
  EXPECT_EQ(StepInX(Masked({{{1, {kX}}, {32, {kBlockX}}}, 0}, 0, 31))->bytes, 4);
  EXPECT_EQ(StepInX(Masked({{{1, {kX}}, {16, {kBlockX}}}, 0}, 0, 31)), std::nullopt);
}

TEST(StepInX, IsNoneWhereBitsBreakAnotherRow) {
  EXPECT_EQ(StepInX(Masked({{{1, {kX}}, {32, {kY}}}, 0}, 0, 31))->bytes, 4);
  EXPECT_EQ(StepInX(Masked({{{1, {kX}}, {8, {kY}}}, 0}, 0, 31)), std::nullopt);
}

TEST(StepInX, OfNamelessBitsIsNone) {
  EXPECT_EQ(StepInX(Of({{4, {{FactorKind::kBits, 3, 0, {}}}}})), std::nullopt);
  AddressExpression endless = Masked({{{1, {{FactorKind::kBits, 0, 0, {}}}}}, 0}, 0, 31);
  EXPECT_EQ(StepInX(endless), std::nullopt);
}

TEST(LaneOffsets, RunAlongXThenY) {
  const auto offsets = LaneOffsets(Of({{4, {kX}}, {1000, {kY}}}), {4, 16, 1}, 0);
  ASSERT_TRUE(offsets.has_value());
  ASSERT_EQ(offsets->size(), 32U);
  EXPECT_EQ((*offsets)[3], 12);
  EXPECT_EQ((*offsets)[4], 1000);
  EXPECT_EQ((*offsets)[31], 7012);
}

TEST(LaneOffsets, KnowTheBlockThatTheyAreAskedFor) {
  const AddressExpression address = Masked({{{1, {kX}}, {1, {kBlockX, kSizeX}}}, 0}, 0, 31);
  const auto offsets = LaneOffsets(address, {64, 1, 1}, 1);
  ASSERT_TRUE(offsets.has_value());
  EXPECT_EQ((*offsets)[31], 124);
  EXPECT_EQ(LaneOffsets(address, {48, 1, 1}, 1), std::nullopt);
}

TEST(LaneOffsets, OfAPartialWarpAreFewer) {
  EXPECT_EQ(LaneOffsets(Of({{4, {kX}}}), {40, 1, 1}, 1)->size(), 8U);
  EXPECT_THAT(LaneOffsets(Of({{4, {kX}}}), {40, 1, 1}, 2), Optional(ElementsAre()));
  EXPECT_EQ(LaneOffsets(Of({{4, {kX, kWidth}}}), {40, 1, 1}, 0), std::nullopt);
}

TEST(ConstantDistance, NeedsEqualSums) {
  EXPECT_EQ(ConstantDistance(Of({{4, {kX}}}), Of({{4, {kX}}}, 8)), 8);
  EXPECT_EQ(ConstantDistance(Of({{4, {kX}}}), Of({{8, {kX}}})), std::nullopt);
  EXPECT_EQ(ConstantDistance(Of({{4, {kX}}}), AddressExpression()), std::nullopt);
}

}  // namespace
}  // namespace coalcheck::address
