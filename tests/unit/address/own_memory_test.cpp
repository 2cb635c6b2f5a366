// SPDX-License-Identifier: Apache-2.0
//
// What threads keep in memory of their own, as far as it is known when they load it again.
#include <gtest/gtest.h>

#include <string>

#include "tests/unit/address/small_kernel.h"

namespace coalcheck::address {
namespace {

// Loads a number that each thread has its own of: %r8; and keeps %r5 in local memory.
const std::string kBegin =
    ".local .align 8 .b8 own[8];\nmul.wide.s32 %rd3, %r1, 4;\nadd.s64 %rd4, %rd1, %rd3;\n"
    "ld.global.u32 %r8, [%rd4];\nsetp.eq.s32 %p1, %r8, 7;\nmov.u32 %r9, 3;\n"
    "st.local.u32 [own], %r5;\n";
const std::string kEnd = "ld.local.u32 %r6, [own];\n" + std::string(kIndexed);

LaneShape::Kind KindOfLoad(const std::string& between) {
  return Evaluated(kBegin + between + kEnd, 1).shapes.at(0).shape.kind;
}

TEST(OwnMemory, IsKnownWhereNothingElseIsStored) {
  EXPECT_EQ(KindOfLoad(""), LaneShape::Kind::kStep);
  EXPECT_EQ(KindOfLoad("st.local.u32 [own+4], %r9;\n"), LaneShape::Kind::kStep);
}

TEST(OwnMemory, IsNotKnownBehindAStoreThatDataGuard) {
  EXPECT_EQ(KindOfLoad("@%p1 st.local.u32 [own], %r9;\n"), LaneShape::Kind::kByData);
}

TEST(OwnMemory, IsNotKnownWhereOneOfTwoWaysStores) {
  EXPECT_EQ(KindOfLoad("@%p1 bra L;\nst.local.u32 [own], %r9;\nL:\n"), LaneShape::Kind::kByData);
  EXPECT_EQ(KindOfLoad("@%p1 bra L;\nst.local.u32 [own], %r9;\nbra M;\n"
                       "L: mov.u32 %r10, 4;\nst.local.u32 [own], %r10;\nM:\n"),
            LaneShape::Kind::kByData);
  EXPECT_EQ(KindOfLoad("W: .branchtargets A, B;\nbrx.idx %r8, W;\nA: st.local.u32 [own], %r9;\n"
                       "bra M;\nB: mov.u32 %r10, 4;\nM:\n"),
            LaneShape::Kind::kByData);
}

TEST(OwnMemory, IsKnownWhereBothWaysStoreTheSame) {
  EXPECT_EQ(KindOfLoad("@%p1 bra L;\nst.local.u32 [own], %r9;\nbra M;\n"
                       "L: st.local.u32 [own], %r9;\nM:\n"),
            LaneShape::Kind::kSame);
}

TEST(OwnMemory, IsNotKnownBehindAStoreThatMayGoThere) {
  EXPECT_EQ(KindOfLoad("mov.u64 %rd5, own;\ncvta.local.u64 %rd6, %rd5;\n"
                       "selp.b64 %rd7, %rd6, %rd2, %p1;\nst.u32 [%rd7], %r9;\n"),
            LaneShape::Kind::kByData);
}

TEST(OwnMemory, IsNotKnownWhereAPartWasOverwritten) {
  EXPECT_EQ(KindOfLoad("st.local.u8 [own+1], %r9;\n"), LaneShape::Kind::kByData);
  EXPECT_EQ(KindOfLoad("mov.u64 %rd5, 0;\nst.local.u64 [own], %rd5;\n"), LaneShape::Kind::kByData);
}

TEST(OwnMemory, KeepsAsManyBytesAsAreStored) {
  const std::string body =
      ".local .align 4 .b8 own[4];\nshl.b32 %r6, %r5, 8;\n"
      "st.local.u8 [own], %r6;\nld.local.u8 %r6, [own];\n";
  EXPECT_EQ(Evaluated(body + std::string(kIndexed)).shapes.at(0).shape.kind,
            LaneShape::Kind::kSame);
}

}  // namespace
}  // namespace coalcheck::address
