// SPDX-License-Identifier: Apache-2.0
//
// What addresses depend on.
#include "libcoalcheck/ptx/slice.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <string_view>
#include <vector>

#include "libcoalcheck/ptx/loaded_floats.h"
#include "libcoalcheck/ptx/reader.h"

namespace coalcheck::ptx {
namespace {

Function ReadBody(const std::string& body) {
  static std::string text;
  text = ".entry k(.param .u64 a) {" + body + "}";
  const Module module(text);
  return module.Read(module.functions().at(0));
}

std::string SliceOf(const std::string& body) {
  std::string marks;
  const Function function = ReadBody(body);
  for (const bool is_relevant : AddressSlice(function, ControlFlow(function)).instructions)
    marks += is_relevant ? '+' : '-';
  return marks;
}

TEST(Slice, HoldsWhatAnAddressIsMadeOfAndNotWhatIsStored) {
  EXPECT_EQ(SliceOf("ld.param.u64 %rd1, [a]; mov.u32 %r1, %tid.x; mul.f32 %f1, %f2, %f3;"
                    "mul.wide.u32 %rd2, %r1, 4; add.s64 %rd3, %rd1, %rd2;"
                    "st.global.f32 [%rd3], %f1; ret;"),
            "++-++++");
}

TEST(Slice, HoldsABranchThatDecidesWhetherMemoryIsAccessedAndWhatItDependsOn) {
  EXPECT_EQ(SliceOf("setp.lt.s32 %p1, %r1, %r2; add.s32 %r9, %r9, 1; @%p1 bra L;"
                    "st.global.u32 [%rd1], %r9; L: ret;"),
            "+-+++");
}

TEST(Slice, LeavesOutABranchOnWhoseWaysNothingMatters) {
  EXPECT_EQ(SliceOf("setp.lt.f32 %p1, %f1, %f2; @%p1 bra L; neg.f32 %f1, %f1; L:"
                    "st.global.f32 [%rd1], %f1; ret;"),
            "---++");
}

TEST(Slice, HoldsABranchThatChoosesAnAddress) {
  EXPECT_EQ(SliceOf("setp.lt.f32 %p1, %f1, %f2; @%p1 bra L; mov.u64 %rd1, %rd2; L:"
                    "st.global.f32 [%rd1], %f1; ret;"),
            "+++++");
}

TEST(Slice, FollowsTwoHundredThousandBranchesThatDecideOnEachOther) {
  std::string body;
  for (int i = 0; i < 200'000; ++i) body += "@%p1 bra L;";
  const std::string marks = SliceOf(body + "st.global.f32 [%rd1], %f1; L: ret;");
  EXPECT_EQ(marks.find('-'), std::string::npos);
}

TEST(Slice, HoldsABranchThatDecidesWhetherAnotherOneIsReached) {
  EXPECT_EQ(SliceOf("@%p1 bra L; neg.f32 %f1, %f1; @%p2 bra L; st.global.f32 [%rd1], %f1; L: ret;"),
            "+-+++");
}

TEST(Slice, HoldsTheEndOfALoopThatAccessesMemoryAndNotOfOneThatComputes) {
  EXPECT_EQ(SliceOf("L: st.global.f32 [%rd1], %f1; add.s32 %r1, %r1, 1;"
                    "setp.lt.s32 %p1, %r1, %r2; @%p1 bra L; ret;"),
            "+++++");
  EXPECT_EQ(SliceOf("L: fma.rn.f32 %f1, %f1, %f1, %f1; add.s32 %r1, %r1, 1;"
                    "setp.lt.s32 %p1, %r1, %r2; @%p1 bra L; st.global.f32 [%rd1], %f1; ret;"),
            "----++");
}

TEST(Slice, HoldsAnEarlyEndBeforeAnAccess) {
  EXPECT_EQ(SliceOf("@%p1 ret; st.global.f32 [%rd1], %f1; @%p2 ret; neg.f32 %f1, %f1; ret;"),
            "++--+");
}

TEST(Slice, FollowsAnIndexThroughTheLoadThatBringsIt) {
  EXPECT_EQ(SliceOf("mov.u64 %rd1, 0; ld.global.u32 %r1, [%rd1]; mul.wide.s32 %rd2, %r1, 4;"
                    "ld.global.f32 %f1, [%rd2]; ret;"),
            "+++++");
}

TEST(Slice, FollowsAnAddressThroughTheStack) {
  EXPECT_EQ(SliceOf("mov.u32 %r1, %tid.x; st.local.u32 [%rd9], %r1; ld.local.u64 %rd1, [%rd9];"
                    "ld.global.f32 %f1, [%rd1]; ret;"),
            "+++++");
}

TEST(Slice, KnowsBothResultsOfAComparisonAndOfAShuffle) {
  const Function function = ReadBody(
      "setp.lt.s32 %p1|%p2, %r1, %r2; shfl.sync.idx.b32 %r3|%p3, %r4, 0, 31, -1;"
      "setp.lt.and.s32 %p4, %r1, %r2, %p1; ld.global.v2.u32 {%r5, %r6}, [%rd1];"
      "@%p1 st.global.u32 [%rd1], %r5;");
  const auto names = [&](const std::vector<std::uint32_t>& registers) {
    std::string text;
    for (const std::uint32_t id : registers) text += std::string(function.registers[id]) + " ";
    return text;
  };
  const auto& all = function.instructions;
  EXPECT_EQ(names(Writes(function, all[0])), "%p1 %p2 ");
  EXPECT_EQ(names(Reads(function, all[0])), "%r1 %r2 ");
  EXPECT_EQ(names(Writes(function, all[1])), "%r3 %p3 ");
  EXPECT_EQ(names(Writes(function, all[2])), "%p4 ");
  EXPECT_EQ(names(Reads(function, all[2])), "%r1 %r2 %p1 ");
  EXPECT_EQ(names(Writes(function, all[3])), "%r5 %r6 ");
  EXPECT_EQ(names(Writes(function, all[4])), "");
  EXPECT_EQ(names(Reads(function, all[4])), "%p1 %rd1 %r5 ");
}

TEST(Slice, TakesTheGlobalAddressOfAnAsynchronousCopy) {
  const Function function =
      ReadBody("cp.async.cg.shared.global [%r1], [%rd2+16], 16; ld.shared.u32 %r3, [%r1];");
  ASSERT_NE(GlobalAddress(function, function.instructions[0]), nullptr);
  EXPECT_EQ(GlobalAddress(function, function.instructions[0])->value, 16);
  EXPECT_EQ(GlobalAddress(function, function.instructions[1]), nullptr);
}

std::vector<std::string_view> LoadedRegistersOf(const std::string& body) {
  const Function function = ReadBody(body);
  const std::vector<std::uint32_t> loads = LoadedValues(function);
  std::vector<std::string_view> names;
  for (std::size_t i = 0; i < loads.size(); ++i) {
    if (loads[i] != kNone) names.push_back(function.registers[i]);
  }
  return names;
}

TEST(LoadedValues, DecideWhateverIsComputedWithThemInFloatingPoint) {
  EXPECT_THAT(LoadedRegistersOf("ld.global.f32 %f1, [%rd1]; mul.f32 %f2, %f9, %f1;"
                                "sqrt.approx.f32 %f3, %f2; setp.lt.f32 %p1, %f8, %f3; ret;"),
              testing::UnorderedElementsAre("%f1", "%f2", "%f3", "%p1"));
}

TEST(LoadedValues, DecideNothingThatAnotherValueMayStandIn) {
  EXPECT_THAT(LoadedRegistersOf("ld.global.f32 %f1, [%rd1]; mov.f32 %f2, 0f00000000;"
                                "add.f32 %f2, %f2, %f1; selp.f32 %f3, %f1, %f9, %p1;"
                                "@%p1 mov.f32 %f4, %f1; and.b32 %r1, %f1, 0;"
                                "ld.local.f32 %f5, [%rd2]; setp.lt.and.f32 %p2, %f1, %f9, %p3;"
                                "ret;"),
              testing::UnorderedElementsAre("%f1"));
}

}  // namespace
}  // namespace coalcheck::ptx
