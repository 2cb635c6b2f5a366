// SPDX-License-Identifier: Apache-2.0
//
// Loops that run nobody knows how often: what their later rounds ask for.
#include <gtest/gtest.h>

#include <string>

#include "tests/unit/prediction/small_kernel.h"

namespace coalcheck::prediction {
namespace {

// As many rounds as the parameter says, or more than are followed; %r7 counts them. `index` gives
// %r9 its value.
Kernel Loop(const std::string& index, const std::string& rounds = "%r2") {
  return Kernel("mov.u32 %r7, 0;\n$L1:\n" + index + kLoad +
                "add.s32 %r7, %r7, 1;\nsetp.lt.s32 %p1, %r7, " + rounds + ";\n@%p1 bra $L1;\n");
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

}  // namespace
}  // namespace coalcheck::prediction
