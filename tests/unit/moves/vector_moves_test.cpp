// SPDX-License-Identifier: Apache-2.0
//
// Accesses that come as one, held against what is known by hand.
#include <gtest/gtest.h>

#include "tests/unit/moves/kernels.h"

namespace coalcheck::moves {
namespace {

using Sectors = std::vector<double>;

const KernelLaunch kFew{{16, 1, 1}, {128, 1, 1}};

// Of each access that is changed: how many come as one.
std::vector<double> Merged(const Move& move) {
  std::vector<double> merged;
  for (const Change& change : move.changes) {
    merged.push_back(change.before.requests / change.after.requests);
  }
  return merged;
}

// The address of in[x * floats + first] in %rd4, that of out[x] in %rd6.
std::string At(int floats, int first) {
  return "mul.wide.s32 %rd3, %r10, " + std::to_string(4 * floats) + ";\nadd.s64 %rd4, %rd1, " +
         "%rd3;\nadd.s64 %rd4, %rd4, " + std::to_string(4 * first) +
         ";\nmul.wide.s32 %rd5, %r10, 4;\nadd.s64 %rd6, %rd2, %rd5;\n";
}
std::string Loads(int count) {
  std::string text;
  for (int i = 0; i < count; ++i) {
    text += "ld.global.f32 %f1, [%rd4+" + std::to_string(4 * i) + "];\n";
  }
  return text;
}
constexpr std::string_view kStoreOne = "st.global.f32 [%rd6], %f1;\n";
TriedMoves TriedOnLoads(int floats, int first, int loads, const KernelLaunch& launch = kFew) {
  return Tried(At(floats, first) + Loads(loads) + std::string(kStoreOne), launch);
}

TEST(VectorMoves, TwoFloatsSideBySideComeAsOneBeforeAnythingElseIsSaid) {
  const TriedMoves tried = TriedOnLoads(2, 0, 2);
  ASSERT_FALSE(tried.helpful.empty());
  const Move& first = tried.helpful.front();
  EXPECT_EQ(first.kind, MoveKind::kVector);
  EXPECT_EQ(SectorsBefore(first), (Sectors{8, 8, 4}));
  EXPECT_EQ(SectorsAfter(first), (Sectors{8, 8, 4}));  // of 64 warps, as many requests fewer
  EXPECT_EQ(Merged(first), (Sectors{2, 2, 1}));
  EXPECT_EQ(first.before, 64 * 20);
  EXPECT_EQ(first.after, 64 * 12);
  EXPECT_EQ(first.changes.front().vector, Bytes(8));
  EXPECT_EQ(first.changes.back().vector, Bytes(0));
}

TEST(VectorMoves, SixteenBytesAreTheWidest) {
  const TriedMoves tried = TriedOnLoads(8, 0, 8);
  const Move* vector = Find(tried.helpful, MoveKind::kVector);
  ASSERT_NE(vector, nullptr);
  EXPECT_EQ(vector->changes.front().vector, Bytes(16));
  EXPECT_EQ(Merged(*vector).front(), 4);
}

TEST(VectorMoves, ALoadMayTakeWhatNobodyAsksForAndAStoreMayNot) {
  const Move* loads = nullptr;
  const TriedMoves of_loads = TriedOnLoads(4, 0, 3);
  loads = Find(of_loads.helpful, MoveKind::kVector);
  ASSERT_NE(loads, nullptr);
  EXPECT_EQ(Merged(*loads).front(), 3);
  std::string stores = At(4, 0);
  for (int i = 0; i < 3; ++i) {
    stores += "st.global.f32 [%rd4+" + std::to_string(4 * i) + "], %f1;\n";
  }
  const TriedMoves of_stores = Tried(stores, kFew);
  EXPECT_EQ(Find(of_stores.helpful, MoveKind::kVector), nullptr);
}

TEST(VectorMoves, StructuresThatAreNoMultipleOfAVectorHaveNone) {
  const TriedMoves tried = TriedOnLoads(3, 0, 3);
  EXPECT_EQ(Find(tried.helpful, MoveKind::kVector), nullptr);
  EXPECT_EQ(Find(tried.rejected, MoveKind::kVector), nullptr);
}

TEST(VectorMoves, WhatIsNotAlignedIsNotTakenTogether) {
  EXPECT_EQ(Find(TriedOnLoads(2, 1, 2).helpful, MoveKind::kVector), nullptr);
  KernelLaunch shifted = kFew;
  shifted.in += 4;
  EXPECT_EQ(Find(TriedOnLoads(2, 0, 2, shifted).helpful, MoveKind::kVector), nullptr);
}

TEST(VectorMoves, OneFieldOfEachStructureStaysAlone) {
  EXPECT_EQ(Find(TriedOnLoads(4, 0, 1).helpful, MoveKind::kVector), nullptr);
}

TEST(VectorMoves, ThreadsThatMeetAtBarriersCanTakeVectors) {
  const TriedMoves tried =
      Tried(At(2, 0) + Loads(2) + "bar.sync 0;\n" + std::string(kStoreOne), kFew);
  EXPECT_NE(Find(tried.helpful, MoveKind::kVector), nullptr);
}

TEST(VectorMoves, NeighboursThatEachTakeTheirNeighboursElementDoNot) {
  // in[x], in[x + 1]: what lanes take lies side by side already.
  EXPECT_EQ(Find(TriedOnLoads(1, 0, 2).helpful, MoveKind::kVector), nullptr);
}

}  // namespace
}  // namespace coalcheck::moves
