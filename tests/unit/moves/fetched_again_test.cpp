// SPDX-License-Identifier: Apache-2.0
//
// Loads that blocks repeat, held against what is known by hand.
#include <gtest/gtest.h>

#include "tests/unit/moves/kernels.h"

namespace coalcheck::moves {
namespace {

const KernelLaunch kSquare{{8, 32, 1}, {32, 8, 1}, 256, 256};

// for (k = 0; k < width; ++k) sum += in[width * k + x] * in[width * y + k]; as a matrix product.
constexpr std::string_view kProduct =
    "mov.u32 %r20, 0;\nmov.f32 %f3, 0f00000000;\n$L1:\n"
    "mad.lo.s32 %r12, %r20, %r2, %r10;\nmul.wide.s32 %rd3, %r12, 4;\nadd.s64 %rd4, %rd1, %rd3;\n"
    "ld.global.f32 %f1, [%rd4];\n"
    "mad.lo.s32 %r13, %r11, %r2, %r20;\nmul.wide.s32 %rd5, %r13, 4;\nadd.s64 %rd6, %rd1, %rd5;\n"
    "ld.global.f32 %f2, [%rd6];\nfma.rn.f32 %f3, %f1, %f2, %f3;\n"
    "add.s32 %r20, %r20, 1;\nsetp.lt.s32 %p1, %r20, %r2;\n@%p1 bra $L1;\n";
// out[y * width + x] = in[y * width + x]
constexpr std::string_view kCopyOnce =
    "mad.lo.s32 %r12, %r11, %r2, %r10;\nmul.wide.s32 %rd3, %r12, 4;\nadd.s64 %rd4, %rd1, %rd3;\n"
    "ld.global.f32 %f1, [%rd4];\nadd.s64 %rd6, %rd2, %rd3;\nst.global.f32 [%rd6], %f1;\n";

TEST(FetchedAgain, BothFactorsOfAProductAreFetchedByEachOfABlocksWarps) {
  const std::vector<FetchedAgain> found = FetchedAgainIn(kProduct, kSquare);
  ASSERT_EQ(found.size(), 2U);
  // Eight warps ask for the same 32 columns of each row; 32 rows of 128 bytes are 4 KiB.
  EXPECT_DOUBLE_EQ(found[0].times, 8);
  EXPECT_EQ(found[0].tile, Bytes(32 * 128));
  EXPECT_EQ(found[0].loads, 32U);
  // Each warp asks eight times for a sector of its own row; 8 rows of 128 bytes.
  EXPECT_DOUBLE_EQ(found[1].times, 8);
  EXPECT_EQ(found[1].tile, Bytes(8 * 128));
  EXPECT_LT(found[0].instruction, found[1].instruction);
}

TEST(FetchedAgain, AFactorThatIsFetchedTwiceIsNotToldOfBesideOneThatIsFetchedOften) {
  // Two warps of one row each: a row of the first factor twice, the second factor eight times.
  const std::vector<FetchedAgain> found =
      FetchedAgainIn(kProduct, {{8, 128, 1}, {32, 2, 1}, 256, 256});
  EXPECT_TRUE(found.empty()) << "what is fetched again is no half of what is asked for";
}

TEST(FetchedAgain, ACopyFetchesNothingAgain) {
  EXPECT_TRUE(FetchedAgainIn(kCopyOnce, kSquare).empty());
}

TEST(FetchedAgain, WhatDataDecideIsNotKnown) {
  // Every warp loads in[k] as often as a loaded number says; the addresses themselves are known.
  constexpr std::string_view kByData =
      "mov.u32 %r20, 0;\nld.global.u32 %r21, [%rd1];\n$L1:\n"
      "mul.wide.s32 %rd3, %r20, 4;\nadd.s64 %rd4, %rd1, %rd3;\nld.global.f32 %f1, [%rd4];\n"
      "add.s32 %r20, %r20, 1;\nsetp.lt.s32 %p1, %r20, %r21;\n@%p1 bra $L1;\n";
  EXPECT_TRUE(FetchedAgainIn(kByData, kSquare).empty());
}

TEST(FetchedAgain, ATileThatDoesNotFitIsNotOffered) {
  // Two sectors for each lane in each of 32 rounds, the same for all warps.
  constexpr std::string_view kFarApart =
      "mov.u32 %r20, 0;\nmov.f32 %f3, 0f00000000;\nmov.u32 %r6, %tid.x;\n$L1:\n"
      "mul.lo.s32 %r12, %r6, 32;\nmad.lo.s32 %r13, %r20, 2048, %r12;\nmul.wide.s32 %rd3, %r13, 4;\n"
      "add.s64 %rd4, %rd1, %rd3;\nld.global.v4.f32 {%f1, %f2, %f4, %f5}, [%rd4];\n"
      "add.s64 %rd7, %rd4, 64;\nld.global.f32 %f6, [%rd7];\n"
      "add.s32 %r20, %r20, 1;\nsetp.lt.s32 %p1, %r20, 64;\n@%p1 bra $L1;\n";
  const std::vector<FetchedAgain> each = FetchedAgainIn(kFarApart, kSquare);
  ASSERT_EQ(each.size(), 2U);
  EXPECT_EQ(each[0].tile, Bytes(32 * 32 * 32));
  const std::vector<FetchedAgain> both = FetchedAgainIn(kFarApart, kSquare, true);
  ASSERT_EQ(both.size(), 1U);
  EXPECT_EQ(both[0].tile, Bytes(0)) << "64 KiB";
  EXPECT_EQ(both[0].times, 8);
  EXPECT_EQ(both[0].loads, 64U);
}

}  // namespace
}  // namespace coalcheck::moves
