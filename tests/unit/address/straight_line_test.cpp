// SPDX-License-Identifier: Apache-2.0
//
// Accesses taken out of kernels, with what computes their addresses.
#include "libcoalcheck/address/straight_line.h"

#include <gtest/gtest.h>

#include <cstring>
#include <string>

#include "libcoalcheck/address/launch_evaluation.h"
#include "libcoalcheck/ptx/reader.h"
#include "libcoalcheck/ptx/slice.h"

namespace coalcheck::address {
namespace {

// k(float*, int), with the thread's index in x in %r1; all its accesses are taken out.
LaunchEvaluation AllAlone(const std::string& body, bool with_conditions = false) {
  const std::string text =
      ".version 9.0\n.target sm_90\n.address_size 64\n"
      ".visible .entry k(.param .u64 p, .param .u32 n)\n{\n.reg .pred %p<9>;\n"
      ".reg .b32 %r<99>;\n.reg .b64 %rd<99>;\nld.param.u64 %rd1, [p];\nld.param.u32 %r2, [n];\n"
      "mov.u32 %r1, %tid.x;\n" +
      body + "ret;\n}\n";
  const ptx::Module module(text);
  const ptx::Function function = module.Read(module.functions().at(0));
  std::vector<std::uint32_t> accesses;
  for (std::uint32_t i = 0; i < function.instructions.size(); ++i) {
    if (ptx::IsGlobalAccess(function.instructions[i])) accesses.push_back(i);
  }
  const ptx::ControlFlow flow_of_all(function);
  const StraightLine line =
      StraightLineOf(function, accesses, with_conditions ? &flow_of_all : nullptr);
  if (line.function.instructions.empty()) return {};
  EXPECT_EQ(line.from.size(), line.function.instructions.size());
  const ptx::ControlFlow flow(line.function);
  EXPECT_EQ(flow.blocks().size(), 1U);
  const Program program(line.function, flow);
  std::string arguments(12, '\0');
  const std::uint64_t pointer = 0x700000000000;
  std::memcpy(arguments.data(), &pointer, sizeof(pointer));
  return Evaluate(program, {{4, 1, 1}, {64, 1, 1}, arguments, 0});
}

constexpr const char* kStore =
    "mul.wide.u32 %rd2, %r1, 8;\nadd.s64 %rd3, %rd1, %rd2;\nst.global.f32 [%rd3], %f1;\n";

TEST(StraightLine, TakesAStoreFromBehindALoopThatNeverEnds) {
  const LaunchEvaluation alone = AllAlone(std::string("L:\nadd.s32 %r3, %r3, 1;\n"
                                                      "setp.ne.s32 %p1, %r3, -1;\n@%p1 bra L;\n") +
                                          kStore);
  EXPECT_TRUE(alone.is_complete);
  ASSERT_EQ(alone.accesses.size(), 1U);
  EXPECT_EQ(alone.accesses[0].sums.requests, 8);
  EXPECT_EQ(alone.accesses[0].sums.lanes, 256);
  EXPECT_EQ(alone.accesses[0].sums.sectors, 64);
}

TEST(StraightLine, LetsAllLanesTakePart) {
  const std::string guarded = "setp.eq.s32 %p1, %r1, 0;\n" + std::string(kStore);
  std::string body = guarded;
  body.replace(body.find("st.global"), 0, "@%p1 ");
  const LaunchEvaluation alone = AllAlone(body);
  ASSERT_EQ(alone.accesses.size(), 1U);
  EXPECT_EQ(alone.accesses[0].sums.lanes, 256);
}

TEST(StraightLine, LetsThroughWhomItsConditionsLetThroughWhereThatIsAskedFor) {
  const std::string store(kStore);
  const auto lanes = [](const std::string& body) {
    const LaunchEvaluation alone = AllAlone(body, true);
    return alone.accesses.size() == 1 ? alone.accesses[0].sums.lanes : -1;
  };
  const std::string endless = "L:\nadd.s32 %r3, %r3, 1;\nsetp.ne.s32 %p8, %r3, -1;\n@%p8 bra L;\n";
  const std::string early = "setp.ge.s32 %p1, %r1, 29;\n@%p1 bra E;\n";
  EXPECT_EQ(lanes(early + endless + store + "E:\n"), 4 * 29);
  // One inside the other, and what a load decides inside both.
  const std::string inner =
      "setp.gt.s32 %p2, %r1, 3;\n@%p2 bra I;\nbra.uni E;\nI:\n"
      "ld.shared.u32 %r5, [4];\nsetp.eq.s32 %p3, %r5, 0;\n@%p3 bra E;\n";
  EXPECT_EQ(lanes(early + inner + store + "E:\n"), 4 * 25);
  // Inside a loop, whose end is no condition.
  EXPECT_EQ(lanes(early + "L:\n" + store + "add.s32 %r3, %r3, 1;\nsetp.ne.s32 %p8, %r3, -1;\n" +
                  "@%p8 bra L;\nE:\n"),
            4 * 29);
  std::string guarded = store;
  guarded.insert(guarded.find("st.global"), "@!%p1 ");
  EXPECT_EQ(lanes("setp.ge.s32 %p1, %r1, 8;\n" + guarded), 4 * 8);
}

TEST(StraightLine, KeepsToNoneOfTwoConditionsOfWhichOneIsEnough) {
  const LaunchEvaluation alone = AllAlone(
      "setp.lt.s32 %p1, %r1, 8;\n@%p1 bra S;\nsetp.ge.s32 %p2, %r1, 16;\n@%p2 bra E;\nS:\n" +
          std::string(kStore) + "E:\n",
      true);
  ASSERT_EQ(alone.accesses.size(), 1U);
  EXPECT_EQ(alone.accesses[0].sums.lanes, 256);
}

TEST(StraightLine, LeavesOutWhatLoadsBranchesAndGuardsDecide) {
  const std::string use = "add.s64 %rd9, %rd1, %rd8;\nst.global.f32 [%rd9], %f1;\n";
  EXPECT_TRUE(AllAlone("ld.shared.u64 %rd8, [4];\n" + use).accesses.empty());
  EXPECT_TRUE(AllAlone("mov.u64 %rd8, 4;\n@%p1 mov.u64 %rd8, 8;\n" + use).accesses.empty());
  EXPECT_TRUE(AllAlone("L:\nadd.s64 %rd8, %rd8, 4;\n@%p1 bra L;\n" + use).accesses.empty());
  EXPECT_TRUE(AllAlone("vote.sync.all.pred %p2, %p1, -1;\nselp.b64 %rd8, 4, 8, %p2;\n" + use)
                  .accesses.empty());
}

TEST(StraightLine, OfOneAccessThatCannotBeHadKeepsTheOthers) {
  const LaunchEvaluation alone =
      AllAlone(std::string(kStore) +
               "ld.shared.u64 %rd8, [4];\nadd.s64 %rd9, %rd3, %rd8;\n"
               "st.global.f32 [%rd9], %f1;\nst.global.f32 [%rd3+4], %f1;\n");
  EXPECT_EQ(alone.accesses.size(), 2U);
}

}  // namespace
}  // namespace coalcheck::address
