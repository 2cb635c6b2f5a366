// SPDX-License-Identifier: Apache-2.0
//
// Address expressions as people read them.
#include "libcoalcheck/address/words.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace coalcheck::address {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

Names SomeNames() {
  return {{"float*", "int"}, [](PcOffset pc) { return "line " + std::to_string(pc.value()); }};
}

AddressExpression ColumnMajor() {
  AddressExpression address;
  address.lanes = LaneDependence::kIndex;
  const Factor x{FactorKind::kThreadIdx, 0, 0, {}};
  const Factor y{FactorKind::kThreadIdx, 1, 0, {}};
  address.sum.terms = {{4, {x, {FactorKind::kParameter, 2, 0, {}}}},
                       {4, {y}},
                       {1, {{FactorKind::kParameter, 1, 0, {}}}}};
  address.sum.constant = -8;
  return address;
}

TEST(AddressWords, NamePointersFirstAndTheElementOnce) {
  EXPECT_EQ(Describe(ColumnMajor(), SomeNames()),
            "parameter 1 (float*) + 4·(threadIdx.x·parameter 2 + threadIdx.y) - 8");
}

TEST(AddressWords, CountStepsInElements) {
  EXPECT_EQ(DescribeLanes(ColumnMajor(), Bytes(4), SomeNames()),
            "consecutive threads are parameter 2 elements apart");
  EXPECT_EQ(DescribeLanes(ColumnMajor(), Bytes(16), SomeNames()),
            "consecutive threads are 4·parameter 2 bytes apart");
  EXPECT_EQ(DescribeLanes(ColumnMajor(), Bytes(0), SomeNames()),
            "consecutive threads are 4·parameter 2 bytes apart");
}

TEST(AddressWords, SayThatAStepIsTrueWithinARow) {
  AddressExpression address = ColumnMajor();
  address.in_rows = true;
  address.sum.terms.push_back({4, {{FactorKind::kRow, 7, 0, {}}}});
  EXPECT_EQ(DescribeLanes(address, Bytes(4), SomeNames()),
            "consecutive threads are parameter 2 elements apart within a row");
  EXPECT_EQ(Describe(address, SomeNames()),
            "parameter 1 (float*) + 4·(threadIdx.x·parameter 2 + threadIdx.y + (row)) - 8");
}

TEST(AddressWords, DoNotNameAStepThatIsOnlyKnownToBeTheSame) {
  AddressExpression address;
  address.lanes = LaneDependence::kIndex;
  address.sum.terms = {{4, {{FactorKind::kThreadIdx, 0, 0, {}}, {FactorKind::kUniform, 9, 0, {}}}}};
  EXPECT_EQ(DescribeLanes(address, Bytes(4), SomeNames()),
            "consecutive threads are a computed number of bytes apart");
}

TEST(AddressWords, SayWhichLoadsScatter) {
  AddressExpression address;
  address.lanes = LaneDependence::kLoaded;
  address.loads = {PcOffset(16), PcOffset(32)};
  EXPECT_EQ(DescribeLanes(address, Bytes(4), SomeNames()), "depends on line 16 and line 32");
}

TEST(AddressWords, AreEmptyWhereNothingIsKnown) {
  EXPECT_EQ(Describe(AddressExpression(), SomeNames()), "");
  EXPECT_EQ(DescribeLanes(AddressExpression(), Bytes(4), SomeNames()), "");
}

TEST(ParameterTypes, AreSplitAtTheOuterCommas) {
  EXPECT_THAT(
      ParameterTypes("void f<int, 2>(std::map<int, int>, void (*)(int, int), float const*)"),
      ElementsAre("std::map<int, int>", "void (*)(int, int)", "float const*"));
  EXPECT_THAT(ParameterTypes("f()"), ElementsAre(""));
  EXPECT_THAT(ParameterTypes("plain_name"), IsEmpty());
  EXPECT_THAT(ParameterTypes("f)"), IsEmpty());
}

}  // namespace
}  // namespace coalcheck::address
