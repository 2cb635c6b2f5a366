// SPDX-License-Identifier: Apache-2.0
//
// Which calls are replaced by what they call, and which stay.
#include "libcoalcheck/ptx/inline_calls.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <string_view>

#include "libcoalcheck/ptx/slice.h"

namespace coalcheck::ptx {
namespace {

std::string BodyOf(std::string_view name, std::string_view statements) {
  return ".func " + std::string(name) + "(.param .b64 p)\n{\nld.param.u64 %rd1, [p];\n" +
         std::string(statements) + "ret;\n}\n";
}

std::string CallOf(std::string_view name) {
  return "{\n.param .b64 param0;\nst.param.b64 [param0], %rd1;\ncall.uni " + std::string(name) +
         ", (param0);\n}\n";
}

Function InlinedInto(const std::string& functions, std::string_view body,
                     std::size_t most = kMostInlined) {
  const std::string text = ".version 9.0\n" + functions +
                           ".entry k(.param .u64 k_param_0)\n{\nld.param.u64 %rd1, [k_param_0];\n" +
                           std::string(body) + "ret;\n}\n";
  const Module module(text);
  return WithCallsInlined(
      module, module.Read(*module.Find("k")),
      [](std::string_view) -> const Module* { return nullptr; }, most);
}

std::ptrdiff_t CountOf(const Function& function, Op op) {
  return std::ranges::count_if(function.instructions,
                               [op](const Instruction& one) { return one.code.op == op; });
}

constexpr std::string_view kLoad = "ld.global.u32 %r1, [%rd1];\n";

TEST(InlineCalls, ABodyTakesTheCallsPlaceAndItsReturnsBecomeBranches) {
  const Function function = InlinedInto(BodyOf("f", kLoad), CallOf("f"));
  EXPECT_EQ(CountOf(function, Op::kCall), 0);
  EXPECT_EQ(CountOf(function, Op::kRet), 1);
  EXPECT_EQ(CountOf(function, Op::kBra), 1);
}

TEST(InlineCalls, TheTextOfABodyIsCountedOnceForEachCaller) {
  const std::string body = BodyOf("f", kLoad);
  const Function function = InlinedInto(body, CallOf("f") + CallOf("f"));
  EXPECT_EQ(function.inlined_bytes, body.size() - 1 + 256);  // without the last line's end
}

TEST(InlineCalls, WhatTheAssemblerKeptOfALoadStaysKnown) {
  const std::string text = ".version 9.0\n" +
                           BodyOf("f", "ld.global.v4.u32 {%r1, %r2, %r3, %r4}, [%rd1];\n") +
                           ".entry k(.param .u64 k_param_0)\n{\nld.param.u64 %rd1, [k_param_0];\n" +
                           CallOf("f") + "ret;\n}\n";
  constexpr std::uint32_t kLineOfLoad = 5;
  for (const bool are_copies_alike : {true, false}) {
    Module module(text);
    module.NoteLoad(kLineOfLoad, 4);
    module.NoteLoad(kLineOfLoad, are_copies_alike ? 4 : 16);
    const Function inlined =
        WithCallsInlined(module, module.Read(*module.Find("k")),
                         [](std::string_view) -> const Module* { return nullptr; });
    const auto load = std::ranges::find_if(
        inlined.instructions, [](const Instruction& one) { return one.code.vector == 4; });
    ASSERT_NE(load, inlined.instructions.end());
    EXPECT_EQ(WidthOf(inlined, *load), are_copies_alike ? 4U : 16U);
    EXPECT_EQ(load->is_kept_unevenly, !are_copies_alike);
  }
}

TEST(InlineCalls, BodiesWithCallsAreInlinedToo) {
  const Function function =
      InlinedInto(BodyOf("f", kLoad) + BodyOf("g", CallOf("f") + CallOf("f")), CallOf("g"));
  EXPECT_EQ(CountOf(function, Op::kCall), 0);
  EXPECT_EQ(function.instructions.size(), 1 + 1 + (1 + 2 * (1 + 3) + 1) + 1U);
}

TEST(InlineCalls, FunctionsWithoutAnInstructionThatCallEachOtherComeToAnEnd) {
  std::string functions = ".func f0() { }\n";
  for (int i = 1; i < 15; ++i) {
    functions += ".func f" + std::to_string(i) + "() {\n";
    for (int k = 0; k < 20; ++k) functions += "call f" + std::to_string(i - 1) + ";\n";
    functions += "}\n";
  }
  const Function function = InlinedInto(functions, "call f14;\n", 1000);
  EXPECT_LE(function.inlined_calls, 1000U);
  EXPECT_GT(CountOf(function, Op::kCall), 0);
}

TEST(InlineCalls, ACallOfItselfStays) {
  const Function function = InlinedInto(BodyOf("f", CallOf("f")), CallOf("f"));
  EXPECT_EQ(CountOf(function, Op::kCall), 1);
}

TEST(InlineCalls, ACallThatHasAGuardStays) {
  EXPECT_EQ(CountOf(InlinedInto(BodyOf("f", kLoad), "@%p1 call.uni f, (k_param_0);\n"), Op::kCall),
            1);
}

TEST(InlineCalls, ACallThroughARegisterOrOfWhatNobodyKnowsStays) {
  EXPECT_EQ(CountOf(InlinedInto("", "call %rd2, (k_param_0), prototype_0;\n"), Op::kCall), 1);
  EXPECT_EQ(CountOf(InlinedInto("", CallOf("vprintf")), Op::kCall), 1);
}

TEST(InlineCalls, ACallWithOtherParametersThanTheBodyHasStays) {
  EXPECT_EQ(
      CountOf(InlinedInto(BodyOf("f", kLoad), "call.uni f, (k_param_0, k_param_0);\n"), Op::kCall),
      1);
  EXPECT_EQ(CountOf(InlinedInto(BodyOf("f", kLoad), "call.uni f, (%rd1);\n"), Op::kCall), 1);
}

std::string Repeated(int times, std::string_view text) {
  std::string all;
  for (int i = 0; i < times; ++i) all += text;
  return all;
}

TEST(InlineCalls, CallsStayBeyondTheMostEntriesOfJumpTables) {
  const std::string table = "x:\nt: .branchtargets " + Repeated(99, "x,") + "x;\nbrx.idx %r1, t;\n";
  const Function function =
      InlinedInto(".func f() {\n" + table + "}\n", Repeated(50, "call f;\n"), 1000);
  EXPECT_EQ(function.inlined_calls, 9U);  // with its end a table has 101 entries
  EXPECT_EQ(CountOf(function, Op::kCall), 41);
}

TEST(InlineCalls, CallsStayBeyondTheMostElementsOfVectors) {
  const std::string vector = "{" + Repeated(49, "%r1,") + "%r1}";
  const std::string body = "tex " + Repeated(39, vector + ", ") + vector + ";\n";
  const Function function =
      InlinedInto(".func f() {\n" + body + "}\n", Repeated(50, "call f;\n"), 1000);
  EXPECT_EQ(function.inlined_calls, 8U);  // of 2000 elements each
  EXPECT_EQ(CountOf(function, Op::kCall), 42);
}

TEST(InlineCalls, VariablesOfTheModuleAreCountedForEachBody) {
  const std::string body = BodyOf("f", kLoad);
  const std::size_t without = InlinedInto(body, CallOf("f")).inlined_bytes;
  const std::string variables = ".global .b8 g0;\n.global .b8 g1;\n";
  EXPECT_EQ(InlinedInto(variables + body, CallOf("f")).inlined_bytes, without + 2 * 4U);
}

TEST(InlineCalls, CallsStayBeyondTheMostInstructions) {
  std::string functions = BodyOf("f0", kLoad);
  for (int i = 1; i < 40; ++i) {
    const std::string before = "f" + std::to_string(i - 1);
    functions += BodyOf("f" + std::to_string(i), CallOf(before) + CallOf(before));
  }
  const Function function = InlinedInto(functions, CallOf("f39"), 1000);
  EXPECT_GT(CountOf(function, Op::kCall), 0);
  EXPECT_LT(function.instructions.size(), 1000U + 64U);
}

}  // namespace
}  // namespace coalcheck::ptx
