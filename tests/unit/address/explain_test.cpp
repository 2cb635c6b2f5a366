// SPDX-License-Identifier: Apache-2.0
//
// What is said of compiled kernels whose addresses are no matter of indices alone.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/unit/address/fixtures.h"

namespace coalcheck::address {
namespace {

using testing::ElementsAre;

// Calls `check` with the explained accesses of `kernel` for each architecture.
template <typename Check>
void ForEachArchitecture(const std::string& kernel, Check check) {
  if (FixtureArchitectures().empty()) GTEST_SKIP() << "there is no nvcc";
  for (const std::uint32_t sm : FixtureArchitectures()) {
    SCOPED_TRACE(kernel + " for sm_" + std::to_string(sm));
    check(ExplainFixture(sm, kernel));
  }
}

TEST(Explain, AGatherDependsOnTheLoadOfItsIndex) {
  for (const char* kernel : {"gathers", "gathers_a_scaled_index"}) {
    ForEachArchitecture(kernel, [](const std::vector<ExplainedAccess>& accesses) {
      ASSERT_EQ(accesses.size(), 3U);
      EXPECT_EQ(accesses[0].address.lanes, LaneDependence::kIndex);
      EXPECT_EQ(accesses[1].address.lanes, LaneDependence::kLoaded);
      EXPECT_THAT(accesses[1].address.loads, ElementsAre(accesses[0].pc));
      EXPECT_EQ(StepInX(accesses[1].address), std::nullopt);
    });
  }
}

TEST(Explain, ALookUpOfOneValueForAllLanesIsNoGather) {
  ForEachArchitecture("looks_up_for_all", [](const std::vector<ExplainedAccess>& accesses) {
    ASSERT_EQ(accesses.size(), 3U);
    EXPECT_EQ(accesses[0].address.lanes, LaneDependence::kNone);
    ASSERT_EQ(accesses[1].address.lanes, LaneDependence::kIndex);
    ASSERT_TRUE(StepInX(accesses[1].address).has_value());
    EXPECT_EQ(StepInX(accesses[1].address)->bytes, 4);
  });
}

TEST(Explain, FieldsOfOneStructAreAConstantDistanceApart) {
  ForEachArchitecture("uses_fields", [](const std::vector<ExplainedAccess>& accesses) {
    ASSERT_EQ(accesses.size(), 3U);
    const auto distance = ConstantDistance(accesses[0].address, accesses[1].address);
    ASSERT_TRUE(distance.has_value());
    EXPECT_EQ(*distance * *distance, 64);
    EXPECT_EQ(ConstantDistance(accesses[0].address, accesses[2].address), std::nullopt);
    EXPECT_EQ(StepInX(accesses[0].address)->bytes, 16);
  });
}

TEST(Explain, IsSilentBehindALoopThatLanesLeaveAtWill) {
  ForEachArchitecture("leaves_at_will", [](const std::vector<ExplainedAccess>& accesses) {
    ASSERT_EQ(accesses.size(), 2U);
    EXPECT_EQ(accesses[1].address.lanes, LaneDependence::kNotKnown);
  });
}

TEST(Explain, IsSilentWhereLanesChooseOrShuffleOrWrapAround) {
  ForEachArchitecture("chooses_by_lane", [](const std::vector<ExplainedAccess>& accesses) {
    EXPECT_NE(accesses.back().address.lanes, LaneDependence::kIndex);
    EXPECT_NE(accesses.back().address.lanes, LaneDependence::kNone);
  });
  for (const char* kernel :
       {"shuffles", "hashes", "hashes_high", "divides_where_it_may", "hashes_a_quotient"}) {
    ForEachArchitecture(kernel, [](const std::vector<ExplainedAccess>& accesses) {
      EXPECT_EQ(accesses.back().address.lanes, LaneDependence::kNotKnown);
    });
  }
  // Exact, but no step.
  ForEachArchitecture("hashes_and_shifts", [](const std::vector<ExplainedAccess>& accesses) {
    EXPECT_EQ(StepInX(accesses.back().address), std::nullopt);
  });
}

TEST(Explain, AnIndexThatIsDividedByTheSizesOfATensorHasOneStepWithinARow) {
  ForEachArchitecture("copies_as_libraries_do", [](const std::vector<ExplainedAccess>& accesses) {
    ASSERT_EQ(accesses.size(), 2U);
    const AddressExpression& load = accesses[0].address;
    EXPECT_EQ(load.lanes, LaneDependence::kIndex);
    EXPECT_TRUE(load.in_rows);
    const auto step = StepInX(load);
    ASSERT_TRUE(step.has_value());
    EXPECT_EQ(step->bytes, std::nullopt);
    EXPECT_FALSE(step->sum.terms.empty());
    EXPECT_EQ(LaneOffsets(load, {256, 1, 1}, 0), std::nullopt);
    EXPECT_EQ(ConstantDistance(load, accesses[1].address), std::nullopt);
  });
}

TEST(Explain, WhatOneOfTwoWaysLoadsDoesNotDecideForBoth) {
  ForEachArchitecture("loads_on_one_way", [](const std::vector<ExplainedAccess>& accesses) {
    for (const ExplainedAccess& access : accesses) {
      EXPECT_NE(access.address.lanes, LaneDependence::kLoaded) << access.pc.value();
    }
  });
}

TEST(Explain, AStepOfTwoConstantsIsNotOneOfTheRun) {
  ForEachArchitecture("steps_of_two_structures", [](const std::vector<ExplainedAccess>& accesses) {
    ASSERT_EQ(accesses.size(), 2U);
    const auto step = StepInX(accesses[0].address);
    ASSERT_TRUE(step && !step->bytes);
    for (const Term& term : step->sum.terms) {
      for (const Factor& factor : term.factors) EXPECT_NE(factor.kind, FactorKind::kOfRun);
    }
  });
}

TEST(Explain, ValuesThatLanesChooseDoNotUseUpTheWork) {
  ForEachArchitecture("chooses_often", [](const std::vector<ExplainedAccess>& accesses) {
    ASSERT_EQ(accesses.size(), 63U);
    EXPECT_TRUE(IsExplained(accesses[61].address));
    EXPECT_TRUE(IsExplained(accesses[62].address));
  });
}

TEST(Explain, KnowsTheAddressesOfAtomics) {
  ForEachArchitecture("adds", [](const std::vector<ExplainedAccess>& accesses) {
    ASSERT_EQ(accesses.size(), 5U);
    EXPECT_EQ(StepInX(accesses[0].address)->bytes, 32);
    std::size_t same = 0;
    std::size_t dense = 0;
    std::size_t silent = 0;
    for (const ExplainedAccess& access : accesses) {
      const auto step = StepInX(access.address);
      same += access.address.lanes == LaneDependence::kNone ? 1U : 0U;
      dense += step && step->bytes == 4 ? 1U : 0U;
      silent += access.address.lanes == LaneDependence::kNotKnown ? 1U : 0U;
    }
    EXPECT_EQ(same, 1U);
    EXPECT_EQ(dense, 2U);
    EXPECT_EQ(silent, 1U);
  });
}

TEST(Explain, TakesWhatIsNoCubin) {
  EXPECT_TRUE(ExplainAddresses("", "kernel").empty());
  EXPECT_TRUE(ExplainAddresses("\177ELF", "kernel").empty());
  for (const std::uint32_t sm : FixtureArchitectures()) {
    EXPECT_TRUE(ExplainFixture(sm, "no such kernel").empty());
  }
}

}  // namespace
}  // namespace coalcheck::address
