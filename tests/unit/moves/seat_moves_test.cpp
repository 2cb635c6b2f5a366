// SPDX-License-Identifier: Apache-2.0
//
// Threads that change places, held against what is known by hand.
#include <gtest/gtest.h>

#include "tests/unit/moves/kernels.h"

namespace coalcheck::moves {
namespace {

using Sectors = std::vector<double>;

// if (x < width && y < height) out[x * height + y] = in[y * width + x];
constexpr std::string_view kTranspose =
    "setp.ge.s32 %p1, %r10, %r2;\nsetp.ge.s32 %p2, %r11, %r3;\nor.pred %p3, %p1, %p2;\n"
    "@%p3 bra $L1;\n"
    "mad.lo.s32 %r12, %r11, %r2, %r10;\nmul.wide.s32 %rd3, %r12, 4;\nadd.s64 %rd4, %rd1, %rd3;\n"
    "ld.global.f32 %f1, [%rd4];\n"
    "mad.lo.s32 %r13, %r10, %r3, %r11;\nmul.wide.s32 %rd5, %r13, 4;\nadd.s64 %rd6, %rd2, %rd5;\n"
    "st.global.f32 [%rd6], %f1;\n$L1:\n";
// out[y * width + x] = in[y * width + x]
constexpr std::string_view kCopy =
    "mad.lo.s32 %r12, %r11, %r2, %r10;\nmul.wide.s32 %rd3, %r12, 4;\nadd.s64 %rd4, %rd1, %rd3;\n"
    "ld.global.f32 %f1, [%rd4];\nadd.s64 %rd6, %rd2, %rd3;\nst.global.f32 [%rd6], %f1;\n";
// out[x * height + y] = in[x * height + y]
constexpr std::string_view kColumns =
    "mad.lo.s32 %r13, %r10, %r3, %r11;\nmul.wide.s32 %rd5, %r13, 4;\nadd.s64 %rd6, %rd2, %rd5;\n"
    "add.s64 %rd4, %rd1, %rd5;\nld.global.f32 %f1, [%rd4];\nst.global.f32 [%rd6], %f1;\n";

// out[x * 8 + y] = in[x * 8 + y]
constexpr std::string_view kShortRows =
    "mad.lo.s32 %r13, %r10, 8, %r11;\nmul.wide.s32 %rd5, %r13, 4;\nadd.s64 %rd6, %rd2, %rd5;\n"
    "add.s64 %rd4, %rd1, %rd5;\nld.global.f32 %f1, [%rd4];\nst.global.f32 [%rd6], %f1;\n";

const KernelLaunch kWide{{8, 32, 1}, {32, 8, 1}};

// Of n = (c * height + y) * width + x: out[(y * width + x) * 8 + c] = in[the same]
constexpr std::string_view kChannelsLast =
    "rem.s32 %r13, %r10, %r2;\ndiv.s32 %r14, %r10, %r2;\nrem.s32 %r15, %r14, %r3;\n"
    "div.s32 %r16, %r14, %r3;\nmad.lo.s32 %r17, %r15, %r2, %r13;\n"
    "mad.lo.s32 %r18, %r17, 8, %r16;\nmul.wide.s32 %rd5, %r18, 4;\nadd.s64 %rd6, %rd2, %rd5;\n"
    "add.s64 %rd4, %rd1, %rd5;\nld.global.f32 %f1, [%rd4];\nst.global.f32 [%rd6], %f1;\n";

TEST(SeatMoves, ThreadsAreRenumberedByWhatTwoDivisionsLeaveTheSame) {
  const TriedMoves tried = Tried(kChannelsLast, {{24, 1, 1}, {256, 1, 1}, 24, 32});
  const Move* move = Find(tried.helpful, MoveKind::kRenumber);
  ASSERT_NE(move, nullptr);
  EXPECT_EQ(move->stride, 24 * 32);
  EXPECT_EQ(SectorsAfter(*move), (Sectors{4, 4}));
}

TEST(SeatMoves, AnAxisWithFewerPlacesThanABlockIsWideIsExchangedInATurnedBlock) {
  const TriedMoves tried = Tried(kShortRows, {{32, 1, 1}, {32, 8, 1}});
  const Move* move = Find(tried.helpful, MoveKind::kExchangeAxes);
  ASSERT_NE(move, nullptr);
  EXPECT_EQ(move->block, (address::Extent{8, 32, 1}));
  EXPECT_EQ(SectorsBefore(*move), (Sectors{32, 32}));
  EXPECT_EQ(SectorsAfter(*move), (Sectors{4, 4}));
}

TEST(SeatMoves, AreTriedWhereItTakesLongToSeeWhomDataLetTakePart) {
  std::string body =
      "mad.lo.s32 %r30, %r11, %r2, %r10;\nmul.wide.s32 %rd30, %r30, 4;\n"
      "add.s64 %rd31, %rd1, %rd30;\nld.global.u32 %r31, [%rd31];\n";
  for (int i = 31; i < 98; ++i) {
    const std::string from = std::to_string(i);
    body += "mul.lo.s32 %r" + std::to_string(i + 1) + ", %r" + from + ", %r" + from + ";\n";
  }
  body += "setp.eq.s32 %p1, %r98, 0;\n@%p1 bra $L1;\n" + std::string(kColumns) + "$L1:\n";
  const TriedMoves tried = Tried(body, {{16, 16, 1}, {32, 8, 1}, 512, 128});
  EXPECT_EQ(tried.why_not, "");
  EXPECT_NE(Find(tried.helpful, MoveKind::kExchangeAxes), nullptr);
}

TEST(SeatMoves, ExchangedAxesMendTheStoreOfATransposeAndBreakItsLoad) {
  const TriedMoves tried = Tried(kTranspose, kWide);
  EXPECT_EQ(Find(tried.helpful, MoveKind::kExchangeAxes), nullptr);
  const Move* move = Find(tried.rejected, MoveKind::kExchangeAxes);
  ASSERT_NE(move, nullptr);
  EXPECT_EQ(SectorsBefore(*move), (Sectors{4, 32}));
  EXPECT_EQ(SectorsAfter(*move), (Sectors{32, 4}));
}

TEST(SeatMoves, ATileMendsTheStoreOfATransposeAndLeavesItsLoad) {
  const TriedMoves tried = Tried(kTranspose, kWide);
  ASSERT_FALSE(tried.helpful.empty());
  const Move& best = tried.helpful.front();
  EXPECT_EQ(best.kind, MoveKind::kSharedTile);
  EXPECT_EQ(SectorsAfter(best), (Sectors{4, 4}));
  EXPECT_EQ(best.tile.rows, 32U);
  EXPECT_EQ(best.tile.pitch, 33U);
  EXPECT_EQ(best.tile.bytes, Bytes(32 * 33 * 4));
}

TEST(SeatMoves, ATileAlongAnAxisOfWhichABlockTakesOnePlaceAsksForMoreOfThem) {
  const KernelLaunch flat{{2, 256, 1}, {128, 1, 1}};
  const TriedMoves of_flat = Tried(kTranspose, flat);
  const TriedMoves of_wide = Tried(kTranspose, kWide);
  ASSERT_NE(Find(of_flat.helpful, MoveKind::kSharedTile), nullptr);
  EXPECT_TRUE(Find(of_flat.helpful, MoveKind::kSharedTile)->regroups);
  EXPECT_FALSE(Find(of_wide.helpful, MoveKind::kSharedTile)->regroups);
}

TEST(SeatMoves, ABlockOfAnotherShapeHalvesTheWarpsRowsOnBothSides) {
  const TriedMoves tried = Tried(kTranspose, kWide);
  const Move* move = Find(tried.helpful, MoveKind::kBlockShape);
  ASSERT_NE(move, nullptr);
  EXPECT_EQ(move->block.x * move->block.y, 256U);
  EXPECT_EQ(move->after / move->changes.front().after.requests, 12);
}

TEST(SeatMoves, ExchangedAxesMendWhatRunsDownColumnsOnly) {
  const TriedMoves tried = Tried(kColumns, kWide);
  ASSERT_FALSE(tried.helpful.empty());
  EXPECT_EQ(tried.helpful.front().kind, MoveKind::kExchangeAxes);
  EXPECT_EQ(SectorsBefore(tried.helpful.front()), (Sectors{32, 32}));
  EXPECT_EQ(SectorsAfter(tried.helpful.front()), (Sectors{4, 4}));
}

TEST(SeatMoves, ThreadsThatRepeatEachOtherAreNotMadeNeighbours) {
  // out[x * height] = in[x * height], eight times in each block.
  constexpr std::string_view kRepeated =
      "mul.lo.s32 %r13, %r10, %r3;\nmul.wide.s32 %rd5, %r13, 4;\nadd.s64 %rd6, %rd2, %rd5;\n"
      "add.s64 %rd4, %rd1, %rd5;\nld.global.f32 %f1, [%rd4];\nst.global.f32 [%rd6], %f1;\n";
  const TriedMoves tried = Tried(kRepeated, {{8, 1, 1}, {32, 8, 1}});
  EXPECT_EQ(Find(tried.helpful, MoveKind::kExchangeAxes), nullptr);
  EXPECT_EQ(Find(tried.helpful, MoveKind::kBlockShape), nullptr);
}

TEST(SeatMoves, ABlockAsWideAsAWarpMendsNarrowRows) {
  const TriedMoves tried = Tried(kCopy, {{64, 8, 1}, {4, 32, 1}});
  ASSERT_FALSE(tried.helpful.empty());
  EXPECT_EQ(tried.helpful.front().kind, MoveKind::kBlockShape);
  EXPECT_GE(tried.helpful.front().block.x, 8U);
  EXPECT_EQ(SectorsAfter(tried.helpful.front()), (Sectors{4, 4}));
}

TEST(SeatMoves, NothingHelpsACopyThatIsClean) { EXPECT_TRUE(Tried(kCopy, kWide).helpful.empty()); }

TEST(SeatMoves, NothingHelpsALaunchOfOneThread) {
  const KernelLaunch alone{{1, 1, 1}, {1, 1, 1}};
  for (const std::string_view body : {kCopy, kTranspose, kColumns}) {
    const TriedMoves tried = Tried(body, alone);
    EXPECT_TRUE(tried.helpful.empty());
    EXPECT_EQ(tried.why_not, "");
  }
}

TEST(SeatMoves, SizesThatStandInTheCodeHaveToChangeWithTheBlock) {
  const std::string fixed =
      "shl.b32 %r20, %r4, 5;\nadd.s32 %r10, %r20, %r6;\n"
      "shl.b32 %r21, %r7, 3;\nadd.s32 %r11, %r21, %r9;\n" +
      std::string(kColumns);
  const TriedMoves in_code = Tried(fixed, kWide);
  const TriedMoves in_launch = Tried(kColumns, kWide);
  for (const MoveKind kind : {MoveKind::kExchangeAxes, MoveKind::kBlockShape}) {
    ASSERT_NE(Find(in_code.helpful, kind), nullptr);
    EXPECT_TRUE(Find(in_code.helpful, kind)->in_code);
    ASSERT_NE(Find(in_launch.helpful, kind), nullptr);
    EXPECT_FALSE(Find(in_launch.helpful, kind)->in_code);
  }
}

TEST(SeatMoves, ThreadsThatShareMemoryHaveToShareItAlongAnotherAxis) {
  const TriedMoves tried =
      Tried("mov.u32 %r30, tile;\nst.shared.f32 [%r30], %f1;\n" + std::string(kColumns), kWide);
  EXPECT_EQ(tried.why_not, "its threads share memory");
  ASSERT_FALSE(tried.helpful.empty());
  for (const Move& move : tried.helpful) EXPECT_TRUE(move.regroups) << ToString(move.kind);
}

TEST(SeatMoves, LanesThatAskWhichLaneTheyAreKeepTheirPlaces) {
  const TriedMoves tried =
      Tried("mov.u32 %r30, %laneid;\nmov.u32 %r31, tile;\nst.shared.u32 [%r31], %r30;\n" +
                std::string(kColumns),
            kWide);
  EXPECT_TRUE(tried.helpful.empty());
}

TEST(SeatMoves, AnAccessThatCountsDoNotConfirmStopsThem) {
  const TriedMoves tried = Tried(kColumns, kWide, {1});
  EXPECT_TRUE(tried.helpful.empty());
  EXPECT_FALSE(tried.tried);
}

TEST(SeatMoves, ExtentsThatABlockDoesNotDivideAreLeftAlone) {
  const TriedMoves tried = Tried(kColumns, {{3, 5, 1}, {32, 8, 1}, 96, 40});
  EXPECT_EQ(Find(tried.helpful, MoveKind::kExchangeAxes), nullptr);
}

TEST(SeatMoves, AGridThatNoLaunchMayHaveIsNotSaid) {
  const KernelLaunch long_grid{{65536, 4, 1}, {32, 8, 1}, 65536 * 32, 32};
  const TriedMoves tried = Tried(kColumns, long_grid);
  EXPECT_EQ(Find(tried.helpful, MoveKind::kExchangeAxes), nullptr);
  const KernelLaunch short_grid{{512, 4, 1}, {32, 8, 1}, 512 * 32, 32};
  const TriedMoves fits = Tried(kColumns, short_grid);
  EXPECT_NE(Find(fits.helpful, MoveKind::kExchangeAxes), nullptr);
}

}  // namespace
}  // namespace coalcheck::moves
