// SPDX-License-Identifier: Apache-2.0
//
// How far a whole grid reaches, of expressions that are written down here.
#include <gtest/gtest.h>

#include <limits>

#include "libcoalcheck/address/expression.h"

namespace coalcheck::address {
namespace {

const Factor kPointer{FactorKind::kParameter, 1, 0, {}};
const Factor kWidth{FactorKind::kParameter, 2, 0, {}};
const Factor kX{FactorKind::kThreadIdx, 0, 0, {}};
const Factor kBlockX{FactorKind::kBlockIdx, 0, 0, {}};
const Factor kSizeX{FactorKind::kBlockDim, 0, 0, {}};
const Factor kRounds{FactorKind::kRounds, 0, 0, PcOffset(64)};
const Factor kSomeBits{FactorKind::kBits, 0, 0, {}};
constexpr BlockShape kBlock{256, 1, 1};

AddressExpression Of(std::vector<Term> terms) {
  AddressExpression address;
  address.lanes = LaneDependence::kIndex;
  address.sum.terms = {{1, {kPointer}}};
  for (Term& term : terms) address.sum.terms.push_back(std::move(term));
  return address;
}

TEST(ReachOfGrid, IsThatOfTheThreadsOfABlock) {
  EXPECT_EQ(ReachOfGrid(Of({{4, {kX}}}), kBlock), (Reach{Bytes(4 * 255), Bytes(0)}));
  EXPECT_EQ(ReachOfGrid(Of({{-4, {kX}}}), kBlock), (Reach{Bytes(4 * 255), Bytes(0)}));
  EXPECT_EQ(ReachOfGrid(Of({}), kBlock), Reach());
}

TEST(ReachOfGrid, IsNotKnownWhereBlocksAskForDifferentThings) {
  EXPECT_EQ(ReachOfGrid(Of({{4, {kX}}, {4, {kBlockX, kSizeX}}}), kBlock), std::nullopt);
}

TEST(ReachOfGrid, IsBoundedByAMaskWhateverTheBlock) {
  AddressExpression address = Of({{512, {kSomeBits}}});
  address.bits.push_back({{{{1, {kX}}, {1, {kBlockX, kSizeX}}}, 0}, 0, 31});
  EXPECT_EQ(ReachOfGrid(address, kBlock), (Reach{Bytes(512 * 31), Bytes(0)}));
}

TEST(ReachOfGrid, GrowsWithEachRoundOfALoop) {
  EXPECT_EQ(ReachOfGrid(Of({{4, {kX}}, {1024, {kRounds}}}), kBlock),
            (Reach{Bytes(4 * 255), Bytes(1024)}));
  // Rounds times something else: no number of bytes for each.
  EXPECT_EQ(ReachOfGrid(Of({{4, {kRounds, kX}}}), kBlock), std::nullopt);
}

TEST(ReachOfGrid, IsNotKnownWhereAParameterScalesAnIndex) {
  EXPECT_EQ(ReachOfGrid(Of({{4, {kX, kWidth}}}), kBlock), std::nullopt);
  EXPECT_EQ(ReachOfGrid(Of({{4, {kWidth}}}), kBlock), Reach());  // the same for all
}

TEST(ReachOfGrid, NumbersOfHostileCodeDoNotOverflow) {
  constexpr auto kLeast = std::numeric_limits<std::int64_t>::min();
  const auto reach = ReachOfGrid(Of({{kLeast, {kX, kX, kX, kX}}, {kLeast, {kRounds}}}), kBlock);
  ASSERT_TRUE(reach.has_value());
  EXPECT_GT(reach->threads, Bytes(1 << 30));
  EXPECT_GT(reach->each_round, Bytes(1 << 30));
}

}  // namespace
}  // namespace coalcheck::address
