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
