// SPDX-License-Identifier: Apache-2.0
//
// What is said of a function's addresses, and what is left open.
#include "libcoalcheck/findings/address_facts.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace coalcheck::findings {
namespace {

using address::AddressExpression;
using address::Factor;
using address::FactorKind;
using address::LaneDependence;
using address::Term;
using patterns::AddressFact;
using patterns::ByteStep;

constexpr recording::Dim3 kBlock{256, 1, 1};

Factor ThreadX() { return {FactorKind::kThreadIdx, 0, 0, PcOffset(0)}; }
Factor ThreadY() { return {FactorKind::kThreadIdx, 1, 0, PcOffset(0)}; }
Term Pointer(std::uint32_t number = 1) {
  return {1, {{FactorKind::kParameter, number, 0, PcOffset(0)}}};
}
Term Rounds(std::int64_t step) { return {step, {{FactorKind::kRounds, 0, 0, PcOffset(0x80)}}}; }

AddressExpression Index(std::vector<Term> terms, std::int64_t constant = 0) {
  return {LaneDependence::kIndex, {std::move(terms), constant}, {}, {}};
}

// Loads of four bytes at pc 0, 16, 32, …
AddressFacts FactsOf(const std::vector<AddressExpression>& addresses) {
  std::vector<cubin::GlobalAccess> accesses;
  std::vector<address::ExplainedAccess> explained;
  for (const AddressExpression& each : addresses) {
    const PcOffset pc(static_cast<std::uint32_t>(16 * accesses.size()));
    cubin::GlobalAccess& access = accesses.emplace_back();
    access.pc = pc;
    access.width = Bytes(4);
    explained.push_back({pc, each});
  }
  return {accesses, explained};
}

AddressFact First(const std::vector<AddressExpression>& addresses,
                  std::optional<recording::Dim3> block = kBlock) {
  return FactsOf(addresses).Of(PcOffset(0), block);
}

TEST(AddressFacts, AStepAndAnOffsetAreNumbers) {
  const AddressFact fact = First({Index({Pointer(), {12, {ThreadX()}}}, 40)});
  EXPECT_EQ(fact.form, AddressFact::Form::kAffine);
  EXPECT_EQ(fact.lane_step, ByteStep(12));
  EXPECT_EQ(fact.row_lanes, Lanes(32));
  EXPECT_EQ(fact.offset, Bytes(8));
  EXPECT_EQ(fact.loop_step, ByteStep(0));
  ASSERT_TRUE(fact.siblings.has_value());
  EXPECT_THAT(*fact.siblings, testing::IsEmpty());
}

TEST(AddressFacts, ANegativeOffsetCountsFromTheSectorBelow) {
  EXPECT_EQ(First({Index({Pointer(), {4, {ThreadX()}}}, -4)}).offset, Bytes(28));
}

TEST(AddressFacts, RowsOfANarrowBlockAreSeen) {
  const AddressFact fact =
      First({Index({Pointer(), {4, {ThreadX()}}, {4096, {ThreadY()}}})}, recording::Dim3{8, 32, 1});
  EXPECT_EQ(fact.lane_step, ByteStep(4));
  EXPECT_EQ(fact.row_lanes, Lanes(8));
}

TEST(AddressFacts, AStepThatAParameterDecidesIsAffineWithoutANumber) {
  const Factor width{FactorKind::kParameter, 3, 0, PcOffset(0)};
  const AddressFact fact = First({Index({Pointer(), {4, {ThreadX(), width}}})});
  EXPECT_EQ(fact.form, AddressFact::Form::kAffine);
  EXPECT_EQ(fact.lane_step, std::nullopt);
  EXPECT_EQ(fact.offset, std::nullopt);
  EXPECT_TRUE(fact.step_of_run);
}

TEST(AddressFacts, AStepWithinARowIsNoNumberForAWarp) {
  const Factor row{FactorKind::kRow, 3, 0, PcOffset(0)};
  AddressExpression address = Index({Pointer(), {12, {ThreadX()}}, {4096, {row}}});
  address.in_rows = true;
  const AddressFact fact = First({address});
  EXPECT_EQ(fact.form, AddressFact::Form::kAffine);
  EXPECT_EQ(fact.lane_step, std::nullopt);
  EXPECT_FALSE(fact.step_of_run);  // a structure of 12 bytes
}

TEST(AddressFacts, AnOffsetThatDiffersBetweenWarpsOrPointersIsOpen) {
  const Factor block{FactorKind::kBlockIdx, 0, 0, PcOffset(0)};
  EXPECT_EQ(First({Index({Pointer(), {4, {ThreadX()}}, {4, {block}}})}).offset, std::nullopt);
  EXPECT_EQ(First({Index({Pointer(1), Pointer(2), {4, {ThreadX()}}})}).offset, std::nullopt);
}

TEST(AddressFacts, AWholeNumberOfSectorsBetweenBlocksLeavesTheOffset) {
  const Factor block{FactorKind::kBlockIdx, 0, 0, PcOffset(0)};
  const Factor size{FactorKind::kBlockDim, 0, 0, PcOffset(0)};
  const AddressFact fact = First({Index({Pointer(), {4, {ThreadX()}}, {4, {block, size}}}, 4)});
  EXPECT_EQ(fact.offset, Bytes(4));
}

TEST(AddressFacts, FieldsOfOneStructureAreSiblings) {
  const auto field = [](std::int64_t at) { return Index({Pointer(), {12, {ThreadX()}}}, at); };
  const AddressFact fact = First({field(0), field(4), field(8), Index({Pointer(2)})});
  ASSERT_TRUE(fact.siblings.has_value());
  ASSERT_EQ(fact.siblings->size(), 2U);
  EXPECT_EQ((*fact.siblings)[1].from_here, ByteStep(8));
}

TEST(AddressFacts, BesideAnAddressThatIsNotKnownSiblingsAreNotKnown) {
  EXPECT_EQ(First({Index({Pointer(), {4, {ThreadX()}}}), {}}).siblings, std::nullopt);
}

TEST(AddressFacts, OneLoopHasAStepAndNestedOnesHaveNone) {
  const Term lanes{256, {ThreadX()}};
  EXPECT_EQ(First({Index({Pointer(), lanes, Rounds(4)})}).loop_step, ByteStep(4));
  Term outer = Rounds(64);
  outer.factors[0].pc = PcOffset(0x40);
  EXPECT_EQ(First({Index({Pointer(), lanes, Rounds(4), outer})}).loop_step, std::nullopt);
}

TEST(AddressFacts, AGatherNamesTheLoadOfItsIndex) {
  AddressExpression gather = Index({Pointer()});
  gather.lanes = LaneDependence::kLoaded;
  gather.loads = {PcOffset(0x70)};
  const AddressFact fact = First({gather}, std::nullopt);
  EXPECT_EQ(fact.form, AddressFact::Form::kLoaded);
  EXPECT_EQ(fact.load, PcOffset(0x70));
}

TEST(AddressFacts, WithoutABlockOrAnExplanationNothingIsSaid) {
  EXPECT_EQ(First({Index({Pointer(), {4, {ThreadX()}}})}, std::nullopt).form,
            AddressFact::Form::kNotKnown);
  EXPECT_EQ(First({{}}).form, AddressFact::Form::kNotKnown);
  EXPECT_EQ(FactsOf({}).Of(PcOffset(0), kBlock).form, AddressFact::Form::kNotKnown);
}

}  // namespace
}  // namespace coalcheck::findings
