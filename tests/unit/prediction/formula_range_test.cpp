// SPDX-License-Identifier: Apache-2.0
//
// What the formula of an address says of a whole warp's request, without a warp that was followed.
#include "libcoalcheck/prediction/formula_range.h"

#include <gtest/gtest.h>

#include <cstring>
#include <optional>
#include <string>

namespace coalcheck::prediction {
namespace {

constexpr std::uint32_t kPointer = 0;  // the offset of the first parameter

// Of the only access of k(float* p, int n, int64_t m), behind `body`: the thread in x is in %r1, n
// in %r2, p in %rd1, m in %rd9, and the index in %r3.
std::optional<RequestRange> Range(const std::string& body, std::optional<std::int32_t> n = {},
                                  const std::string& access = "ld.global.f32 %f1, [%rd3];\n",
                                  std::uint32_t width = 4) {
  const std::string text =
      ".version 9.0\n.target sm_90\n.address_size 64\n"
      ".visible .entry k(.param .u64 a, .param .u32 b, .param .u64 c)\n{\n"
      "ld.param.u64 %rd1, [a]; ld.param.u32 %r2, [b]; ld.param.u64 %rd9, [c]; mov.u32 %r1, "
      "%tid.x;\n" +
      body + "mul.wide.s32 %rd2, %r3, 4; add.s64 %rd3, %rd1, %rd2;\n" + access + "ret;\n}\n";
  cubin::Function kernel;
  kernel.name = "k";
  kernel.ptx_text = text;
  address::PtxModules modules;
  const address::AccessFormulas formulas(kernel, modules);
  std::uint32_t instruction = 0;
  while (formulas.Of(instruction) == nullptr && instruction < 99) ++instruction;
  std::string arguments(24, '\0');
  if (n) std::memcpy(arguments.data() + 8, &*n, sizeof(*n));
  const std::uint32_t pointers[] = {kPointer};
  address::LaunchValues launch{{1, 1, 1}, {32, 1, 1}, {}, 0, {}, pointers};
  if (n) launch.arguments = arguments;
  return RangeByFormula(formulas, instruction, width, launch);
}

TEST(FormulaRange, OfNeighboursIsExact) {
  const auto range = Range("mov.u32 %r3, %r1;\n");
  ASSERT_TRUE(range);
  EXPECT_EQ(range->least.sectors, Sectors(4));
  EXPECT_EQ(range->most.sectors, Sectors(4));
  EXPECT_EQ(range->most.ideal_sectors, Sectors(4));
}

TEST(FormulaRange, OfAPlaceInARowThatIsNotKnownHasAWorstPlace) {
  const auto range = Range("add.s32 %r3, %r1, %r2;\n");
  ASSERT_TRUE(range);
  EXPECT_EQ(range->least.sectors, Sectors(4));
  EXPECT_EQ(range->most.sectors, Sectors(5));
}

TEST(FormulaRange, OfLanesThatShareAnAddressIsOneSector) {
  const auto range = Range("mov.u32 %r3, %r2;\n");
  ASSERT_TRUE(range);
  EXPECT_EQ(range->most.sectors, Sectors(1));
}

TEST(FormulaRange, OfAStepIsKnownWithTheArgumentAndEmptyWithout) {
  const std::string step = "mul.lo.s32 %r3, %r1, %r2;\n";
  EXPECT_FALSE(Range(step));
  const auto range = Range(step, 8);
  ASSERT_TRUE(range);
  EXPECT_EQ(range->least.sectors, Sectors(32));
  EXPECT_EQ(range->least.ideal_sectors, Sectors(4));
  const auto backwards = Range(step, -1);
  ASSERT_TRUE(backwards);
  EXPECT_EQ(backwards->least.sectors, Sectors(4));
}

TEST(FormulaRange, IsEmptyWhereLanesDifferByWhatTheyLoad) {
  EXPECT_FALSE(Range("ld.shared.u32 %r3, [%r1];\n"));
}

}  // namespace
}  // namespace coalcheck::prediction
