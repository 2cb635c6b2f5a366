// SPDX-License-Identifier: Apache-2.0
//
// Loops that run nobody knows how often: what their later rounds ask for.
#include <gtest/gtest.h>

#include <string>

#include "libcoalcheck/prediction/prediction_words.h"
#include "tests/unit/prediction/small_kernel.h"

namespace coalcheck::prediction {
namespace {

// As many rounds as the parameter says, or more than are followed; %r7 counts them. `index` gives
// %r9 its value.
Kernel Loop(const std::string& index, const std::string& rounds = "%r2") {
  return Kernel("mov.u32 %r7, 0;\n$L1:\n" + index + kLoad +
                "add.s32 %r7, %r7, 1;\nsetp.lt.s32 %p1, %r7, " + rounds + ";\n@%p1 bra $L1;\n");
}

// `before` stands at the beginning of each round, and may go on to $next, or to $end behind the
// loop.
Kernel LoopWith(const std::string& before, const std::string& start = "") {
  return Kernel("mov.u32 %r7, 0;\nmov.u32 %r9, %r3;\nand.b32 %r8, %r3, 7;\n" + start + "$L1:\n" +
                before + kLoad +
                "$next:\nadd.s32 %r7, %r7, 1;\nsetp.lt.s32 %p1, %r7, %r2;\n@%p1 bra $L1;\n$end:\n");
}

bool IsOpen(const Kernel& kernel) {
  const AccessPrediction one = kernel.Predict();
  return Least(one) == 0 && Most(one) > 0.5;
}

LaunchesOfKernel Rounds(std::int32_t n) { return FourBlocks(128, n); }

TEST(PredictRounds, ThatAddTheSameEachTimeAreKnown) {
  EXPECT_EQ(Most(Loop("mad.lo.s32 %r9, %r7, 32, %r3;\n").Predict()), 0);
  EXPECT_DOUBLE_EQ(Least(Loop("mad.lo.s32 %r9, %r3, 32, %r7;\n").Predict()), 0.875);
}

TEST(PredictRounds, ThatMoveLanesApartLaterAreOpen) {
  const AccessPrediction later =
      Loop("shr.u32 %r8, %r7, 2;\nmad.lo.s32 %r9, %r8, %r3, %r3;\n").Predict();
  EXPECT_EQ(Least(later), 0);
  EXPECT_GT(Most(later), 0.5);
  const AccessPrediction first = Loop(
                                     "setp.lt.s32 %p2, %r7, 1;\nselp.b32 %r8, 8, 1, %p2;\n"
                                     "mul.lo.s32 %r9, %r8, %r3;\n")
                                     .Predict();
  EXPECT_EQ(Least(first), 0);
}

TEST(PredictRounds, ThatMoveTheStartLaterAreOpen) {
  const AccessPrediction within = Loop("shr.u32 %r8, %r7, 2;\nadd.s32 %r9, %r8, %r3;\n").Predict();
  EXPECT_GT(Most(within), 0.1);
  // By whole sectors.
  EXPECT_EQ(Most(Loop("shr.u32 %r8, %r7, 2;\nmad.lo.s32 %r9, %r8, 8, %r3;\n").Predict()), 0);
}

TEST(PredictRounds, OfALaunchAreAllCounted) {
  const Kernel kernel =
      Loop("setp.lt.s32 %p2, %r7, 1;\nselp.b32 %r8, 8, 1, %p2;\nmul.lo.s32 %r9, %r8, %r3;\n");
  const LaunchesOfKernel known = Rounds(300);
  const AccessPrediction all = kernel.PredictLongLaunch(known, 60'000'000);
  EXPECT_EQ(all.most.requests, Requests(4800));
  EXPECT_LT(Most(all), 0.05);
}

TEST(PredictRounds, ThatALaunchHasMoreOfThanAreFollowedAreOpen) {
  const Kernel kernel = Loop("shr.u32 %r8, %r7, 9;\nmad.lo.s32 %r9, %r8, %r3, %r3;\n");
  const LaunchesOfKernel known = Rounds(1'000'000);
  const AccessPrediction some = kernel.PredictLongLaunch(known, 1'000'000);
  EXPECT_EQ(Least(some), 0);
  EXPECT_GT(Most(some), 0.5);
}

// if (j > 1000 && (i & 7)) break;
TEST(PredictRounds, ThatSomeLanesMayLeaveBeforeAreOpen) {
  const std::string late = "setp.le.s32 %p2, %r7, 1000;\n";
  EXPECT_TRUE(IsOpen(LoopWith(late + "@%p2 bra $stay;\nsetp.ne.s32 %p3, %r8, 0;\n"
                                     "@%p3 bra $end;\n$stay:\n")));
  EXPECT_TRUE(
      IsOpen(LoopWith("setp.ne.s32 %p3, %r8, 0;\nsetp.gt.and.s32 %p2, %r7, 1000, %p3;\n"
                      "@%p2 bra $end;\n")));
  EXPECT_TRUE(IsOpen(LoopWith(late + "@%p2 bra $stay;\nsetp.ne.s32 %p3, %r8, 0;\n"
                                     "@%p3 ret;\n$stay:\n")));
}

TEST(PredictRounds, ThatSomeLanesMaySkipAreOpen) {
  // if (j == 0 || (i & 7))
  EXPECT_TRUE(
      IsOpen(LoopWith("setp.eq.s32 %p2, %r7, 0;\n@%p2 bra $do;\n"
                      "setp.eq.s32 %p3, %r8, 0;\n@%p3 bra $next;\n$do:\n")));
  // if (j < (i & 7) * 100)
  EXPECT_TRUE(
      IsOpen(LoopWith("mul.lo.s32 %r10, %r8, 100;\nsetp.ge.s32 %p2, %r7, %r10;\n"
                      "@%p2 bra $next;\n")));
  // The access is guarded itself.
  EXPECT_TRUE(IsOpen(
      LoopWith("mul.wide.s32 %rd2, %r9, 4;\nadd.s64 %rd3, %rd1, %rd2;\nmul.lo.s32 %r10, %r8, 100;\n"
               "setp.lt.s32 %p2, %r7, %r10;\n@%p2 ld.global.f32 %f1, [%rd3];\n")));
}

TEST(PredictRounds, ThatGoOnWithAnotherIndexAreOpen) {
  // if (j > 1000) q = i * 32;
  EXPECT_TRUE(
      IsOpen(LoopWith("setp.gt.s32 %p2, %r7, 1000;\nshl.b32 %r10, %r3, 5;\n"
                      "selp.b32 %r9, %r10, %r9, %p2;\n")));
  // The same by way of memory of the thread's own.
  EXPECT_TRUE(
      IsOpen(LoopWith("ld.local.u32 %r9, [kept];\nsetp.gt.s32 %p2, %r7, 1000;\n"
                      "shl.b32 %r10, %r3, 5;\n@%p2 st.local.u32 [kept], %r10;\n",
                      ".local .align 4 .b8 kept[4];\nst.local.u32 [kept], %r3;\n")));
}

// for (i = tid; …; i += 256)
Kernel OverTheGrid(const std::string& index) {
  return LoopWith(index + "add.s32 %r10, %r10, 256;\n", "mov.u32 %r10, %r3;\n");
}

TEST(PredictRounds, WithAnIndexOverTheGridAreKnown) {
  EXPECT_EQ(Most(OverTheGrid("mov.u32 %r9, %r10;\n").Predict()), 0);
  EXPECT_DOUBLE_EQ(Least(OverTheGrid("mul.lo.s32 %r9, %r10, 32;\n").Predict()), 0.875);
}

TEST(PredictRounds, WithAnIndexThatWrapsLaterAreOpen) {
  // a[i % 1000003]
  EXPECT_TRUE(IsOpen(OverTheGrid("rem.u32 %r9, %r10, 1000003;\n")));
  // a[i / 1000 * 1024 + i % 1000]
  EXPECT_TRUE(
      IsOpen(OverTheGrid("div.u32 %r11, %r10, 1000;\nrem.u32 %r12, %r10, 1000;\n"
                         "mad.lo.s32 %r9, %r11, 1024, %r12;\n")));
}

TEST(PredictRounds, WithAnIndexThatGrowsLaterAreOpen) {
  // a[i * i]
  EXPECT_TRUE(IsOpen(OverTheGrid("mul.lo.s32 %r9, %r10, %r10;\n")));
  // a[max(i, 32 * i - 100000)]
  EXPECT_TRUE(
      IsOpen(OverTheGrid("mad.lo.s32 %r11, %r10, 32, -100000;\nmax.s32 %r9, %r10, %r11;\n")));
}

TEST(PredictRounds, AreCountedOnForWhatStandsInLoopsOrBehindThem) {
  EXPECT_TRUE(Loop("mov.u32 %r9, %r3;\n").Predict().by_rounds);
  EXPECT_FALSE(Kernel("mov.u32 %r9, %r3;\n" + kLoad).Predict().by_rounds);
  EXPECT_EQ(Assumptions({.is_on_rounds = true}).size(), Assumptions({}).size() + 1);
}

TEST(PredictRounds, ThatALaunchHasAllOfAreCountedOnForNothing) {
  const LaunchesOfKernel known = Rounds(3);
  EXPECT_FALSE(Loop("mov.u32 %r9, %r3;\n").Predict(&known).by_rounds);
}

TEST(PredictRounds, OfWhichSomeExecuteAnAccessSayItsBlock) {
  const AccessPrediction some = LoopWith("setp.gt.s32 %p2, %r7, 2;\n@%p2 bra $next;\n").Predict();
  EXPECT_TRUE(some.round_block.has_value());
  EXPECT_FALSE(Loop("mov.u32 %r9, %r3;\n").Predict().round_block.has_value());
}

TEST(PredictRounds, ThatCountIn16BitsMayTurnNegative) {
  EXPECT_TRUE(
      IsOpen(LoopWith("add.s16 %rs1, %rs1, 7;\nsetp.lt.s16 %p2, %rs1, 0;\n"
                      "shl.b32 %r10, %r3, 5;\nselp.b32 %r9, %r10, %r3, %p2;\n",
                      ".reg .b16 %rs<9>;\nmov.u16 %rs1, 0;\n")));
}

TEST(PredictRounds, OfLanesThatLeaveOneAfterTheOtherAreKnown) {
  // if (i + 256 * j >= n) break;
  EXPECT_EQ(Most(LoopWith("mad.lo.s32 %r10, %r7, 256, %r3;\nsetp.ge.s32 %p2, %r10, %r2;\n"
                          "@%p2 bra $end;\n")
                     .Predict()),
            0);
  // A step outruns the digit of the thread's number.
  EXPECT_EQ(Most(LoopWith("mad.lo.s32 %r10, %r7, 8, %r8;\nsetp.ge.s32 %p2, %r10, %r2;\n"
                          "@%p2 bra $end;\n")
                     .Predict()),
            0);
}

TEST(PredictRounds, ThatTheSameLanesComeToAreKnown) {
  const std::string eighth = "setp.ne.s32 %p3, %r8, 0;\n@%p3 bra $next;\n";
  EXPECT_DOUBLE_EQ(Least(LoopWith(eighth).Predict()), 0.75);
  // Whole warps skip it.
  EXPECT_EQ(Most(LoopWith("and.b32 %r10, %r7, 3;\nsetp.eq.s32 %p2, %r10, 1;\n"
                          "@%p2 bra $next;\n")
                     .Predict()),
            0);
}

}  // namespace
}  // namespace coalcheck::prediction
