// SPDX-License-Identifier: Apache-2.0
//
// What is known behind a loop that was left before its last round.
#include <gtest/gtest.h>

#include <string>

#include "tests/unit/address/small_kernel.h"

namespace coalcheck::address {
namespace {

// A loop of a million rounds, %r7 of which are over.
LaneShape::Kind KindBehind(const std::string& round, const std::string& behind = {}) {
  const std::string body = "mov.u32 %r6, %r5;\nmov.u32 %r7, 0;\n$L:\n" + round +
                           "add.u32 %r7, %r7, 1;\nsetp.lt.u32 %p1, %r7, 1000000;\n@%p1 bra $L;\n" +
                           behind + std::string(kIndexed);
  const LaunchEvaluation all = EvaluateKernel(body, {1, 1, 1}, {32, 1, 1}, 128);
  EXPECT_TRUE(all.is_cut());
  return all.accesses.at(0).shapes.at(0).shape.kind;
}

TEST(CutLoops, LeaveOpenWhatALaterRoundMayChange) {
  EXPECT_EQ(KindBehind("setp.gt.u32 %p2, %r7, 1000;\nselp.u32 %r6, 0, %r6, %p2;\n"),
            LaneShape::Kind::kByData);
  EXPECT_EQ(KindBehind("setp.gt.u32 %p2, %r7, 1000;\n@%p2 mov.u32 %r6, 0;\n"),
            LaneShape::Kind::kByData);
}

TEST(CutLoops, KeepWhatEachRoundMakesAnewOfTheSame) {
  EXPECT_EQ(KindBehind("shl.b32 %r6, %r5, 1;\n"), LaneShape::Kind::kStep);
}

TEST(CutLoops, KeepLanesAsFarApartAsTheyAreWhereEachRoundAddsTheSame) {
  EXPECT_EQ(KindBehind("add.u32 %r6, %r6, 8;\n"), LaneShape::Kind::kStep);
  EXPECT_EQ(KindBehind("add.u32 %r6, %r6, %r5;\n"), LaneShape::Kind::kByData);
}

TEST(CutLoops, ForgetWhatThreadsStored) {
  EXPECT_EQ(KindBehind(".local .b32 own;\nst.local.u32 [own], %r5;\nsetp.gt.u32 %p2, %r7, 1000;\n"
                       "@!%p2 bra $M;\nst.local.u32 [own], %r7;\n$M:\n",
                       "ld.local.u32 %r6, [own];\n"),
            LaneShape::Kind::kByData);
}

TEST(CutLoops, AreCutAsFarAsIsAskedForFromTheStart) {
  const std::string body = "mov.u32 %r6, %r1;\nmov.u32 %r7, 0;\n$L1:\n" + std::string(kIndexed) +
                           "add.s32 %r7, %r7, 1;\nsetp.lt.s32 %p1, %r7, 1000;\n@%p1 bra $L1;\n";
  EvaluationLimits limits{.steps = 100'000, .of_warp = 1000};
  const LaunchEvaluation first = EvaluateKernel(body, {4, 1, 1}, {64, 1, 1}, 128, limits);
  ASSERT_TRUE(first.is_cut());
  limits.first_cut = first.cut;
  const LaunchEvaluation again = EvaluateKernel(body, {4, 1, 1}, {64, 1, 1}, 128, limits);
  EXPECT_EQ(again.cut, first.cut);
  EXPECT_LE(again.steps, first.steps - limits.of_warp);
  EXPECT_EQ(again.accesses[0].sums.requests, first.accesses[0].sums.requests);
}

}  // namespace
}  // namespace coalcheck::address
