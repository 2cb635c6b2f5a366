// SPDX-License-Identifier: Apache-2.0
//
// Formulas of small PTX functions, in words.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "libcoalcheck/address/formula_lanes.h"
#include "libcoalcheck/address/formula_words.h"
#include "libcoalcheck/address/function_formulas.h"
#include "libcoalcheck/ptx/reader.h"
#include "tests/support/linear_time.h"

namespace coalcheck::address {
namespace {

using testing::StartsWith;

// A kernel with three pointers (%rd1 to %rd3), two integers (%r1, %r2), thread and block index
// (%r3, %r4), block size (%r5) and the index in the grid (%r6).
std::string KernelOf(const std::string& body) {
  return R"(.version 9.0
.target sm_90
.address_size 64

.visible .entry k(.param .u64 a, .param .u64 b, .param .u64 c, .param .u32 n, .param .u32 m)
{
ld.param.u64 %rd1, [a]; ld.param.u64 %rd2, [b]; ld.param.u64 %rd3, [c];
ld.param.u32 %r1, [n]; ld.param.u32 %r2, [m];
mov.u32 %r3, %tid.x; mov.u32 %r4, %ctaid.x; mov.u32 %r5, %ntid.x; mad.lo.s32 %r6, %r4, %r5, %r3;
)" + body +
         "\nret;\n}\n";
}

// Line 10 of the text is the first of a body.
struct Access {
  std::string words;
  std::string lanes;
  LanePart part;
};

std::vector<Access> AccessesOf(const std::string& body) {
  const std::string text = KernelOf(body);
  const ptx::Module module(text);
  const ptx::Function function = module.Read(module.functions().at(0));
  const ptx::ControlFlow flow(function);
  const FunctionFormulas formulas(function, flow);
  const FormulaLanes lanes(formulas);
  FormulaNames names{{"float*", "int const*", "float const*", "int", "unsigned int"},
                     [](std::uint32_t line) { return "line " + std::to_string(line); }};
  std::vector<Access> accesses;
  for (std::uint32_t i = 0; i < function.instructions.size(); ++i) {
    const Formula* address = formulas.Of(i);
    if (address == nullptr) continue;
    accesses.push_back({Words(formulas, *address, names),
                        LaneWords(formulas, lanes.Of(i), Bytes(4), names), lanes.Of(i)});
  }
  return accesses;
}

std::string WordsOf(const std::string& body) { return AccessesOf(body).back().words; }
std::string LanesOf(const std::string& body) { return AccessesOf(body).back().lanes; }

constexpr char kGather[] = R"(mul.wide.s32 %rd4, %r4, 4; add.s64 %rd4, %rd2, %rd4;
ld.global.u32 %r7, [%rd4];
and.b32 %r8, %r3, 31; add.s32 %r8, %r8, %r7;
mul.wide.s32 %rd5, %r8, 4; add.s64 %rd5, %rd3, %rd5;
ld.global.f32 %f1, [%rd5];)";

TEST(Formula, NamesPointersFirstAndTheElementSizeOnce) {
  EXPECT_EQ(WordsOf("mad.lo.s32 %r7, %r6, %r1, 2; mul.wide.s32 %rd4, %r7, 4;\n"
                    "add.s64 %rd4, %rd1, %rd4; st.global.f32 [%rd4+4], %f1;"),
            "parameter 1 (float*) + 4·(blockIdx.x·blockDim.x·parameter 4 + threadIdx.x·parameter 4)"
            " + 12");
}

TEST(Formula, KeepsALoadedPartAndALanePartApart) {
  EXPECT_EQ(WordsOf(kGather),
            "parameter 3 (float const*) + 4·([loaded in line 11] + threadIdx.x % 32)");
  EXPECT_EQ(LanesOf(kGather), "consecutive threads are 4 bytes apart");
}

TEST(Formula, SaysWhichLoadScatters) {
  EXPECT_EQ(LanesOf("mul.wide.s32 %rd4, %r6, 4; add.s64 %rd4, %rd2, %rd4;\n"
                    "ld.global.u32 %r7, [%rd4]; mul.wide.s32 %rd5, %r7, 4;\n"
                    "add.s64 %rd5, %rd3, %rd5; ld.global.f32 %f1, [%rd5];"),
            "depends on what is loaded in line 11");
}

TEST(Formula, CountsAStepOfTheRunInElements) {
  EXPECT_EQ(LanesOf("mul.lo.s32 %r7, %r3, %r1; mul.wide.s32 %rd4, %r7, 4;\n"
                    "add.s64 %rd4, %rd1, %rd4; st.global.f32 [%rd4], %f1;"),
            "consecutive threads are parameter 4 elements apart");
}

TEST(Formula, TellsAPointerChosenByAFlag) {
  const std::string body =
      "setp.eq.s32 %p1, %r1, 0; selp.b64 %rd4, %rd1, %rd3, %p1;\n"
      "mul.wide.u32 %rd5, %r3, 4; add.s64 %rd4, %rd4, %rd5;\n"
      "st.global.f32 [%rd4], %f1;";
  EXPECT_EQ(WordsOf(body),
            "((parameter 4 == 0) ? parameter 1 (float*) : parameter 3 (float const*)) + "
            "4·threadIdx.x");
  EXPECT_EQ(LanesOf(body), "consecutive threads are 4 bytes apart");
}

TEST(Formula, TellsAPointerChosenByABranch) {
  EXPECT_EQ(WordsOf("setp.eq.s32 %p1, %r1, 0; mov.u64 %rd4, %rd1; @%p1 bra L;\n"
                    "bar.sync 0; mov.u64 %rd4, %rd3;\n"
                    "L: mul.wide.u32 %rd5, %r3, 4; add.s64 %rd6, %rd4, %rd5;\n"
                    "st.global.f32 [%rd6], %f1;"),
            "((parameter 4 == 0) ? parameter 1 (float*) : parameter 3 (float const*)) + "
            "4·threadIdx.x");
}

// i = t; do { a[i]; i += 64; } while (i < n);
TEST(Formula, CountsRoundsOfALoop) {
  EXPECT_EQ(WordsOf("mov.u32 %r7, %r3;\n"
                    "L: mul.wide.s32 %rd4, %r7, 4; add.s64 %rd4, %rd1, %rd4;\n"
                    "st.global.f32 [%rd4], %f1; add.s32 %r7, %r7, 64;\n"
                    "setp.lt.s32 %p1, %r7, %r1; @%p1 bra L;"),
            "parameter 1 (float*) + 4·(threadIdx.x + 64·[rounds of the loop in line 11])");
}

// A loop of four at a time and one for the rest, which goes on where the first one ended.
TEST(Formula, JoinsTheRestOfAnUnrolledLoop) {
  EXPECT_EQ(WordsOf("mov.u32 %r7, 0; setp.lt.s32 %p1, %r1, 4; @%p1 bra REST;\n"
                    "L: add.s32 %r7, %r7, 4; setp.lt.s32 %p2, %r7, %r1; @%p2 bra L;\n"
                    "REST: mul.wide.s32 %rd4, %r7, 4; add.s64 %rd4, %rd1, %rd4;\n"
                    "M: st.global.f32 [%rd4], %f1; add.s64 %rd4, %rd4, 4;\n"
                    "setp.lt.s32 %p3, %r9, %r2; @%p3 bra M;"),
            "parameter 1 (float*) + 4·([rounds of the loop in line 13] + 4·[rounds of the loop in "
            "line 11])");
}

TEST(Formula, NamesAValueThatALoopHalves) {
  EXPECT_EQ(WordsOf("shr.u32 %r7, %r5, 1;\n"
                    "L: add.s32 %r8, %r3, %r7; mul.wide.s32 %rd4, %r8, 4;\n"
                    "add.s64 %rd4, %rd1, %rd4; st.global.f32 [%rd4], %f1;\n"
                    "shr.u32 %r7, %r7, 1; setp.ne.s32 %p1, %r7, 0; @%p1 bra L;"),
            "parameter 1 (float*) + 4·(threadIdx.x + [carried by the loop in line 11 from "
            "blockDim.x / 2])");
}

// while (node >= 0) { a[node]; node = next[node]; }
TEST(Formula, NamesAValueThatALoopLoads) {
  const std::string body =
      "mov.u32 %r7, %r3;\n"
      "L: mul.wide.s32 %rd4, %r7, 4; add.s64 %rd5, %rd2, %rd4;\n"
      "ld.global.u32 %r7, [%rd5];\n"
      "setp.gt.s32 %p1, %r7, -1; @%p1 bra L;";
  EXPECT_EQ(WordsOf(body),
            "parameter 2 (int const*) + 4·[carried by the loop in line 11 from threadIdx.x]");
  EXPECT_EQ(LanesOf(body), "depends on what is loaded in line 12");
}

// Each round goes on by a number that all lanes load.
TEST(Formula, KeepsTheLanesOfASumThatALoopAddsUp) {
  const std::string body =
      "mov.u32 %r7, %r3;\n"
      "L: mul.wide.s32 %rd4, %r7, 4; add.s64 %rd5, %rd1, %rd4;\n"
      "ld.global.u32 %r8, [%rd2]; add.s32 %r7, %r7, %r8;\n"
      "st.global.f32 [%rd5], %f1;\n"
      "setp.lt.s32 %p1, %r7, %r1; @%p1 bra L;";
  EXPECT_EQ(WordsOf(body),
            "parameter 1 (float*) + 4·(threadIdx.x + [added up by the loop in line 11])");
  EXPECT_EQ(LanesOf(body), "consecutive threads are 4 bytes apart");
}

TEST(Formula, FoldsWhatCompilersMakeOfDivisions) {
  EXPECT_EQ(WordsOf("mul.hi.s32 %r7, %r6, 715827883; shr.u32 %r8, %r7, 31; shr.s32 %r9, %r7, 1;\n"
                    "add.s32 %r9, %r9, %r8; mul.lo.s32 %r10, %r9, 12; sub.s32 %r11, %r6, %r10;\n"
                    "mul.wide.s32 %rd4, %r11, 4; add.s64 %rd4, %rd1, %rd4;\n"
                    "st.global.f32 [%rd4], %f1;"),
            "parameter 1 (float*) + 4·((blockIdx.x·blockDim.x + threadIdx.x) % 12)");
}

TEST(Formula, SaysWhatIsComputedInFloatingPoint) {
  EXPECT_EQ(WordsOf("cvt.rn.f32.s32 %f2, %r6; mul.f32 %f3, %f2, 0f3F000000;\n"
                    "cvt.rzi.s32.f32 %r7, %f3; mul.wide.s32 %rd4, %r7, 4;\n"
                    "add.s64 %rd4, %rd1, %rd4; st.global.f32 [%rd4], %f1;"),
            "parameter 1 (float*) + 4·[computed in floating point in line 11]");
}

// Lanes leave the loop in rounds that they choose, so behind it their indices differ by that.
TEST(Formula, LetsLanesThatLeaveALoopAtWillDiffer) {
  EXPECT_EQ(LanesOf("mul.wide.s32 %rd4, %r3, 4; add.s64 %rd4, %rd2, %rd4;\n"
                    "ld.global.u32 %r8, [%rd4]; mov.u32 %r7, %r3;\n"
                    "L: add.s32 %r7, %r7, 32; setp.lt.s32 %p1, %r7, %r8; @%p1 bra L;\n"
                    "mul.wide.s32 %rd5, %r7, 4; add.s64 %rd5, %rd1, %rd5;\n"
                    "st.global.f32 [%rd5], %f1;"),
            "depends on what is loaded in line 11");
}

// Fields of a structure.
TEST(Formula, FindsConstantDistances) {
  const std::string text = KernelOf(
      "mul.wide.s32 %rd4, %r6, 16; add.s64 %rd4, %rd1, %rd4;\n"
      "ld.global.f32 %f1, [%rd4]; ld.global.f32 %f2, [%rd4+12];\n"
      "add.s64 %rd5, %rd2, %rd4; ld.global.f32 %f3, [%rd5];");
  const ptx::Module module(text);
  const ptx::Function function = module.Read(module.functions().at(0));
  const ptx::ControlFlow flow(function);
  const FunctionFormulas formulas(function, flow);
  std::vector<Formula> addresses;
  for (std::uint32_t i = 0; i < function.instructions.size(); ++i) {
    if (const Formula* address = formulas.Of(i)) addresses.push_back(*address);
  }
  ASSERT_EQ(addresses.size(), 3U);
  EXPECT_EQ(ConstantDistance(addresses[0], addresses[1]), 12);
  EXPECT_EQ(ConstantDistance(addresses[1], addresses[0]), -12);
  EXPECT_EQ(ConstantDistance(addresses[0], addresses[2]), std::nullopt);
}

TEST(Formula, SaysUnknownOfWhatNobodyKnows) {
  EXPECT_EQ(WordsOf("frobnicate.u32 %r7, %r3; mul.wide.u32 %rd4, %r7, 4;\n"
                    "add.s64 %rd4, %rd1, %rd4; st.global.f32 [%rd4], %f1;"),
            "parameter 1 (float*) + 4·[not known, from line 10]");
}

// Which of two definitions a predicate has is decided by what it was before.
TEST(Formula, TakesAConditionThatDecidesItself) {
  EXPECT_THAT(WordsOf("A: setp.lt.s32 %p1, %r3, %r1; @%p1 bra C;\n"
                      "B: @%p1 bra C; setp.lt.s32 %p1, %r3, %r2; @%p1 bra D;\n"
                      "C: @%p1 bra D; setp.eq.s32 %p1, %r3, %r2; @%p1 bra B;\n"
                      "D: selp.b32 %r7, %r3, %r4, %p1; mul.wide.s32 %rd4, %r7, 4;\n"
                      "add.s64 %rd4, %rd1, %rd4; st.global.f32 [%rd4], %f1; @%p1 bra B;"),
              StartsWith("parameter 1 (float*) + "));
}

// Each line doubles what it is made of: a tree of it would have 2^64 leaves.
TEST(Formula, StaysShortWhereATreeWouldBeEndless) {
  std::string body = "mov.u32 %r100, %r3;\n";
  for (int i = 0; i < 64; ++i) {
    const std::string from = "%r" + std::to_string(100 + i);
    body += "xor.b32 %x, " + from + ", %r1; mul.lo.s32 %r" + std::to_string(101 + i) + ", %x, " +
            from + ";\n";
  }
  body += "mul.wide.s32 %rd4, %r164, 4; add.s64 %rd4, %rd1, %rd4; st.global.f32 [%rd4], %f1;";
  const std::string words = WordsOf(body);
  EXPECT_THAT(words, StartsWith("parameter 1 (float*) + 4·"));
  EXPECT_NE(words.find("…"), std::string::npos);
  EXPECT_LT(words.size(), 2000U);
}

// A chain that would overflow the stack of whoever follows it by calling himself.
TEST(Formula, FollowsAChainOfEightyThousandSteps) {
  support::ExpectLinearTime(20'000, [](std::size_t steps) {
    const auto named = [](std::size_t step) { return "%r" + std::to_string(100 + step); };
    std::string body = "mov.u32 %r100, %r3;\nL:\n";
    for (std::size_t i = 0; i < steps; ++i) {
      body += "xor.b32 " + named(i + 1) + ", " + named(i) + ", %r2;\n";
    }
    body += "mul.wide.s32 %rd4, " + named(steps) +
            ", 4; add.s64 %rd4, %rd1, %rd4; st.global.f32 [%rd4], %f1;\nsetp.lt.s32 %p1, " +
            named(steps) + ", %r1; mov.u32 %r100, " + named(steps) + "; @%p1 bra L;";
    EXPECT_THAT(WordsOf(body), StartsWith("parameter 1 (float*) + 4·"));
  });
}

// A right shift by 62 of a right shift by 62 and so on: each has the sign of the one before.
TEST(Formula, FollowsTheSignOfAChainOfAHundredThousandQuotients) {
  std::string body = "cvt.s64.s32 %rd2, %r3;\n";
  for (int i = 0; i < 100'000; ++i) body += "shr.s64 %rd2, %rd2, 62;\n";
  body += "shr.u64 %rd3, %rd2, 63; add.s64 %rd4, %rd1, %rd3; st.global.f32 [%rd4], %f1;";
  EXPECT_FALSE(WordsOf(body).empty());
}

// Each search for the conditions goes through many blocks and ends without one.
TEST(FunctionFormulas, SearchesThatFindNoConditionsCountAsWork) {
  constexpr std::uint32_t kBranches = 1000;
  constexpr std::uint32_t kApart = 7919;
  std::string body;
  for (std::uint32_t i = 0; i < kBranches; ++i) {
    const std::string number = std::to_string(i);
    body += "setp.gt.u32 %p1, %r1, " + number + ";\n@%p1 bra L" +
            std::to_string(i * kApart % kBranches) + ";\nadd.s64 %rd3, %rd3, " + number +
            ";\nld.global.u32 %r2, [%rd3];\nL" + number + ":\n";
  }
  const std::string text = KernelOf(body);
  const ptx::Module module(text);
  const ptx::Function function = module.Read(module.functions().at(0));
  const ptx::ControlFlow flow(function);
  EXPECT_GT(FunctionFormulas(function, flow).work(), 500 * kBranches);
}

}  // namespace
}  // namespace coalcheck::address
