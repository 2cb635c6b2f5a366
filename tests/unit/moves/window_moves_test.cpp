// SPDX-License-Identifier: Apache-2.0
//
// What a block fetches once for several threads, held against what is known by hand.
#include <gtest/gtest.h>

#include <algorithm>

#include "tests/unit/moves/kernels.h"

namespace coalcheck::moves {
namespace {

using Sectors = std::vector<double>;

// for (k = 0; k < `taps`; ++k) sum += in[`step` * x + k]; out[x] = sum
std::string Decimate(int taps, int step = 6) {
  return "mul.lo.s32 %r12, %r10, " + std::to_string(step) +
         ";\nmul.wide.s32 %rd3, %r12, 4;\nadd.s64 %rd4, %rd1, %rd3;\n"
         "mov.u32 %r20, 0;\nmov.f32 %f3, 0f00000000;\n$L1:\nld.global.f32 %f1, [%rd4];\n"
         "add.f32 %f3, %f3, %f1;\nadd.s64 %rd4, %rd4, 4;\nadd.s32 %r20, %r20, 1;\n"
         "setp.lt.s32 %p1, %r20, " +
         std::to_string(taps) +
         ";\n@%p1 bra $L1;\n"
         "mul.wide.s32 %rd7, %r10, 4;\nadd.s64 %rd8, %rd2, %rd7;\nst.global.f32 [%rd8], %f3;\n";
}

const KernelLaunch kBlocks{{64, 1, 1}, {256, 1, 1}};

const Move* FindWindow(const TriedMoves& tried) {
  const auto found = std::ranges::find_if(tried.helpful, [](const Move& one) {
    return one.kind == MoveKind::kSharedTile && one.tile.rows == 1;
  });
  return found == tried.helpful.end() ? nullptr : &*found;
}

TEST(WindowMoves, WindowsThatOverlapAreFetchedOnceByTheBlock) {
  const TriedMoves tried = Tried(Decimate(48), kBlocks);
  ASSERT_FALSE(tried.helpful.empty());
  const Move& best = tried.helpful.front();
  EXPECT_EQ(best.kind, MoveKind::kSharedTile);
  // From the first element of the first thread to the last one of the last thread.
  EXPECT_EQ(best.tile.columns, 255U * 6 + 48);
  EXPECT_EQ(best.tile.rows, 1U);
  EXPECT_EQ(best.tile.bytes, Bytes((255 * 6 + 48) * 4));
  // 49 requests of 32 elements and one of 10.
  EXPECT_EQ(SectorsAfter(best), (Sectors{(49.0 * 4 + 2) / 50, 4}));
  EXPECT_DOUBLE_EQ(best.changes.front().after.requests, 64 * 50);
}

TEST(WindowMoves, WhatEachThreadHasForItselfIsNoWindow) {
  EXPECT_EQ(FindWindow(Tried(Decimate(6), kBlocks)), nullptr);
}

TEST(WindowMoves, AWindowThatSharedMemoryDoesNotHoldIsNotTried) {
  // 255 * 47 + 64 floats are the most of these that 48 KiB hold.
  const TriedMoves tried = Tried(Decimate(64, 47), kBlocks);
  const Move* most = FindWindow(tried);
  ASSERT_NE(most, nullptr);
  EXPECT_EQ(most->tile.columns, 255U * 47 + 64);
  EXPECT_EQ(FindWindow(Tried(Decimate(64, 48), kBlocks)), nullptr);
}

TEST(WindowMoves, NeighboursOfAStencilAreLeftToL1) {
  EXPECT_EQ(FindWindow(Tried(Decimate(5, 1), kBlocks)), nullptr);
}

TEST(WindowMoves, AnArrayThatIsStoredToIsNotFetchedAhead) {
  KernelLaunch in_place = kBlocks;
  in_place.out = in_place.in;
  EXPECT_EQ(FindWindow(Tried(Decimate(48), in_place)), nullptr);
}

}  // namespace
}  // namespace coalcheck::moves
