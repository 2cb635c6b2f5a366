// SPDX-License-Identifier: Apache-2.0
//
// What the formula of an address says of lanes, siblings and loops where no launch is evaluated.
#include "libcoalcheck/findings/explaining/formula_facts.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

#include "libcoalcheck/findings/explaining/explanations.h"
#include "libcoalcheck/ptx/slice.h"

namespace coalcheck::findings {
namespace {

using patterns::AddressFact;
using patterns::ByteStep;
using ::testing::IsEmpty;
using ::testing::Optional;

constexpr recording::Dim3 kBlock{64, 2, 1};

// k(float*, int), with the global index in %r1, whose loads were counted once each.
class Kernel {
 public:
  explicit Kernel(const std::string& body)
      : text_(
            ".version 9.0\n.target sm_90\n.address_size 64\n"
            ".visible .entry k(.param .u64 p, .param .u32 n)\n{\n"
            ".reg .pred %p<9>;\n.reg .b32 %r<99>;\n.reg .b64 %rd<99>;\n"
            "ld.param.u64 %rd1, [p];\nld.param.u32 %r2, [n];\nmov.u32 %r3, %ctaid.x;\n"
            "mov.u32 %r4, %ntid.x;\nmov.u32 %r5, %tid.x;\nmad.lo.s32 %r1, %r3, %r4, %r5;\n" +
            body + "ret;\n}\n") {
    function_.name = "k";
    function_.ptx_text = text_;
    const ptx::Module module(text_);
    const ptx::Function code = module.Read(module.functions().at(0));
    for (const ptx::Instruction& one : code.instructions) {
      if (!ptx::IsGlobalAccess(one)) continue;
      cubin::GlobalAccess access;
      access.pc = PcOffset(static_cast<std::uint32_t>(16 * function_.accesses.size()));
      access.width = Bytes(4);
      access.ptx_line = one.line;
      function_.accesses.push_back(access);
      RawCounts& counts = counted_.instructions[access.pc].counts;
      counts.direct.requests = Requests(1);
    }
  }

  void NeverRan(std::uint32_t access) {
    counted_.instructions[PcOffset(16 * access)].counts.direct.requests = Requests(0);
  }

  Explanation Explain(std::uint32_t access,
                      const std::optional<recording::Dim3>& block = kBlock) const {
    address::PtxModules modules;
    StepsLeft steps{1000, 0};
    const Explanations explanations(function_, modules, counted_, steps);
    const Variant variant{block, {}};
    return explanations.At(PcOffset(16 * access), &variant);
  }
  AddressFact FactOf(std::uint32_t access,
                     const std::optional<recording::Dim3>& block = kBlock) const {
    return Explain(access, block).fact;
  }

 private:
  std::string text_;
  cubin::Function function_;
  FunctionAggregate counted_;
};

// x[12 i + offset], in bytes.
std::string Field(int offset) {
  return "mul.wide.s32 %rd2, %r1, 12;\nadd.s64 %rd3, %rd1, %rd2;\nld.global.f32 %f1, [%rd3+" +
         std::to_string(offset) + "];\n";
}

TEST(StepsLeft, AreSharedByTheLaunchesThatAreStillToBeEvaluated) {
  StepsLeft steps{1000, 0, 4};
  EXPECT_EQ(steps.ShareOfLaunch(), 250U);
  steps.launches = 900;
  steps.to_evaluate = 1;
  EXPECT_EQ(steps.ShareOfLaunch(), 900U);
  steps.to_evaluate = 0;
  EXPECT_EQ(steps.ShareOfLaunch(), 900U);
}

TEST(FormulaFacts, AStepBetweenLanesIsANumber) {
  const AddressFact fact = Kernel(Field(0)).FactOf(0);
  EXPECT_EQ(fact.form, AddressFact::Form::kAffine);
  EXPECT_EQ(fact.lane_step, ByteStep(12));
  EXPECT_FALSE(fact.step_of_run);
}

TEST(FormulaFacts, AStepIsSaidOnlyOfBlocksWhoseWarpsLieAlongARow) {
  const Kernel kernel(Field(0));
  EXPECT_EQ(kernel.FactOf(0, std::nullopt).form, AddressFact::Form::kNotKnown);
  EXPECT_EQ(kernel.FactOf(0, recording::Dim3{16, 16, 1}).form, AddressFact::Form::kNotKnown);
}

TEST(FormulaFacts, OneAddressForAllLanesIsThatInEveryBlock) {
  const AddressFact fact = Kernel("ld.global.f32 %f1, [%rd1];\n").FactOf(0, std::nullopt);
  EXPECT_EQ(fact.form, AddressFact::Form::kAffine);
  EXPECT_EQ(fact.lane_step, ByteStep(0));
}

TEST(FormulaFacts, AStepThatAParameterDecidesIsAffineWithoutANumber) {
  const AddressFact fact =
      Kernel(
          "mul.lo.s32 %r6, %r1, %r2;\nmul.wide.s32 %rd2, %r6, 4;\nadd.s64 %rd3, %rd1, %rd2;\n"
          "ld.global.f32 %f1, [%rd3];\n")
          .FactOf(0);
  EXPECT_EQ(fact.form, AddressFact::Form::kAffine);
  EXPECT_EQ(fact.lane_step, std::nullopt);
  EXPECT_TRUE(fact.step_of_run);
}

TEST(FormulaFacts, AGatherIsDecidedByItsLoad) {
  const Kernel kernel(Field(0) +
                      "cvt.rzi.s32.f32 %r7, %f1;\nmul.wide.s32 %rd4, %r7, 4;\n"
                      "add.s64 %rd5, %rd1, %rd4;\nld.global.f32 %f2, [%rd5];\n");
  EXPECT_EQ(kernel.FactOf(1).form, AddressFact::Form::kLoaded);
  EXPECT_EQ(kernel.Explain(0).standing, Standing::kNotEvaluated);
  EXPECT_EQ(kernel.Explain(1).standing, Standing::kDecidedByData);
  EXPECT_EQ(kernel.Explain(1).data_lines.size(), 1U);
}

// The value of a flag that is loaded decides how many rounds there are.
TEST(FormulaFacts, AnAddressBehindALoopThatDataEndIsDecidedByThem) {
  const Kernel kernel(
      "mov.u32 %r8, 0;\nL:\nadd.s32 %r8, %r8, 1;\nld.global.u32 %r9, [%rd1];\n"
      "setp.lt.s32 %p1, %r8, %r9;\n@%p1 bra L;\nmul.wide.s32 %rd7, %r8, 4;\n"
      "add.s64 %rd8, %rd1, %rd7;\nld.global.f32 %f4, [%rd8];\n");
  EXPECT_EQ(kernel.Explain(1).standing, Standing::kDecidedByData);
}

TEST(FormulaFacts, FieldsOfOneStructureAreSiblings) {
  const AddressFact fact = Kernel(Field(0) + Field(8)).FactOf(1);
  ASSERT_TRUE(fact.siblings.has_value());
  ASSERT_EQ(fact.siblings->size(), 1U);
  EXPECT_EQ(fact.siblings->front().from_here, ByteStep(-8));
}

// if (mode == 0) v = p[i].x; else v = p[i].y + p[i].z;
TEST(FormulaFacts, AnAccessThatNeverRanUsesNothing) {
  Kernel kernel(Field(0) + Field(4) + Field(8));
  kernel.NeverRan(1);
  kernel.NeverRan(2);
  EXPECT_THAT(kernel.FactOf(0).siblings, Optional(IsEmpty()));
}

TEST(FormulaFacts, BesideAnAddressThatIsNotKnownSiblingsAreNotKnown) {
  const Kernel kernel(Field(0) + "nobody.knows.b64 %rd6, %rd1;\nld.global.f32 %f3, [%rd6];\n");
  EXPECT_EQ(kernel.FactOf(0).form, AddressFact::Form::kAffine);
  EXPECT_EQ(kernel.FactOf(0).siblings, std::nullopt);
}

TEST(FormulaFacts, ALoopTakesAnAddressFurtherByItsStep) {
  const std::string loop =
      "mov.u32 %r8, 0;\nL:\nadd.s32 %r9, %r8, %r1;\nmul.wide.s32 %rd7, %r9, 4;\n"
      "add.s64 %rd8, %rd1, %rd7;\nld.global.f32 %f4, [%rd8];\nadd.s32 %r8, %r8, 256;\n"
      "setp.lt.s32 %p1, %r8, %r2;\n@%p1 bra L;\n";
  const Kernel kernel(Field(0) + loop);
  EXPECT_EQ(kernel.FactOf(0).loop_step, ByteStep(0));
  EXPECT_EQ(kernel.FactOf(1).loop_step, ByteStep(1024));
}

}  // namespace
}  // namespace coalcheck::findings
