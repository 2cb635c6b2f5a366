// SPDX-License-Identifier: Apache-2.0
//
// Accesses in functions that a kernel calls, evaluated where they were inlined.
#include <gtest/gtest.h>

#include <cstring>
#include <string>
#include <string_view>

#include "libcoalcheck/address/formula_lanes.h"
#include "libcoalcheck/address/function_formulas.h"
#include "libcoalcheck/address/launch_evaluation.h"
#include "libcoalcheck/ptx/inline_calls.h"
#include "libcoalcheck/ptx/reader.h"

namespace coalcheck::address {
namespace {

constexpr std::string_view kHead = ".version 9.0\n.target sm_90\n.address_size 64\n";
// Loads what its argument points to, and what lies 4 bytes times a second one behind it.
constexpr std::string_view kLoadAt =
    ".visible .func (.param .b32 func_retval0) load_at(\n"
    ".param .b64 load_at_param_0,\n.param .b32 load_at_param_1\n)\n{\n"
    "ld.param.u64 %rd1, [load_at_param_0];\nld.param.s32 %r1, [load_at_param_1];\n"
    "setp.lt.s32 %p1, %r1, 0;\n@%p1 ret;\n"
    "mul.wide.s32 %rd2, %r1, 4;\nadd.s64 %rd3, %rd1, %rd2;\nld.u32 %r2, [%rd3];\n"
    "st.param.b32 [func_retval0+0], %r2;\nret;\n}\n";

std::string CallWith(std::string_view pointer, std::string_view index) {
  return "{\n.reg .b32 temp_param_reg;\n.param .b64 param0;\nst.param.b64 [param0+0], " +
         std::string(pointer) + ";\n.param .b32 param1;\nst.param.b32 [param1+0], " +
         std::string(index) +
         ";\n.param .b32 retval0;\ncall.uni (retval0),\nload_at,\n(\nparam0,\nparam1\n);\n"
         "ld.param.b32 %r9, [retval0+0];\n}\n";
}

std::string Calling(std::string_view body) {
  return ".visible .entry k(.param .u64 k_param_0)\n{\n"
         "ld.param.u64 %rd1, [k_param_0];\nmov.u32 %r5, %tid.x;\n" +
         std::string(body) + "ret;\n}\n";
}

// `called`: a text of its own, empty where the kernel's holds all.
LaunchEvaluation EvaluatedWith(const std::string& text, const std::string& called = "") {
  const ptx::Module module(text);
  const ptx::Module other(called);
  const ptx::Function function = ptx::WithCallsInlined(
      module, module.Read(*module.Find("k")),
      [&](std::string_view name) { return other.Find(name) == nullptr ? nullptr : &other; });
  const ptx::ControlFlow flow(function);
  const Program program(function, flow);
  const std::uint64_t pointer = 0x700000000000;
  const std::string arguments(reinterpret_cast<const char*>(&pointer), sizeof(pointer));
  return Evaluate(program, {{1, 1, 1}, {32, 1, 1}, arguments, 0});
}

TEST(CalledFunctions, AnAccessHasTheAddressThatItsCallerPasses) {
  const LaunchEvaluation evaluation =
      EvaluatedWith(std::string(kHead) + std::string(kLoadAt) + Calling(CallWith("%rd1", "%r5")));
  ASSERT_EQ(evaluation.accesses.size(), 1U);
  EXPECT_EQ(evaluation.accesses[0].sums.lanes, 32);
  EXPECT_EQ(evaluation.accesses[0].sums.sectors, 4);
  EXPECT_TRUE(evaluation.is_complete);
}

TEST(CalledFunctions, TheBodyMayStandInAnotherTranslationUnit) {
  const LaunchEvaluation evaluation = EvaluatedWith(
      std::string(kHead) +
          ".extern .func (.param .b32 r) load_at(.param .b64 a, .param .b32 b);\n" +
          Calling("mul.wide.u32 %rd7, %r5, 128;\nadd.s64 %rd8, %rd1, %rd7;\n" +
                  CallWith("%rd8", "0")),
      std::string(kHead) + ".global .align 4 .u32 of_its_own;\n" + std::string(kLoadAt));
  ASSERT_EQ(evaluation.accesses.size(), 1U);
  EXPECT_EQ(evaluation.accesses[0].sums.sectors, 32);
}

TEST(CalledFunctions, TwoCallsAreOneAccessOfBoth) {
  const LaunchEvaluation evaluation = EvaluatedWith(
      std::string(kHead) + std::string(kLoadAt) +
      Calling(CallWith("%rd1", "%r5") + "mul.lo.s32 %r6, %r5, 8;\n" + CallWith("%rd1", "%r6")));
  ASSERT_EQ(evaluation.accesses.size(), 1U);
  EXPECT_EQ(evaluation.accesses[0].sums.requests, 2);
  EXPECT_EQ(evaluation.accesses[0].sums.sectors, 4 + 32);
}

TEST(CalledFunctions, ALaneThatReturnsEarlyGoesOnBehindTheCall) {
  const LaunchEvaluation evaluation =
      EvaluatedWith(std::string(kHead) + std::string(kLoadAt) +
                    Calling("sub.s32 %r6, %r5, 16;\n" + CallWith("%rd1", "%r6") +
                            "mul.wide.u32 %rd7, %r5, 4;\nadd.s64 %rd8, %rd1, %rd7;\n"
                            "st.global.u32 [%rd8], %r9;\n"));
  ASSERT_EQ(evaluation.accesses.size(), 2U);
  EXPECT_EQ(evaluation.accesses[0].sums.lanes, 16);
  EXPECT_EQ(evaluation.accesses[1].sums.lanes, 32);
}

TEST(CalledFunctions, WhatACallBringsBackIsDecidedByData) {
  const LaunchEvaluation evaluation =
      EvaluatedWith(std::string(kHead) + std::string(kLoadAt) +
                    Calling(CallWith("%rd1", "%r5") +
                            "mul.wide.u32 %rd7, %r9, 4;\n"
                            "add.s64 %rd8, %rd1, %rd7;\nld.global.u32 %r10, [%rd8];\n"));
  ASSERT_EQ(evaluation.accesses.size(), 2U);
  EXPECT_EQ(evaluation.accesses[0].by_data, 0);
  EXPECT_EQ(evaluation.accesses[1].by_data, 1);
}

TEST(CalledFunctions, WhoCallsMayPassEachLaneAnotherArgument) {
  const std::string text = std::string(kHead) + std::string(kLoadAt);
  const ptx::Module module(text);
  const ptx::Function function = module.Read(module.functions().at(0));
  const ptx::ControlFlow flow(function);
  const FunctionFormulas formulas(function, flow);
  const FormulaLanes lanes(formulas);
  for (std::uint32_t i = 0; i < function.instructions.size(); ++i) {
    if (formulas.Of(i) == nullptr) continue;
    EXPECT_EQ(lanes.Of(i).kind, LanePart::Kind::kNotKnown);
  }
}

}  // namespace
}  // namespace coalcheck::address
