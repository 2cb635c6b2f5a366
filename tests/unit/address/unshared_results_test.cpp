// SPDX-License-Identifier: Apache-2.0
//
// Results that are not known, and that two lanes, elements or executions must not be taken to
// share.
#include <gtest/gtest.h>

#include <string>

#include "tests/unit/address/small_kernel.h"

namespace coalcheck::address {
namespace {

const std::string kOwnLoad =
    "mul.wide.s32 %rd3, %r1, 4;\nadd.s64 %rd4, %rd1, %rd3;\nld.global.u32 %r8, [%rd4];\n";

LaneShape ShapeAt(const std::string& body, std::size_t number) {
  return Evaluated(body + std::string(kIndexed), number).shapes.at(0).shape;
}

TEST(UnsharedResults, WhatAGuardOfItsOwnLetsALaneWriteIsItsOwn) {
  const LaneShape shape =
      ShapeAt(kOwnLoad + "setp.eq.s32 %p1, %r8, 0;\nmov.u32 %r6, 5;\n@%p1 mov.u32 %r6, 1000;\n", 1);
  EXPECT_EQ(shape.kind, LaneShape::Kind::kByData);
}

TEST(UnsharedResults, WhatAGuardOfAllLanesLetsThemWriteIsOneForAll) {
  const LaneShape shape = ShapeAt(
      "ld.global.u32 %r8, [%rd1];\nsetp.eq.s32 %p1, %r8, 0;\nmov.u32 %r6, 5;\n"
      "@%p1 mov.u32 %r6, 1000;\n",
      1);
  EXPECT_EQ(shape.kind, LaneShape::Kind::kSame);
}

TEST(UnsharedResults, NoElementOfATextureIsKnown) {
  for (const std::string element : {"%r11", "%r12", "%r13", "%r14"}) {
    const LaneShape shape =
        ShapeAt("tex.1d.v4.s32.s32 {%r11, %r12, %r13, %r14}, [%rd2, {%r5}];\nmov.u32 %r6, " +
                    element + ";\n",
                0);
    EXPECT_EQ(shape.kind, LaneShape::Kind::kByData) << element;
  }
}

TEST(UnsharedResults, WhatABarrierCountsIsNotZero) {
  const LaneShape shape = ShapeAt(
      "setp.lt.s32 %p1, %r5, 7;\nbar.red.popc.u32 %r9, 0, %p1;\nadd.s32 %r6, %r9, %r5;\n", 0);
  EXPECT_EQ(shape.kind, LaneShape::Kind::kStep);
  EXPECT_TRUE(shape.begins_by_data);
}

TEST(UnsharedResults, ACarryIsTheLanesOwn) {
  EXPECT_EQ(ShapeAt("add.cc.u32 %r9, %r5, -1;\naddc.u32 %r6, 0, 0;\n", 0).kind,
            LaneShape::Kind::kByData);
}

TEST(UnsharedResults, APartOfAMatrixIsTheLanesOwn) {
  EXPECT_EQ(ShapeAt("ldmatrix.sync.aligned.m8n8.x1.shared.b16 {%r6}, [%r2];\n", 0).kind,
            LaneShape::Kind::kByData);
}

TEST(UnsharedResults, EveryPartOfALargeMatrixIsTheLanesOwn) {
  for (const int last : {4, 32, 100, 255}) {
    std::string parts = "%g0";
    for (int i = 1; i <= last; ++i) parts += ", %g" + std::to_string(i);
    const std::string part = "%g" + std::to_string(last);
    EXPECT_EQ(ShapeAt("mov.b32 " + part + ", 0;\ntcgen05.ld.sync.aligned.32x32b.x128.b32 {" +
                          parts + "}, [%r2];\nmov.u32 %r6, " + part + ";\n",
                      0)
                  .kind,
              LaneShape::Kind::kByData)
        << last;
  }
}

TEST(UnsharedResults, WhatStandsBehindALoadedMatrixIsTheLanesOwn) {
  EXPECT_EQ(ShapeAt("mov.b32 %r6, 0;\ntcgen05.ld.red.sync.aligned.32x32b.x2.min.b32 {%r11, %r12}, "
                    "%r6, [%r2];\n",
                    0)
                .kind,
            LaneShape::Kind::kByData);
}

TEST(UnsharedResults, AnInstructionOfAnUnknownNameMayWriteEachOfItsRegisters) {
  for (const std::string operands :
       {"%r6, 1", "1, %r6", "%r11, %r6, [%r2]", "{%r11, %r6}, 4", "{%r11, %r12}, {%r13, %r6}"}) {
    EXPECT_EQ(ShapeAt("mov.u32 %r6, 0;\nfrobnicate.b32 " + operands + ";\n", 0).kind,
              LaneShape::Kind::kByData)
        << operands;
  }
}

TEST(UnsharedResults, TheAddressOfAnInstructionOfAnUnknownNameStaysAsItIs) {
  EXPECT_EQ(ShapeAt("mov.u32 %r6, 0;\nfrobnicate.b32 %r11, [%r6];\n", 0).kind,
            LaneShape::Kind::kSame);
}

TEST(UnsharedResults, AFifthOperandCounts) {
  EXPECT_EQ(ShapeAt("vset.s32.s32.lt.add %r6, %r2, %r2, %r2, %r2, %r1;\n", 0).kind,
            LaneShape::Kind::kByData);
}

TEST(UnsharedResults, ARegisterThatNothingWritesIsTheLanesOwn) {
  EXPECT_EQ(ShapeAt("mov.u32 %r6, %r77;\n", 0).kind, LaneShape::Kind::kByData);
  EXPECT_EQ(ShapeAt("mov.u32 %r6, %undeclared1;\n", 0).kind, LaneShape::Kind::kByData);
  EXPECT_EQ(ShapeAt("sub.u32 %r6, %r77, %r78;\n", 0).kind, LaneShape::Kind::kByData);
  EXPECT_EQ(ShapeAt("sub.u32 %r6, %r77, %r77;\n", 0).kind, LaneShape::Kind::kSame);
}

TEST(UnsharedResults, ARegisterThatOneWayDoesNotWriteIsTheLanesOwnThere) {
  const std::string way = "@%p1 bra L;\nmov.u32 %r77, 0;\nL:\nmov.u32 %r6, %r77;\n";
  EXPECT_EQ(ShapeAt("setp.ge.s32 %p1, %r5, 0;\n" + way, 0).kind, LaneShape::Kind::kByData);
  EXPECT_EQ(ShapeAt("setp.lt.s32 %p1, %r5, 0;\n" + way, 0).kind, LaneShape::Kind::kSame);
  EXPECT_EQ(
      ShapeAt("setp.lt.s32 %p1, %r5, 0;\n@%p1 mov.u32 %r77, 0;\nmov.u32 %r6, %r77;\n", 0).kind,
      LaneShape::Kind::kByData);
}

TEST(UnsharedResults, ALoopReadsWhatItsFirstRoundLeft) {
  EXPECT_EQ(ShapeAt("mov.u32 %r9, 0;\nL:\nsetp.gt.u32 %p1, %r9, 0;\n@%p1 bra M;\n"
                    "mov.u32 %r77, 0;\nM:\nadd.u32 %r77, %r77, 1;\nadd.u32 %r9, %r9, 1;\n"
                    "setp.lt.u32 %p2, %r9, 4;\n@%p2 bra L;\nmov.u32 %r6, %r77;\n",
                    0)
                .kind,
            LaneShape::Kind::kSame);
}

TEST(UnsharedResults, TwoShufflesFromUnknownLanesDiffer) {
  const EvaluatedAccess access = Evaluated(
      kOwnLoad +
          "shfl.sync.idx.b32 %r9, %r5, %r8, 31, -1;\nshfl.sync.idx.b32 %r10, %r5, %r8, 31, -1;\n"
          "sub.s32 %r11, %r9, %r10;\nadd.s32 %r6, %r11, %r5;\n" +
          std::string(kIndexed),
      1);
  EXPECT_GT(access.by_data, 0);
}

}  // namespace
}  // namespace coalcheck::address
