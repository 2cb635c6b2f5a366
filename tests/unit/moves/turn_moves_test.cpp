// SPDX-License-Identifier: Apache-2.0
//
// Lanes that run along what one thread took in turns, held against what is known by hand.
#include <gtest/gtest.h>

#include "tests/unit/moves/kernels.h"

namespace coalcheck::moves {
namespace {

using Sectors = std::vector<double>;

const KernelLaunch kRowEach{{16, 1, 1}, {128, 1, 1}, 64, 0};

// for (j = 0; j < width; ++j) `body`, with the address of in[x * width + j] in %rd4 and that of
// out[x * width + j] in %rd6.
std::string Loop(std::string_view body) {
  return "mul.lo.s32 %r12, %r10, %r2;\nmul.wide.s32 %rd3, %r12, 4;\nadd.s64 %rd4, %rd1, %rd3;\n"
         "add.s64 %rd6, %rd2, %rd3;\nmov.u32 %r20, 0;\nmov.f32 %f3, 0f00000000;\n$L1:\n" +
         std::string(body) +
         "add.s64 %rd4, %rd4, 4;\nadd.s64 %rd6, %rd6, 4;\nadd.s32 %r20, %r20, 1;\n"
         "setp.lt.s32 %p1, %r20, %r2;\n@%p1 bra $L1;\n";
}
constexpr std::string_view kStoreSum =
    "mul.wide.s32 %rd7, %r10, 4;\nadd.s64 %rd8, %rd2, %rd7;\nst.global.f32 [%rd8], %f3;\n";
const std::string kRowSums =
    Loop("ld.global.f32 %f1, [%rd4];\nadd.f32 %f3, %f3, %f1;\n") + std::string(kStoreSum);

TEST(TurnMoves, AWarpForEachRowReadsItInWholeSectors) {
  KernelLaunch wide = kRowEach;
  wide.width = 512;
  const TriedMoves tried = Tried(kRowSums, wide);
  ASSERT_FALSE(tried.helpful.empty());
  const Move& best = tried.helpful.front();
  EXPECT_EQ(best.kind, MoveKind::kLanesAlongLoop);
  EXPECT_TRUE(best.reduces);
  EXPECT_EQ(SectorsBefore(best), (Sectors{32, 4}));
  EXPECT_EQ(SectorsAfter(best), (Sectors{4, 1}));  // the sums are stored one by one
}

TEST(TurnMoves, WhatIsAddedUnderAConditionIsStillASum) {
  const std::string sum = Loop(
      "ld.global.f32 %f1, [%rd4];\nsetp.gt.f32 %p2, %f1, %f2;\nadd.f32 %f4, %f3, %f1;\n"
      "selp.f32 %f3, %f4, %f3, %p2;\n");
  const TriedMoves tried = Tried(sum + std::string(kStoreSum), kRowEach);
  const Move* along = Find(tried.helpful, MoveKind::kLanesAlongLoop);
  ASSERT_NE(along, nullptr);
  EXPECT_TRUE(along->reduces);
}

TEST(TurnMoves, ASumThatAConditionSetsBackKeepsItsOrder) {
  const std::string condition = "ld.global.f32 %f1, [%rd4];\nsetp.gt.f32 %p2, %f1, %f2;\n";
  const std::string chosen = "add.f32 %f4, %f3, %f1;\nselp.f32 %f3, %f4, %f1, %p2;\n";
  const std::string guarded = "add.f32 %f3, %f3, %f1;\n@%p2 mov.f32 %f3, %f1;\n";
  const std::string least = "add.f32 %f3, %f3, %f1;\nmax.f32 %f3, %f3, %f2;\n";  // never below 0
  for (const std::string& body : {chosen, guarded, least}) {
    const TriedMoves tried = Tried(Loop(condition + body) + std::string(kStoreSum), kRowEach);
    EXPECT_EQ(Find(tried.helpful, MoveKind::kLanesAlongLoop), nullptr) << body;
  }
}

TEST(TurnMoves, WhatGrowsByTheSameInEveryRoundIsKnownInEach) {
  // if (in[…] > 0) bits |= 1 << k; with a counter of its own for k.
  const std::string bits = "mov.u32 %r22, 0;\nmov.u32 %r23, 0;\n" +
                           Loop(
                               "ld.global.f32 %f1, [%rd4];\nsetp.gt.f32 %p2, %f1, %f2;\n"
                               "mov.u32 %r24, 1;\nshl.b32 %r25, %r24, %r22;\n"
                               "selp.b32 %r26, %r25, 0, %p2;\nor.b32 %r23, %r23, %r26;\n"
                               "add.s32 %r22, %r22, 1;\n") +
                           "mul.wide.s32 %rd7, %r10, 4;\nadd.s64 %rd8, %rd2, %rd7;\n"
                           "st.global.u32 [%rd8], %r23;\n";
  const TriedMoves tried = Tried(bits, kRowEach);
  ASSERT_FALSE(tried.helpful.empty());
  // To lay the rows out otherwise would bring somewhat more, and is asked of all who use them.
  EXPECT_EQ(tried.helpful.front().kind, MoveKind::kLanesAlongLoop);
  EXPECT_TRUE(tried.helpful.front().reduces);
}

TEST(TurnMoves, RowsOfDifferentLengthsAreGivenToWarps) {
  // for (j = 0; j <= x; ++j) sum += in[x * (x + 1) / 2 + j];
  const std::string triangle =
      "add.s32 %r12, %r10, 1;\nmul.lo.s32 %r12, %r12, %r10;\nshr.u32 %r12, %r12, 1;\n"
      "mul.wide.u32 %rd3, %r12, 4;\nadd.s64 %rd4, %rd1, %rd3;\nmov.u32 %r20, 0;\n"
      "mov.f32 %f3, 0f00000000;\n$L1:\nld.global.f32 %f1, [%rd4];\nadd.f32 %f3, %f3, %f1;\n"
      "add.s64 %rd4, %rd4, 4;\nadd.s32 %r20, %r20, 1;\nsetp.le.s32 %p1, %r20, %r10;\n"
      "@%p1 bra $L1;\n" +
      std::string(kStoreSum);
  const TriedMoves tried = Tried(triangle, {{64, 1, 1}, {128, 1, 1}});
  ASSERT_FALSE(tried.helpful.empty());
  EXPECT_EQ(tried.helpful.front().kind, MoveKind::kLanesAlongLoop);
}

TEST(TurnMoves, ARecurrenceKeepsItsOrder) {
  const std::string horner =
      Loop("ld.global.f32 %f1, [%rd4];\nfma.rn.f32 %f3, %f3, %f2, %f1;\n") + std::string(kStoreSum);
  const TriedMoves tried = Tried(horner, kRowEach);
  EXPECT_EQ(Find(tried.helpful, MoveKind::kLanesAlongLoop), nullptr);
  // Its elements can still come through a tile: 4 warps of 32 threads and 32 rounds.
  const Move* tile = Find(tried.helpful, MoveKind::kSharedTile);
  ASSERT_NE(tile, nullptr);
  EXPECT_EQ(SectorsAfter(*tile), (Sectors{4, 4}));
  EXPECT_EQ(tile->tile.bytes, Bytes(4 * 32 * 33 * 4));
}

TEST(TurnMoves, ARunningSumThatIsStoredKeepsItsOrder) {
  const std::string scan =
      Loop("ld.global.f32 %f1, [%rd4];\nadd.f32 %f3, %f3, %f1;\nst.global.f32 [%rd6], %f3;\n");
  const TriedMoves tried = Tried(scan, kRowEach);
  EXPECT_EQ(Find(tried.helpful, MoveKind::kLanesAlongLoop), nullptr);
  EXPECT_EQ(Find(tried.helpful, MoveKind::kStriped), nullptr);
}

TEST(TurnMoves, WhatAThreadCopiesInOneBlockIsStriped) {
  const std::string copy = Loop("ld.global.f32 %f1, [%rd4];\nst.global.f32 [%rd6], %f1;\n");
  KernelLaunch few = kRowEach;
  few.width = 4;
  const TriedMoves tried = Tried(copy, few);
  const Move* striped = Find(tried.helpful, MoveKind::kStriped);
  ASSERT_NE(striped, nullptr);
  EXPECT_EQ(striped->turns, 4U);
  EXPECT_EQ(SectorsBefore(*striped), (Sectors{16, 16}));
  EXPECT_EQ(SectorsAfter(*striped), (Sectors{4, 4}));
}

TEST(TurnMoves, WhatAThreadCopiesIsStripedWhereTheArrayEndsWithinAThreadsElements) {
  std::string copy =
      "mul.wide.s32 %rd3, %r10, 16;\nadd.s64 %rd4, %rd1, %rd3;\nadd.s64 %rd6, %rd2, %rd3;\n"
      "shl.b32 %r12, %r10, 2;\n";
  for (const std::string k : {"0", "1", "2", "3"}) {
    const std::string byte = std::to_string(4 * std::stoi(k));
    copy += "add.s32 %r13, %r12, " + k + ";\nsetp.lt.s32 %p1, %r13, %r2;\n@%p1 ld.global.f32 %f" +
            k + ", [%rd4+" + byte + "];\n@%p1 st.global.f32 [%rd6+" + byte + "], %f" + k + ";\n";
  }
  KernelLaunch launch = kRowEach;
  launch.width = static_cast<std::int32_t>(4 * launch.grid.x * launch.block.x) - 6;
  const TriedMoves tried = Tried(copy, launch);
  const Move* striped = Find(tried.helpful, MoveKind::kStriped);
  ASSERT_NE(striped, nullptr);
  EXPECT_EQ(striped->turns, 4U);
}

TEST(TurnMoves, TwoElementsOfAThreadAreNotWorthStriping) {
  const std::string copy = Loop("ld.global.f32 %f1, [%rd4];\nst.global.f32 [%rd6], %f1;\n");
  for (const int elements : {2, 3}) {
    KernelLaunch few = kRowEach;
    few.width = elements;
    const TriedMoves tried = Tried(copy, few);
    EXPECT_EQ(Find(tried.helpful, MoveKind::kStriped) != nullptr, elements > 2);
  }
}

TEST(TurnMoves, ALoadOfWhatAnotherTurnStoredKeepsTheirOrder) {
  const std::string back = Loop("ld.global.f32 %f1, [%rd6+-4];\nst.global.f32 [%rd6], %f1;\n");
  const TriedMoves tried = Tried(back, kRowEach);
  EXPECT_EQ(Find(tried.helpful, MoveKind::kLanesAlongLoop), nullptr);
  EXPECT_EQ(Find(tried.helpful, MoveKind::kStriped), nullptr);
}

TEST(TurnMoves, FieldsOfOneThreadAreOfSeveralLinesAndNotStriped) {
  // in[3 * x] += …; in[3 * x + 1] += …; in[3 * x + 2] += …
  const std::string body =
      "mul.wide.s32 %rd3, %r10, 12;\nadd.s64 %rd4, %rd1, %rd3;\n"
      "ld.global.f32 %f1, [%rd4];\nst.global.f32 [%rd4], %f1;\n"
      "ld.global.f32 %f2, [%rd4+4];\nst.global.f32 [%rd4+4], %f2;\n"
      "ld.global.f32 %f3, [%rd4+8];\nst.global.f32 [%rd4+8], %f3;\n";
  const TriedMoves of_one = Tried(body, kRowEach);
  EXPECT_NE(Find(of_one.helpful, MoveKind::kStriped), nullptr);
  const TriedMoves of_two = Tried(body, kRowEach, {}, {1, 1, 2, 2, 3, 3});
  EXPECT_EQ(Find(of_two.helpful, MoveKind::kStriped), nullptr);
}

}  // namespace
}  // namespace coalcheck::moves
