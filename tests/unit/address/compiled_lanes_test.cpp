// SPDX-License-Identifier: Apache-2.0
//
// What is said of the lanes of compiled kernels whose addresses are no matter of indices alone.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "libcoalcheck/address/formula_lanes.h"
#include "libcoalcheck/address/function_formulas.h"
#include "tests/unit/address/fixtures.h"

namespace coalcheck::address {
namespace {

using testing::ElementsAre;
using Kind = LanePart::Kind;

// The accesses of a kernel in the order of its text.
class Accesses {
 public:
  Accesses(std::uint32_t sm, const std::string& kernel)
      : function_(FixturePtx(sm).Read(*FixturePtx(sm).Find(kernel))),
        flow_(function_),
        formulas_(function_, flow_),
        lanes_(formulas_) {
    for (std::uint32_t i = 0; i < function_.instructions.size(); ++i) {
      if (formulas_.Of(i) != nullptr) all_.push_back(i);
    }
  }
  std::size_t size() const { return all_.size(); }
  std::uint32_t instruction(std::size_t i) const { return all_.at(i); }
  const Formula& formula(std::size_t i) const { return *formulas_.Of(all_.at(i)); }
  LanePart lanes(std::size_t i) const { return lanes_.Of(all_.at(i)); }
  LanePart last() const { return lanes(all_.size() - 1); }

 private:
  ptx::Function function_;
  ptx::ControlFlow flow_;
  FunctionFormulas formulas_;
  FormulaLanes lanes_;
  std::vector<std::uint32_t> all_;
};

// Calls `check` with the accesses of `kernel` for each architecture.
template <typename Check>
void ForEachArchitecture(const std::string& kernel, Check check) {
  if (FixtureArchitectures().empty()) GTEST_SKIP() << "there is no nvcc";
  for (const std::uint32_t sm : FixtureArchitectures()) {
    SCOPED_TRACE(kernel + " for sm_" + std::to_string(sm));
    check(Accesses(sm, kernel));
  }
}

TEST(CompiledLanes, AGatherDependsOnTheLoadOfItsIndex) {
  for (const char* kernel : {"gathers", "gathers_a_scaled_index"}) {
    ForEachArchitecture(kernel, [](const Accesses& accesses) {
      ASSERT_EQ(accesses.size(), 3U);
      EXPECT_EQ(accesses.lanes(0).kind, Kind::kConstants);
      EXPECT_EQ(accesses.lanes(1).kind, Kind::kLoaded);
      EXPECT_THAT(accesses.lanes(1).loads, ElementsAre(accesses.instruction(0)));
      EXPECT_EQ(accesses.lanes(1).step, std::nullopt);
    });
  }
}

TEST(CompiledLanes, ALookUpOfOneValueForAllLanesIsNoGather) {
  ForEachArchitecture("looks_up_for_all", [](const Accesses& accesses) {
    ASSERT_EQ(accesses.size(), 3U);
    EXPECT_EQ(accesses.lanes(0).kind, Kind::kNone);
    EXPECT_NE(accesses.lanes(1).kind, Kind::kLoaded);
    EXPECT_EQ(accesses.lanes(1).StepInBytes(), 4);
  });
}

TEST(CompiledLanes, FieldsOfOneStructureAreAConstantDistanceApart) {
  ForEachArchitecture("uses_fields", [](const Accesses& accesses) {
    ASSERT_EQ(accesses.size(), 3U);
    const auto distance = ConstantDistance(accesses.formula(0), accesses.formula(1));
    ASSERT_TRUE(distance.has_value());
    EXPECT_EQ(*distance * *distance, 64);
    EXPECT_EQ(ConstantDistance(accesses.formula(0), accesses.formula(2)), std::nullopt);
    EXPECT_EQ(accesses.lanes(0).StepInBytes(), 16);
  });
}

TEST(CompiledLanes, HaveNoStepBehindALoopThatTheyLeaveAtWill) {
  ForEachArchitecture("leaves_at_will", [](const Accesses& accesses) {
    ASSERT_EQ(accesses.size(), 2U);
    EXPECT_NE(accesses.lanes(1).kind, Kind::kNone);
    EXPECT_EQ(accesses.lanes(1).step, std::nullopt);
  });
}

TEST(CompiledLanes, HaveNoStepWhereTheyChooseOrShuffleOrWrapAround) {
  for (const char* kernel : {"chooses_by_lane", "shuffles", "hashes", "hashes_high",
                             "divides_where_it_may", "hashes_a_quotient", "hashes_and_shifts"}) {
    ForEachArchitecture(kernel, [](const Accesses& accesses) {
      EXPECT_NE(accesses.last().kind, Kind::kNone);
      EXPECT_EQ(accesses.last().step, std::nullopt);
    });
  }
}

TEST(CompiledLanes, DividedByTheSizesOfATensorHaveNoConstantStep) {
  ForEachArchitecture("copies_as_libraries_do", [](const Accesses& accesses) {
    ASSERT_EQ(accesses.size(), 2U);
    EXPECT_EQ(accesses.lanes(0).kind, Kind::kOfRun);
    EXPECT_EQ(accesses.lanes(0).StepInBytes(), std::nullopt);
    EXPECT_EQ(ConstantDistance(accesses.formula(0), accesses.formula(1)), std::nullopt);
  });
}

TEST(CompiledLanes, AreKnownWhereManyValuesWereChosenBefore) {
  ForEachArchitecture("chooses_often", [](const Accesses& accesses) {
    ASSERT_EQ(accesses.size(), 63U);
    EXPECT_NE(accesses.lanes(61).kind, Kind::kNotKnown);
    EXPECT_NE(accesses.lanes(62).kind, Kind::kNotKnown);
  });
}

TEST(CompiledLanes, OfAtomicsAreKnown) {
  ForEachArchitecture("adds", [](const Accesses& accesses) {
    ASSERT_EQ(accesses.size(), 5U);
    EXPECT_EQ(accesses.lanes(0).StepInBytes(), 32);
    std::size_t same = 0;
    std::size_t dense = 0;
    for (std::size_t i = 0; i < accesses.size(); ++i) {
      same += accesses.lanes(i).kind == Kind::kNone ? 1U : 0U;
      dense += accesses.lanes(i).StepInBytes() == 4 ? 1U : 0U;
    }
    EXPECT_EQ(same, 1U);
    EXPECT_EQ(dense, 2U);
  });
}

}  // namespace
}  // namespace coalcheck::address
