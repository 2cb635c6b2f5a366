// SPDX-License-Identifier: Apache-2.0
//
// Guards and loops: whom they let through, and how long a row is at least where they do.
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "tests/unit/prediction/small_kernel.h"

namespace coalcheck::prediction {
namespace {

TEST(PredictGuards, LetsAGuardByAParameterPassWholeWarps) {
  const AccessPrediction one =
      Kernel("setp.ge.s32 %p1, %r3, %r2;\n@%p1 ret;\nmov.u32 %r9, %r3;\n" + kLoad).Predict();
  EXPECT_EQ(one.most.lanes.count(), 32 * one.most.requests.count());
  EXPECT_EQ(Most(one), 0);
}

TEST(PredictGuards, LeavesOpenWhomLanesOwnDataLetThrough) {
  const std::string guard = "setp.eq.s32 %p1, %r8, 0;\n@%p1 ret;\nmov.u32 %r9, %r3;\n";
  const AccessPrediction own = Kernel(
                                   "mul.wide.s32 %rd4, %r3, 4;\nadd.s64 %rd5, %rd1, %rd4;\n"
                                   "ld.global.u32 %r8, [%rd5];\n" +
                                   guard + kLoad)
                                   .PredictLast();
  EXPECT_EQ(Least(own), 0);
  EXPECT_GT(Most(own), 0.7);
  EXPECT_EQ(own.open.ptx_lines, std::vector<std::uint32_t>{kBodyLine + 2});
  EXPECT_FALSE(own.open.lanes_by_data);
  const AccessPrediction same =
      Kernel(
          "ld.global.u32 %r8, [%rd1];\nsetp.ge.s32 %p1, %r3, %r8;\n@%p1 ret;\n"
          "mov.u32 %r9, %r3;\n" +
          kLoad)
          .PredictLast();
  EXPECT_EQ(Most(same), 0);
}

TEST(PredictGuards, LeavesOpenWhomAParameterLetsThroughOneByOne) {
  const std::string parity = "add.s32 %r6, %r3, %r2;\nand.b32 %r6, %r6, 1;\n";
  const std::string access = "@%p1 ret;\nmov.u32 %r9, %r3;\n" + kLoad;
  for (const std::string compare : {"eq", "ne"}) {
    const AccessPrediction one =
        Kernel(parity + "setp." + compare + ".s32 %p1, %r6, 0;\n" + access).Predict();
    EXPECT_EQ(Least(one), 0);
    EXPECT_GT(Most(one), 0.7);
    EXPECT_EQ(one.open.parameters, std::vector<std::uint32_t>{1});
  }
}

TEST(PredictGuards, KnowsThatAnEqualParameterLeavesOutOneLaneAtMost) {
  const std::string access = "@%p1 ret;\nmul.lo.s32 %r9, %r3, %r6;\n" + kLoad;
  const auto predict = [&](const std::string& step, const std::string& compare) {
    return Kernel("mov.u32 %r6, " + step + ";\nsetp." + compare + ".s32 %p1, %r3, %r2;\n" + access)
        .Predict();
  };
  EXPECT_EQ(Most(predict("1", "eq")), 0);
  EXPECT_DOUBLE_EQ(Least(predict("8", "eq")), 0.875);
  EXPECT_EQ(Least(predict("8", "ne")), 0);  // one lane alone takes part
}

TEST(PredictGuards, DoesNotForgiveAGuardByTheThread) {
  const AccessPrediction one = Kernel(
                                   "and.b32 %r6, %r1, 1;\nsetp.ne.s32 %p1, %r6, 0;\n@%p1 ret;\n"
                                   "mov.u32 %r9, %r3;\n" +
                                   kLoad)
                                   .Predict();
  EXPECT_DOUBLE_EQ(Least(one), 0.5);
}

TEST(PredictGuards, TakesFromAGuardHowLongARowIsAtLeast) {
  const std::string rows = "mul.lo.s32 %r9, %r3, %r2;\n" + kLoad;
  const std::string guard = "setp.ge.s32 %p1, %r3, %r2;\n";
  EXPECT_DOUBLE_EQ(Least(Kernel(guard + "@%p1 bra D;\n" + rows + "D:\n").Predict()), 0.875);
  EXPECT_DOUBLE_EQ(Least(Kernel(guard + "@%p1 ret;\n" + rows).Predict()), 0.875);
  // On the other side it is not known.
  EXPECT_EQ(Least(Kernel(guard + "@!%p1 bra D;\n" + rows + "D:\n").Predict()), 0);
}

TEST(PredictGuards, TakesFromBothPartsOfAGuardWhatTheySay) {
  const std::string rows = "mul.lo.s32 %r9, %r3, %r2;\n" + kLoad + "D:\n";
  const std::string both = "setp.ge.s32 %p1, %r3, %r2;\nsetp.gt.s32 %p2, %r1, 5000;\n";
  const std::string one_of = both + "or.pred %p3, %p1, %p2;\n@%p3 bra D;\n" + rows;
  EXPECT_DOUBLE_EQ(Least(Kernel(one_of).Predict()), 0.875);
  const std::string joined = "setp.gt.s32 %p2, %r2, 5;\nsetp.lt.and.s32 %p1, %r3, %r2, %p2;\n";
  EXPECT_DOUBLE_EQ(Least(Kernel(joined + "@!%p1 bra D;\n" + rows).Predict()), 0.875);
  EXPECT_EQ(Least(Kernel(joined + "@%p1 bra D;\n" + rows).Predict()), 0);
}

TEST(PredictGuards, TakesARowThatALoopGoesAlongToBeLongerThanOne) {
  const AccessPrediction one = Kernel(
                                   "mul.lo.s32 %r8, %r3, %r2;\nmov.u32 %r7, 0;\n"
                                   "L:\nadd.s32 %r9, %r8, %r7;\n" +
                                   kLoad +
                                   "add.s32 %r7, %r7, 1;\nsetp.lt.s32 %p1, %r7, %r2;\n"
                                   "@%p1 bra L;\n")
                                   .Predict();
  EXPECT_GT(Least(one), 0.2);
  EXPECT_LT(Least(one), 0.5);  // of its first round nothing is known
}

TEST(PredictGuards, TakesAProductOfGuardedRowsToBeAsLong) {
  const std::string square = "mul.lo.s32 %r7, %r2, %r2;\nmul.lo.s32 %r9, %r3, %r7;\n" + kLoad;
  EXPECT_EQ(Least(Kernel(square).Predict()), 0);
  const AccessPrediction one = Kernel("setp.lt.s32 %p1, %r2, 4;\n@%p1 ret;\n" + square).Predict();
  EXPECT_DOUBLE_EQ(Least(one), 0.875);
}

TEST(PredictGuards, LeavesARowOfLengthOneOpen) {
  const AccessPrediction one =
      Kernel("setp.lt.s32 %p1, %r2, 1;\n@%p1 ret;\nmul.lo.s32 %r9, %r3, %r2;\n" + kLoad).Predict();
  EXPECT_EQ(Least(one), 0);
  EXPECT_DOUBLE_EQ(Most(one), 0.875);
}

TEST(PredictGuards, TakesNothingFromAGuardByLoadedData) {
  const AccessPrediction one = Kernel(
                                   "ld.global.u32 %r8, [%rd1];\nsetp.ge.s32 %p1, %r3, %r8;\n"
                                   "@%p1 ret;\nmul.lo.s32 %r9, %r3, %r8;\n" +
                                   kLoad)
                                   .PredictLast();
  EXPECT_EQ(Least(one), 0);
}

bool IsPassedBy(const Kernel& kernel, const KnownLaunch& launch) {
  const LaunchesOfKernel known{{launch}};
  const AccessPrediction one = kernel.Predict(&known);
  return one.open.is_passed_by && one.most.requests == Requests(0);
}

KnownLaunch OfBlock(std::uint32_t threads) {
  KnownLaunch launch;
  launch.block = address::Extent{threads, 1, 1};
  return launch;
}

KnownLaunch OfN(std::int64_t n) {
  KnownLaunch launch;
  launch.by_name["n"] = n;
  return launch;
}

const std::string kRows = "mul.lo.s32 %r9, %r3, 32;\n" + kLoad;

// if (blockDim.x > 256)
TEST(PredictGuards, KnowsWhatTheSizeOfABlockRulesOut) {
  const Kernel branch("setp.lt.u32 %p1, %r5, 257;\n@%p1 ret;\n" + kRows);
  EXPECT_TRUE(IsPassedBy(branch, OfBlock(256)));
  EXPECT_FALSE(IsPassedBy(branch, OfBlock(512)));
  EXPECT_FALSE(IsPassedBy(branch, OfN(3)));
  const Kernel guard(
      "setp.gt.u32 %p1, %r5, 256;\nmul.wide.s32 %rd2, %r3, 128;\nadd.s64 %rd3, %rd1, %rd2;\n"
      "@%p1 ld.global.f32 %f1, [%rd3];\n");
  EXPECT_TRUE(IsPassedBy(guard, OfBlock(256)));
  EXPECT_FALSE(IsPassedBy(guard, OfBlock(512)));
}

TEST(PredictGuards, KnowsWhatAnArgumentRulesOutAlsoInALoop) {
  const std::string loop = "mov.u32 %r7, 0;\n$L1:\nmad.lo.s32 %r9, %r3, 32, %r7;\n" + kLoad +
                           "add.s32 %r7, %r7, 1;\nsetp.lt.s32 %p2, %r7, %r2;\n@%p2 bra $L1;\n";
  const Kernel behind("setp.lt.s32 %p1, %r2, 10;\n@%p1 ret;\n" + loop);
  EXPECT_TRUE(IsPassedBy(behind, OfN(3)));
  EXPECT_FALSE(IsPassedBy(behind, OfN(12)));
  // for (j = 0; j < n; ++j) if (j > 5)
  const Kernel inside("mov.u32 %r7, 0;\n$L1:\nsetp.lt.s32 %p1, %r7, 6;\n@%p1 bra $next;\n" + kRows +
                      "$next:\nadd.s32 %r7, %r7, 1;\nsetp.lt.s32 %p2, %r7, %r2;\n@%p2 bra $L1;\n");
  EXPECT_TRUE(IsPassedBy(inside, OfN(3)));
  EXPECT_FALSE(IsPassedBy(inside, OfN(8)));
}

TEST(PredictGuards, RulesNothingOutThatThreadsDecideThatWereNotTried) {
  const Kernel kernel("setp.ne.s32 %p1, %r1, 100;\n@%p1 ret;\n" + kRows);
  EXPECT_FALSE(IsPassedBy(kernel, OfBlock(256)));
}

}  // namespace
}  // namespace coalcheck::prediction
