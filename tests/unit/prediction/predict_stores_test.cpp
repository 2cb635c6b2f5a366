// SPDX-License-Identifier: Apache-2.0
//
// What stores say of the distance of rows: threads do not store to one place.
#include <gtest/gtest.h>

#include <string>

#include "libcoalcheck/prediction/prediction_words.h"
#include "tests/unit/prediction/small_kernel.h"

namespace coalcheck::prediction {
namespace {

// A row of each thread, n elements apart, whose first one is loaded.
const std::string kRow = "mul.lo.s32 %r9, %r3, %r2;\n" + kLoad;
const std::string kFirst = "st.global.f32 [%rd3], %f1;\n";
const std::string kSecond = "st.global.f32 [%rd3+4], %f1;\n";
// Stores along the row behind the first element, while %r7 is below n.
const std::string kLoop =
    "mov.u32 %r7, 1;\nL:\nadd.s64 %rd3, %rd3, 4;\nst.global.f32 [%rd3], %f1;\n"
    "add.s32 %r7, %r7, 1;\nsetp.lt.s32 %p2, %r7, %r2;\n@%p2 bra L;\n";

TEST(PredictStores, TakesRowsThatAreWrittenNotToOverlap) {
  const AccessPrediction one = Kernel(kRow + kFirst + kSecond).Predict();
  EXPECT_DOUBLE_EQ(Least(one), 0.5);
  EXPECT_TRUE(one.by_stores);
  const AccessPrediction last = Kernel(kRow + kFirst + kSecond).PredictLast();
  EXPECT_DOUBLE_EQ(Least(last), 0.5);
}

TEST(PredictStores, TakesNothingFromThreadsThatShareARow) {
  const std::string row =
      "shr.u32 %r6, %r3, 1;\nmul.lo.s32 %r9, %r6, %r2;\nmul.wide.s32 %rd2, %r9, 4;\n"
      "add.s64 %rd3, %rd1, %rd2;\n";
  const AccessPrediction one = Kernel(row + kFirst + kSecond).Predict();
  EXPECT_EQ(Least(one), 0);
  EXPECT_FALSE(one.by_stores);
}

TEST(PredictStores, LeavesRowsOfOneElementOpen) {
  const AccessPrediction one = Kernel(kRow + kFirst).Predict();
  EXPECT_EQ(Least(one), 0);
  EXPECT_DOUBLE_EQ(Most(one), 0.875);
  EXPECT_FALSE(Kernel(kRow).Predict().by_stores);
}

TEST(PredictStores, TakesNothingFromStoresWithABarrierBetween) {
  EXPECT_EQ(Least(Kernel(kRow + kFirst + "bar.sync 0;\n" + kSecond).Predict()), 0);
}

TEST(PredictStores, TakesALoopToStoreMoreThanOneElement) {
  EXPECT_NEAR(Least(Kernel(kRow + kLoop).Predict()), 0.5, 0.02);
  const std::string guard = "setp.gt.s32 %p1, %r2, 1;\n@!%p1 bra D;\n";
  EXPECT_NEAR(Least(Kernel(kRow + guard + kLoop + "D:\n").Predict()), 0.5, 0.02);
}

TEST(PredictStores, TakesNothingFromStoresThatALaunchMayDoWithout) {
  const std::string guard = "setp.eq.s32 %p1, %r2, 7;\n@%p1 bra D;\n";
  EXPECT_EQ(Least(Kernel(kRow + guard + kFirst + kSecond + "D:\n").Predict()), 0);
  const std::string of_data = "ld.global.u32 %r8, [%rd1];\nsetp.eq.s32 %p1, %r8, 0;\n@%p1 bra D;\n";
  EXPECT_EQ(Least(Kernel(kRow + of_data + kFirst + kSecond + "D:\n").Predict()), 0);
}

TEST(PredictStores, TakesNothingFromStoresOfTheOtherWay) {
  const std::string either =
      "setp.ge.s32 %p1, %r3, %r2;\nmul.lo.s32 %r9, %r3, %r2;\n"
      "mul.wide.s32 %rd2, %r9, 4;\nadd.s64 %rd3, %rd1, %rd2;\n"
      "@%p1 bra E;\n" +
      kFirst + kSecond + "bra D;\nE:\n";
  const std::string load = "ld.global.f32 %f1, [%rd3];\nD:\n";
  EXPECT_EQ(Least(Kernel(either + load).PredictLast()), 0);
}

TEST(PredictStores, TakesNothingFromALoopWhoseRowsAQuotientKeepsApart) {
  const std::string row = "div.s32 %r6, 4096, %r2;\nmul.lo.s32 %r9, %r3, %r6;\n" + kLoad;
  EXPECT_EQ(Least(Kernel(row + kLoop).Predict()), 0);
}

TEST(PredictStores, SaysWhatItAssumes) {
  EXPECT_EQ(Assumptions({.is_on_stores = true}).size(), Assumptions({}).size() + 1);
}

TEST(PredictStores, TakesAPointerThatMayBeNullNotToBe) {
  const std::string load = "ld.global.f32 %f1, [%rd4];\n";
  const std::string row = "setp.eq.s32 %p1, %r2, 0;\nmul.wide.s32 %rd2, %r3, 4;\n";
  const std::string of_pointer = row + "add.s64 %rd3, %rd1, %rd2;\nselp.b64 %rd4, 0, %rd3, %p1;\n";
  EXPECT_EQ(Most(Kernel(of_pointer + load).Predict()), 0);
  const std::string of_offset = row + "selp.b64 %rd3, %rd2, 0, %p1;\nadd.s64 %rd4, %rd1, %rd3;\n";
  EXPECT_GT(Most(Kernel(of_offset + load).Predict()), 0);
}

TEST(PredictStores, KeepsLanesTogetherThatAConditionMovesAlike) {
  const AccessPrediction one =
      Kernel(
          "setp.gt.s32 %p1, %r2, 5;\nmov.u32 %r9, %r3;\n@%p1 bra E;\nadd.s32 %r9, %r9, 8;\nE:\n" +
          kLoad)
          .Predict();
  EXPECT_EQ(Most(one), 0);
}

}  // namespace
}  // namespace coalcheck::prediction
