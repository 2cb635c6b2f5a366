// SPDX-License-Identifier: Apache-2.0
//
// Loaded values of all lanes at once: as exact as lane by lane, in a fraction of the steps.
#include <gtest/gtest.h>

#include <string>

#include "tests/unit/address/small_kernel.h"

namespace coalcheck::address {
namespace {

// Each thread loads its own number into %r8.
const std::string kLoadOwn =
    "mul.wide.s32 %rd3, %r1, 4;\nadd.s64 %rd4, %rd1, %rd3;\nld.global.u32 %r8, [%rd4];\n";

std::string Repeated(int times, const std::string& text) {
  std::string all;
  for (int i = 0; i < times; ++i) all += text;
  return all;
}

TEST(LaneSymbols, ArithmeticOnLoadedFloatsCostsAFewStepsForAllLanesTogether) {
  // 500 sums of floats decide a branch around a store.
  const std::string body = kLoadOwn + "ld.global.f32 %f2, [%rd4];\n" +
                           Repeated(500, "fma.rn.f32 %f3, %f2, %f2, %f3;\n") +
                           "setp.gt.f32 %p1, %f3, 0f00000000;\n@%p1 bra $L1;\n"
                           "add.s64 %rd6, %rd2, %rd3;\nst.global.f32 [%rd6], %f1;\n$L1:\n";
  const LaunchEvaluation evaluation = EvaluateKernel(body, {1, 1, 1}, {32, 1, 1}, 0);
  EXPECT_TRUE(evaluation.is_complete);
  EXPECT_LT(evaluation.steps, 500 * 32U);
  EXPECT_GT(evaluation.accesses.at(2).lane_open, 0);
}

TEST(LaneSymbols, TheDifferenceOfEqualOnesIsANumber) {
  const std::string body =
      kLoadOwn + "add.s32 %r9, %r8, %r5;\nsub.s32 %r6, %r9, %r8;\n" + std::string(kIndexed);
  const EvaluatedAccess access = Evaluated(body, 1);
  EXPECT_EQ(access.by_data, 0);
  EXPECT_EQ(access.shapes[0].shape.step, 4);
  EXPECT_EQ(access.sums.sectors, 4 * 4);
}

TEST(LaneSymbols, EqualOperationsOnThemGiveEqualOnes) {
  const std::string body = kLoadOwn +
                           "popc.b32 %r9, %r8;\npopc.b32 %r10, %r8;\nsub.s32 %r11, %r9, %r10;\n"
                           "add.s32 %r6, %r11, %r5;\n" +
                           std::string(kIndexed);
  EXPECT_EQ(Evaluated(body, 1).by_data, 0);
}

TEST(LaneSymbols, DifferentLanesHaveDifferentOnesAfterAnOperation) {
  const std::string body =
      kLoadOwn + "popc.b32 %r9, %r8;\nadd.s32 %r6, %r9, 7;\n" + std::string(kIndexed);
  EXPECT_EQ(Evaluated(body, 1).shapes[0].shape.kind, LaneShape::Kind::kByData);
}

TEST(LaneSymbols, OfLanesThatLoadTheSameThereIsOne) {
  // Pairs of lanes load one number: rows of two.
  const std::string body =
      "shr.u32 %r7, %r1, 1;\nmul.wide.u32 %rd3, %r7, 4;\nadd.s64 %rd4, %rd1, %rd3;\n"
      "ld.global.u32 %r8, [%rd4];\nand.b32 %r9, %r1, 1;\nadd.s32 %r6, %r8, %r9;\n" +
      std::string(kIndexed);
  const EvaluatedAccess access = Evaluated(body, 1);
  EXPECT_EQ(access.shapes[0].shape.kind, LaneShape::Kind::kRows);
  EXPECT_EQ(access.shapes[0].shape.row, 2U);
}

TEST(LaneSymbols, WhatOneLaneHasIsNotWhatEachHas) {
  // Lane 0's number, told to all, is compared with each lane's own.
  const std::string body = kLoadOwn +
                           "shfl.sync.idx.b32 %r9, %r8, 0, 31, -1;\nsetp.eq.s32 %p1, %r8, %r9;\n"
                           "@!%p1 bra $L1;\nmov.u32 %r6, %r1;\n" +
                           std::string(kIndexed) + "$L1:\n";
  EXPECT_EQ(Evaluated(body, 1).lane_open, 4);
}

TEST(LaneSymbols, TheSmallerOfOnesOwnAndOneLanesIsNotOnesOwn) {
  const std::string body = kLoadOwn +
                           "shfl.sync.idx.b32 %r9, %r8, 0, 31, -1;\nmin.s32 %r10, %r8, %r9;\n"
                           "sub.s32 %r11, %r10, %r8;\nadd.s32 %r6, %r11, %r5;\n" +
                           std::string(kIndexed);
  EXPECT_GT(Evaluated(body, 1).by_data, 0);
}

TEST(LaneSymbols, OnesOwnNegatedTwiceIsOnesOwn) {
  const std::string body = kLoadOwn +
                           "neg.s32 %r9, %r8;\nneg.s32 %r10, %r9;\nsub.s32 %r11, %r10, %r8;\n"
                           "add.s32 %r6, %r11, %r5;\n" +
                           std::string(kIndexed);
  const EvaluatedAccess access = Evaluated(body, 1);
  EXPECT_EQ(access.by_data, 0);
  EXPECT_EQ(access.sums.sectors, 4 * 4);
}

TEST(LaneSymbols, OneOfTwoIsOneForEachLane) {
  // if (x) i = x; else i = -x; y[i]
  const std::string body =
      kLoadOwn +
      "mov.u32 %r6, %r8;\nsetp.gt.s32 %p1, %r8, 0;\n@%p1 bra $L1;\nneg.s32 %r6, %r8;\n$L1:\n" +
      std::string(kIndexed);
  EXPECT_EQ(Evaluated(body, 1).shapes[0].shape.kind, LaneShape::Kind::kByData);
}

// Where a warp takes more steps than there are for all of them, the last one is run still.
TEST(LaneSymbols, OfABlockThatTakesTooLongSomeWarpsStandForAll) {
  // 1000 threads of 1024 go 2000 times round a loop.
  const std::string body =
      "setp.ge.s32 %p1, %r1, %r2;\n@%p1 bra $L2;\nmov.u32 %r7, 0;\nmov.u32 %r6, %r1;\n$L1:\n" +
      std::string(kIndexed) + Repeated(200, "add.s32 %r6, %r6, 32;\n") +
      "add.s32 %r7, %r7, 1;\nsetp.lt.s32 %p2, %r7, 2000;\n@%p2 bra $L1;\n$L2:\n";
  const LaunchEvaluation evaluation =
      EvaluateKernel(body, {4, 1, 1}, {256, 1, 1}, 1000, {100'000, 2});
  EXPECT_TRUE(evaluation.is_cut());
  EXPECT_TRUE(evaluation.covers);
  const EvaluatedAccess& access = evaluation.accesses.at(0);
  EXPECT_NEAR(access.sums.lanes / access.sums.requests, 31.25, 0.01 * 31.25);
}

}  // namespace
}  // namespace coalcheck::address
