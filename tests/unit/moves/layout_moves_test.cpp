// SPDX-License-Identifier: Apache-2.0
//
// Data that lie elsewhere, held against what is known by hand.
#include <gtest/gtest.h>

#include "tests/unit/moves/kernels.h"

namespace coalcheck::moves {
namespace {

using Sectors = std::vector<double>;

// A load of `width` bytes of element x of structures of `structure` bytes, at `offset`.
std::string Field(int structure, int offset, std::string_view type = "f32") {
  return "mul.wide.s32 %rd3, %r10, " + std::to_string(structure) +
         ";\nadd.s64 %rd4, %rd1, %rd3;\nld.global." + std::string(type) + " %f1, [%rd4+" +
         std::to_string(offset) + "];\n";
}
constexpr std::string_view kStore =
    "mul.wide.s32 %rd5, %r10, 4;\nadd.s64 %rd6, %rd2, %rd5;\nst.global.f32 [%rd6], %f1;\n";
// in[y * width + x]
constexpr std::string_view kRows =
    "mad.lo.s32 %r12, %r11, %r2, %r10;\nmul.wide.s32 %rd3, %r12, 4;\nadd.s64 %rd4, %rd1, %rd3;\n"
    "ld.global.f32 %f1, [%rd4];\n";
const KernelLaunch kLine{{16, 1, 1}, {128, 1, 1}};

TEST(LayoutMoves, AnArrayForEachFieldMendsEveryField) {
  const TriedMoves tried = Tried(Field(12, 0) + Field(12, 8) + std::string(kStore), kLine);
  ASSERT_FALSE(tried.helpful.empty());
  const Move& best = tried.helpful.front();
  EXPECT_EQ(best.kind, MoveKind::kFieldArrays);
  EXPECT_EQ(best.structure, Bytes(12));
  EXPECT_EQ(best.fields, 2U);
  EXPECT_EQ(best.parameters, std::vector<std::uint32_t>{0});
  EXPECT_EQ(SectorsBefore(best), (Sectors{12, 12, 4}));
  EXPECT_EQ(SectorsAfter(best), (Sectors{4, 4, 4}));
}

TEST(LayoutMoves, FieldsThatOverlapAreNoFields) {
  const TriedMoves tried = Tried(Field(16, 0) + Field(16, 0, "u8") + std::string(kStore), kLine);
  EXPECT_EQ(Find(tried.helpful, MoveKind::kFieldArrays), nullptr);
}

TEST(LayoutMoves, AnArrayWhoseOtherAccessIsNotConfirmedStaysAsItIs) {
  const std::string body = Field(12, 0) + Field(12, 8) + std::string(kStore);
  EXPECT_TRUE(Tried(body, kLine, {1}).helpful.empty());
  // Another array's does not matter.
  EXPECT_FALSE(Tried(body, kLine, {2}).helpful.empty());
}

// Of a structure whose number is loaded, a field at 4.
std::string Gathered(int structure) {
  return "mul.wide.s32 %rd5, %r10, 4;\nadd.s64 %rd6, %rd2, %rd5;\nld.global.u32 %r20, [%rd6];\n"
         "mul.wide.s32 %rd7, %r20, " +
         std::to_string(structure) + ";\nadd.s64 %rd8, %rd1, %rd7;\nld.global.f32 %f2, [%rd8+4];\n";
}

TEST(LayoutMoves, FieldsThatAreGatheredElsewhereStayFields) {
  const TriedMoves tried = Tried(Field(12, 0) + Gathered(12), kLine);
  ASSERT_FALSE(tried.helpful.empty());
  EXPECT_EQ(tried.helpful.front().kind, MoveKind::kFieldArrays);
  EXPECT_EQ(tried.helpful.front().fields, 2U);
  EXPECT_EQ(SectorsAfter(tried.helpful.front()), (Sectors{4, 4, 32}));
  EXPECT_TRUE(Tried(Field(12, 0) + Gathered(8), kLine).helpful.empty());
}

// Loads where the block's cell begins, into %r20.
constexpr std::string_view kCell =
    "mul.wide.u32 %rd5, %r4, 4;\nadd.s64 %rd6, %rd2, %rd5;\nld.global.u32 %r20, [%rd6];\n";

TEST(LayoutMoves, StructuresOfACellThatDataChooseAreTakenApart) {
  const std::string member =
      "add.s32 %r21, %r20, %r6;\nmul.wide.s32 %rd7, %r21, 12;\nadd.s64 %rd8, %rd1, %rd7;\n"
      "ld.global.f32 %f1, [%rd8];\nld.global.f32 %f2, [%rd8+8];\n";
  const TriedMoves tried = Tried(std::string(kCell) + member, kLine);
  const Move* move = Find(tried.helpful, MoveKind::kFieldArrays);
  ASSERT_NE(move, nullptr);
  EXPECT_EQ(move->fields, 2U);
  // Wherever the cell begins.
  EXPECT_EQ(SectorsAfter(*move), (Sectors{1, 5, 5}));
  EXPECT_TRUE(move->changes[1].at_most);
}

TEST(LayoutMoves, RowsOfWhichDataChooseAnElementForAllThreadsAreInterleaved) {
  const std::string element =
      "mad.lo.s32 %r21, %r10, %r2, %r20;\nmul.wide.s32 %rd7, %r21, 4;\n"
      "add.s64 %rd8, %rd1, %rd7;\nld.global.f32 %f1, [%rd8];\n";
  const TriedMoves tried = Tried(std::string(kCell) + element, kLine);
  const Move* move = Find(tried.helpful, MoveKind::kInterleave);
  ASSERT_NE(move, nullptr);
  EXPECT_EQ(move->structure, Bytes(1024));
  EXPECT_EQ(SectorsAfter(*move), (Sectors{1, 4}));
}

TEST(LayoutMoves, ArraysThatAreTakenApartAreTakenApartTogether) {
  const TriedMoves tried = Tried(Field(12, 0) + Field(12, 8) +
                                     "mul.wide.s32 %rd5, %r10, 12;\nadd.s64 %rd6, %rd2, %rd5;\n"
                                     "st.global.f32 [%rd6+4], %f1;\n",
                                 kLine);
  ASSERT_FALSE(tried.helpful.empty());
  EXPECT_EQ(tried.helpful.front().parameters, (std::vector<std::uint32_t>{0, 1}));
  EXPECT_EQ(SectorsAfter(tried.helpful.front()), (Sectors{4, 4, 4}));
}

TEST(LayoutMoves, APlaceThatDependsOnTheThreadIsNoField) {
  // in[x * width + y]: neighbours are a row apart, and which element of it is the thread's to say.
  const KernelLaunch plane{{8, 64, 1}, {32, 4, 1}, 256, 256};
  const TriedMoves tried = Tried(
      "mad.lo.s32 %r12, %r10, %r2, %r11;\nmul.wide.s32 %rd3, %r12, 4;\nadd.s64 %rd4, %rd1, %rd3;\n"
      "ld.global.f32 %f1, [%rd4];\n",
      plane);
  EXPECT_EQ(Find(tried.helpful, MoveKind::kFieldArrays), nullptr);
  EXPECT_EQ(Find(tried.helpful, MoveKind::kInterleave), nullptr);
}

TEST(LayoutMoves, AnArrayThatBeginsLaterMendsAnOffset) {
  const TriedMoves tried = Tried(Field(4, 8) + std::string(kStore), kLine);
  ASSERT_FALSE(tried.helpful.empty());
  EXPECT_EQ(tried.helpful.front().kind, MoveKind::kAlign);
  EXPECT_EQ(tried.helpful.front().shift, Bytes(24));
  EXPECT_EQ(SectorsBefore(tried.helpful.front()), (Sectors{5, 4}));
  EXPECT_EQ(SectorsAfter(tried.helpful.front()), (Sectors{4, 4}));
}

TEST(LayoutMoves, NeighboursOfAStencilCannotAllBeAligned) {
  const TriedMoves tried =
      Tried(Field(4, 4) + Field(4, 8) + Field(4, 12) + std::string(kStore), kLine);
  const Move* move = Find(tried.helpful, MoveKind::kAlign);
  ASSERT_NE(move, nullptr);  // one of the three becomes whole
  EXPECT_EQ(move->before - move->after, 64);
  EXPECT_TRUE(Tried(Field(4, 0) + Field(4, 4) + std::string(kStore), kLine).helpful.empty());
}

TEST(LayoutMoves, PaddedRowsMendAWidthThatFillsNoSector) {
  const KernelLaunch plane{{4, 64, 1}, {32, 4, 1}, 129, 256};
  const TriedMoves tried = Tried(kRows, plane);
  const Move* move = Find(tried.helpful, MoveKind::kPadRows);
  ASSERT_NE(move, nullptr);
  EXPECT_EQ(move->pitch_before, Bytes(516));
  EXPECT_EQ(move->pitch_after, Bytes(544));
  EXPECT_EQ(SectorsAfter(*move), (Sectors{4}));
}

TEST(LayoutMoves, PaddedRowsBeginAtASectorWhereTheFirstDoes) {
  const KernelLaunch plane{{4, 64, 1}, {32, 4, 1}, 129, 256, 0x700000000014};
  const TriedMoves tried = Tried(kRows, plane);
  const Move* move = Find(tried.helpful, MoveKind::kPadRows);
  ASSERT_NE(move, nullptr);
  EXPECT_EQ(move->pitch_after, Bytes(544));
  EXPECT_EQ(move->shift, Bytes(12));
  EXPECT_EQ(SectorsAfter(*move), (Sectors{4}));
}

// Behind kRows: an element of `in` that a load chooses, in the thread's row or anywhere.
std::string ChosenByData(bool is_in_row) {
  return "mul.wide.s32 %rd13, %r10, 4;\nadd.s64 %rd14, %rd2, %rd13;\n"
         "ld.global.u32 %r20, [%rd14];\n" +
         std::string(is_in_row ? "mad.lo.s32 %r21, %r11, %r2, %r20;\n" : "mov.u32 %r21, %r20;\n") +
         "mul.wide.s32 %rd15, %r21, 4;\nadd.s64 %rd16, %rd1, %rd15;\n"
         "ld.global.f32 %f2, [%rd16];\n";
}

TEST(LayoutMoves, RowsArePaddedWhereDataChooseWithinThemAlone) {
  const KernelLaunch plane{{4, 64, 1}, {32, 4, 1}, 129, 256};
  const TriedMoves in_row = Tried(std::string(kRows) + ChosenByData(true), plane);
  EXPECT_NE(Find(in_row.helpful, MoveKind::kPadRows), nullptr);
  const TriedMoves anywhere = Tried(std::string(kRows) + ChosenByData(false), plane);
  EXPECT_EQ(Find(anywhere.helpful, MoveKind::kPadRows), nullptr);
}

TEST(LayoutMoves, NeedNoThreadToChangeItsPlace) {
  const TriedMoves tried = Tried(
      "mov.u32 %r30, tile;\nst.shared.f32 [%r30], %f1;\n" + Field(12, 0) + std::string(kStore),
      kLine);
  EXPECT_NE(Find(tried.helpful, MoveKind::kFieldArrays), nullptr);
  EXPECT_EQ(tried.why_not, "its threads share memory");
}

}  // namespace
}  // namespace coalcheck::moves
