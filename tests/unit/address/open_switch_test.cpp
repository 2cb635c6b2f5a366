// SPDX-License-Identifier: Apache-2.0
//
// Switches over loaded values: every way is evaluated, and what follows holds on each of them.
#include <gtest/gtest.h>

#include <string>

#include "tests/unit/address/small_kernel.h"

namespace coalcheck::address {
namespace {

// Jumps by a value that each thread loads: %r8.
const std::string kSwitch =
    "mul.wide.s32 %rd3, %r1, 4;\nadd.s64 %rd4, %rd1, %rd3;\nld.global.u32 %r8, [%rd4];\n"
    "$Ways: .branchtargets $A, $B, $C;\nbrx.idx %r8, $Ways;\n";

TEST(OpenSwitch, EachWaysAccessesAreSeenAndAreOpen) {
  const std::string body = kSwitch + "$A:\nmov.u32 %r6, %r1;\n" + std::string(kIndexed) +
                           "bra.uni $D;\n$B:\nshl.b32 %r6, %r1, 3;\n" + std::string(kIndexed) +
                           "bra.uni $D;\n$C:\nmov.u32 %r6, 7;\n" + std::string(kIndexed) + "$D:\n";
  const LaunchEvaluation all = EvaluateKernel(body, {4, 1, 1}, {32, 1, 1}, 128);
  EXPECT_TRUE(all.is_complete);
  ASSERT_EQ(all.accesses.size(), 4U);
  EXPECT_EQ(all.accesses[1].shapes.at(0).shape.step, 4);
  EXPECT_EQ(all.accesses[2].shapes.at(0).shape.step, 32);
  EXPECT_EQ(all.accesses[3].shapes.at(0).shape.kind, LaneShape::Kind::kSame);
  for (std::size_t i = 1; i < 4; ++i) EXPECT_EQ(all.accesses[i].lane_open, 4);
  EXPECT_EQ(all.accesses[0].lane_open, 0);
}

TEST(OpenSwitch, WhatOnlySomeWaysWriteIsOpenBehindIt) {
  const std::string body = "mov.u32 %r6, %r5;\n" + kSwitch +
                           "$A:\nadd.s32 %r6, %r6, 100;\nbra.uni $D;\n$B:\nmov.u32 %r9, 3;\n"
                           "bra.uni $D;\n$C:\nmov.u32 %r9, 4;\n$D:\n" +
                           std::string(kIndexed);
  EXPECT_EQ(Evaluated(body, 1).shapes.at(0).shape.kind, LaneShape::Kind::kByData);
}

TEST(OpenSwitch, WhatEveryWayLeavesAloneIsKnownBehindIt) {
  const std::string body = "mov.u32 %r6, %r5;\n" + kSwitch +
                           "$A:\nmov.u32 %r9, 2;\nbra.uni $D;\n$B:\nmov.u32 %r9, 3;\n"
                           "bra.uni $D;\n$C:\nmov.u32 %r9, 4;\n$D:\n" +
                           std::string(kIndexed);
  const EvaluatedAccess access = Evaluated(body, 1);
  EXPECT_EQ(access.lane_open, 0);
  EXPECT_EQ(access.shapes.at(0).shape.step, 4);
}

TEST(OpenSwitch, LanesThatAWayEndsMayBeMissingBehindIt) {
  const std::string body = "mov.u32 %r6, %r5;\n" + kSwitch +
                           "$A:\nret;\n$B:\nmov.u32 %r9, 3;\nbra.uni $D;\n$C:\nmov.u32 %r9, 4;\n"
                           "$D:\n" +
                           std::string(kIndexed);
  const EvaluatedAccess access = Evaluated(body, 1);
  // Both ways that go on come to it.
  EXPECT_EQ(access.sums.requests, 8);
  EXPECT_EQ(access.lane_open, 8);
}

TEST(OpenSwitch, ALoopOfSwitchesEnds) {
  const std::string body = "mov.u32 %r7, 0;\nmov.u32 %r6, %r5;\n$L:\n" + kSwitch +
                           "$A:\nadd.s32 %r7, %r7, 1;\nsetp.lt.s32 %p1, %r7, 50;\n@%p1 bra $L;\n"
                           "bra.uni $D;\n$B:\nadd.s32 %r7, %r7, 2;\nbra.uni $L;\n$C:\n$D:\n" +
                           std::string(kIndexed);
  const LaunchEvaluation all = EvaluateKernel(body, {4, 1, 1}, {32, 1, 1}, 128);
  EXPECT_EQ(all.end, WarpEnd::kDone);
  ASSERT_EQ(all.accesses.size(), 2U);
  EXPECT_EQ(all.accesses[1].shapes.at(0).shape.step, 4);
}

}  // namespace
}  // namespace coalcheck::address
