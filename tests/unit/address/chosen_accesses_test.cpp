// SPDX-License-Identifier: Apache-2.0
//
// Some accesses of a kernel, evaluated without what only the others depend on.
#include <gtest/gtest.h>

#include <set>
#include <string>

#include "libcoalcheck/ptx/reader.h"
#include "libcoalcheck/ptx/slice.h"
#include "tests/unit/address/small_kernel.h"

namespace coalcheck::address {
namespace {

// Of the last access alone; of one warp.
LaunchEvaluation LastAlone(const std::string& body, ptx::LeavesOut leaves_out) {
  const std::string text = KernelText(body);
  const ptx::Module module(text);
  const ptx::Function function = module.Read(module.functions().at(0));
  std::set<std::uint32_t> last;
  for (std::uint32_t i = 0; i < function.instructions.size(); ++i) {
    if (ptx::IsGlobalAccess(function.instructions[i])) last = {i};
  }
  const ptx::ControlFlow flow(function);
  const Program program(function, flow, &last, leaves_out);
  const std::string arguments = Arguments(128);
  return Evaluate(program, {{1, 1, 1}, {32, 1, 1}, arguments, 0}, {.steps = 10'000});
}

// Loads a number, adds it up a million times, and lets it decide who loads the last one.
std::string LastByLongSum() {
  return "ld.global.f32 %f1, [%rd1];\nmov.f32 %f2, 0f00000000;\nmov.u32 %r7, 0;\n$L1:\n"
         "add.f32 %f2, %f2, %f1;\nadd.s32 %r7, %r7, 1;\nsetp.lt.s32 %p1, %r7, 1000000;\n"
         "@%p1 bra $L1;\nsetp.lt.f32 %p2, %f2, %f1;\n@%p2 bra $L2;\nmov.u32 %r6, %r1;\n" +
         std::string(kIndexed) + "$L2:\n";
}

TEST(ChosenAccesses, DoNotWaitForFloatsThatDataDecide) {
  const LaunchEvaluation evaluation = LastAlone(LastByLongSum(), ptx::LeavesOut::kFloats);
  EXPECT_TRUE(evaluation.is_complete);
  EXPECT_LT(evaluation.steps, 200U);
  ASSERT_EQ(evaluation.accesses.size(), 1U);
  const EvaluatedAccess& access = evaluation.accesses[0];
  EXPECT_EQ(access.sums.sectors, 4);
  EXPECT_EQ(access.lane_open, access.sums.requests);
  ASSERT_EQ(access.origins.size(), 1U);
  EXPECT_EQ(access.origins[0].kind, Origin::Kind::kLoaded);
}

TEST(ChosenAccesses, WaitForThemWhereTheyAreComputed) {
  EXPECT_FALSE(LastAlone(LastByLongSum(), ptx::LeavesOut::kNothing).is_complete);
}

TEST(ChosenAccesses, HaveTheFloatsThatNoDataDecide) {
  const LaunchEvaluation evaluation =
      LastAlone("cvt.rn.f32.u32 %f1, %r1;\nadd.f32 %f2, %f1, %f1;\ncvt.rzi.s32.f32 %r6, %f2;\n" +
                    std::string(kIndexed),
                ptx::LeavesOut::kFloats);
  ASSERT_EQ(evaluation.accesses.size(), 1U);
  EXPECT_EQ(evaluation.accesses[0].sums.sectors, 8);
  EXPECT_EQ(evaluation.accesses[0].by_data, 0);
}

// The same as LastByLongSum, of whole numbers.
std::string LastByLongCount() {
  return "ld.global.u32 %r18, [%rd1];\nmov.u32 %r19, 0;\nmov.u32 %r7, 0;\n$L1:\n"
         "add.s32 %r19, %r19, %r18;\nadd.s32 %r7, %r7, 1;\nsetp.lt.s32 %p1, %r7, 1000000;\n"
         "@%p1 bra $L1;\nsetp.lt.s32 %p2, %r19, %r18;\n@%p2 bra $L2;\nmov.u32 %r6, %r1;\n" +
         std::string(kIndexed) + "$L2:\n";
}

TEST(ChosenAccesses, DoNotWaitForConditionsThatDataDecide) {
  EXPECT_FALSE(LastAlone(LastByLongCount(), ptx::LeavesOut::kFloats).is_complete);
  const LaunchEvaluation evaluation = LastAlone(LastByLongCount(), ptx::LeavesOut::kConditions);
  EXPECT_TRUE(evaluation.is_complete);
  ASSERT_EQ(evaluation.accesses.size(), 1U);
  EXPECT_EQ(evaluation.accesses[0].sums.sectors, 4);
  EXPECT_EQ(evaluation.accesses[0].lane_open, evaluation.accesses[0].sums.requests);
}

TEST(ChosenAccesses, HaveTheWholeNumbersThatDecideTheirAddresses) {
  const LaunchEvaluation evaluation = LastAlone(
      "ld.global.u32 %r18, [%rd1];\nand.b32 %r19, %r18, 0;\nadd.s32 %r6, %r1, %r19;\n"
      "setp.lt.s32 %p2, %r19, %r18;\n@%p2 bra $L2;\n" +
          std::string(kIndexed) + "$L2:\n",
      ptx::LeavesOut::kConditions);
  ASSERT_EQ(evaluation.accesses.size(), 2U);
  EXPECT_EQ(evaluation.accesses[1].sums.sectors, 4);
  EXPECT_EQ(evaluation.accesses[1].by_data, 0);
}

}  // namespace
}  // namespace coalcheck::address
