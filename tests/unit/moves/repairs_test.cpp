// SPDX-License-Identifier: Apache-2.0
//
// Compiled kernels with common mistakes: the first move that is said is what a person would do.
#include <gtest/gtest.h>

#include <cstring>
#include <string>

#include "tests/unit/moves/kernels.h"

namespace coalcheck::moves {
namespace {

// Arguments as a launch has them: pointers by number, then what follows.
class Arguments {
 public:
  Arguments& Pointer() {
    const std::uint64_t place = 0x700000000000 + (++pointers_ << 32U);
    return Add(place);
  }
  template <typename T>
  Arguments& Add(T value) {
    bytes_.resize((bytes_.size() + sizeof(T) - 1) / sizeof(T) * sizeof(T) + sizeof(T));
    std::memcpy(bytes_.data() + bytes_.size() - sizeof(T), &value, sizeof(T));
    return *this;
  }
  const std::string& bytes() const { return bytes_; }

 private:
  std::string bytes_;
  std::uint64_t pointers_ = 0;
};

const Move& First(const TriedMoves& tried) {
  static const Move none;
  return tried.helpful.empty() ? none : tried.helpful.front();
}

// The first one, and for who reads a failure all others.
struct Said {
  explicit Said(const TriedMoves& tried) {
    first = tried.helpful.empty() ? "" : ToString(First(tried).kind);
    for (const auto* moves : {&tried.helpful, &tried.rejected}) {
      for (const Move& one : *moves) {
        all += std::string(ToString(one.kind)) + " " + std::to_string(one.before) + " -> " +
               std::to_string(one.after) + ", ";
      }
    }
    all += tried.why_not;
  }
  std::string first;
  std::string all;
};

#define EXPECT_FIRST(tried, kind) EXPECT_EQ(Said(tried).first, kind) << Said(tried).all

double SavedShare(const TriedMoves& tried) {
  const Move& best = First(tried);
  return best.before > 0 ? 1 - best.after / best.before : 0;
}

class Repairs : public ::testing::Test {
 protected:
  void SetUp() override {
    if (RepairsPtx().empty()) GTEST_SKIP() << "there is no nvcc";
  }
};

TEST_F(Repairs, ScalesThatArePackedWithTheirValuesGoIntoAnArrayOfTheirOwn) {
  const auto tried = TriedOn("dequantise", {{4096, 1, 1}, {256, 1, 1}},
                             Arguments().Pointer().Pointer().Add(1 << 20).bytes());
  EXPECT_FIRST(tried, "field_arrays");
  EXPECT_EQ(First(tried).fields, 2U);
}

TEST_F(Repairs, AVolumesFastestAxisIsGivenToTheLanes) {
  const std::string arguments = Arguments().Pointer().Pointer().Add(200).Add(136).Add(100).bytes();
  const auto planes = TriedOn("stencil", {{4, 17, 200}, {32, 8, 1}}, arguments);
  EXPECT_FIRST(planes, "exchange_axes");
  EXPECT_EQ(First(planes).axis, address::Axis::kZ);
  const auto cubes = TriedOn("stencil", {{13, 17, 25}, {8, 8, 8}}, arguments);
  EXPECT_FIRST(cubes, "exchange_axes");
  EXPECT_EQ(First(cubes).axis, address::Axis::kZ);
}

TEST_F(Repairs, AtomsGetAnArrayForEachField) {
  const auto all = TriedOn("forces", {{16, 1, 1}, {128, 1, 1}},
                           Arguments().Pointer().Pointer().Add(2048).bytes());
  EXPECT_FIRST(all, "field_arrays");
}

TEST_F(Repairs, TimeSeriesOfAThreadEachAreInterleaved) {
  const auto tried = TriedOn("smooth", {{64, 1, 1}, {128, 1, 1}},
                             Arguments().Pointer().Pointer().Add(8192).Add(1000).Add(0.5F).bytes());
  EXPECT_FIRST(tried, "interleave");
  EXPECT_EQ(First(tried).parameters, (std::vector<std::uint32_t>{0, 1}));
}

TEST_F(Repairs, ChannelsChangePlacesThroughASharedTile) {
  for (const int channels : {64, 3}) {
    SCOPED_TRACE(channels);
    const int elements = 8 * channels * 56 * 56;
    const KernelLaunch launch{{static_cast<std::uint32_t>((elements + 255) / 256), 1, 1},
                              {256, 1, 1}};
    const std::string arguments =
        Arguments().Pointer().Pointer().Add(8).Add(channels).Add(56 * 56).bytes();
    for (const char* kernel : {"to_planes", "from_pixels"}) {
      const auto tried = TriedOn(kernel, launch, arguments);
      EXPECT_FIRST(tried, "shared_tile") << kernel;
      EXPECT_GT(SavedShare(tried), channels == 3 ? 0.15 : 0.6) << kernel;
    }
  }
}

TEST_F(Repairs, ParticlesGetAnArrayForEachFieldWhereverTheyAreReadAndWritten) {
  const auto in_place = TriedOn("push", {{4096, 1, 1}, {256, 1, 1}},
                                Arguments().Pointer().Add(1 << 20).Add(0.5F).bytes());
  EXPECT_FIRST(in_place, "field_arrays");
  const auto into = TriedOn("push_into", {{4096, 1, 1}, {256, 1, 1}},
                            Arguments().Pointer().Pointer().Add(1 << 20).Add(0.5F).bytes());
  EXPECT_FIRST(into, "field_arrays");
  EXPECT_EQ(First(into).parameters, (std::vector<std::uint32_t>{0, 1}));
  for (const double sectors : SectorsAfter(First(into))) EXPECT_EQ(sectors, 4);
}

TEST_F(Repairs, ALongRowIsGivenToAWarp) {
  const auto tried = TriedOn("rmsnorm", {{64, 1, 1}, {128, 1, 1}},
                             Arguments().Pointer().Pointer().Pointer().Add(8192).Add(512).bytes());
  EXPECT_FIRST(tried, "lanes_along_loop");
  EXPECT_TRUE(First(tried).reduces);
}

TEST_F(Repairs, AnImageWhoseAxesAreSwappedIsSwappedBack) {
  const auto tried = TriedOn("sobel", {{68, 120, 1}, {16, 16, 1}},
                             Arguments().Pointer().Pointer().Add(1920).Add(1080).bytes());
  EXPECT_FIRST(tried, "exchange_axes");
}

TEST_F(Repairs, MatricesOfASiteGetAnArrayForEachElement) {
  const auto tried = TriedOn("multiply_links", {{512, 1, 1}, {128, 1, 1}},
                             Arguments().Pointer().Pointer().Pointer().Add(65536).bytes());
  EXPECT_FIRST(tried, "interleave");
  EXPECT_EQ(First(tried).parameters, (std::vector<std::uint32_t>{0, 1, 2}));
}

TEST_F(Repairs, TripsGetAnArrayForEachField) {
  const auto tried =
      TriedOn("revenue", {{264, 1, 1}, {256, 1, 1}}, Arguments().Pointer().Add(1 << 20).bytes());
  EXPECT_FIRST(tried, "field_arrays");
  EXPECT_EQ(First(tried).fields, 2U);
}

TEST_F(Repairs, ColumnsOfDenseRowsAreGivenToLanes) {
  const auto tried = TriedOn("column_means", {{2048, 1, 1}, {256, 1, 1}},
                             Arguments().Pointer().Pointer().Add(4096).Add(2048).bytes());
  EXPECT_FIRST(tried, "renumber");
  EXPECT_TRUE(First(tried).regroups);
}

TEST_F(Repairs, SystemsOfEquationsAreInterleaved) {
  Arguments arguments;
  for (int i = 0; i < 6; ++i) arguments.Pointer();
  const auto tried =
      TriedOn("solve", {{256, 1, 1}, {64, 1, 1}}, arguments.Add(std::int64_t{96}).bytes());
  EXPECT_FIRST(tried, "interleave");
}

TEST_F(Repairs, ChannelsAreInterleavedThroughASharedTile) {
  const auto tried = TriedOn("interleave", {{1008, 8, 1}, {256, 1, 1}},
                             Arguments().Pointer().Pointer().Add(258048).Add(8).bytes());
  EXPECT_FIRST(tried, "shared_tile");
}

TEST_F(Repairs, AVolumesAxesChangePlacesThroughASharedTile) {
  const auto tried = TriedOn("permute", {{12, 10, 256}, {32, 8, 1}},
                             Arguments().Pointer().Pointer().Add(384).Add(256).Add(320).bytes());
  EXPECT_FIRST(tried, "shared_tile");
}

// Sectors a request of each access, and whether these are the most that there can be.
struct Foretold {
  explicit Foretold(const Move& move) : sectors(SectorsAfter(move)) {
    for (const Change& change : move.changes) at_most.push_back(change.at_most);
  }
  std::vector<double> sectors;
  std::vector<bool> at_most;
};

TEST_F(Repairs, ABucketThatDataChooseIsGivenToAWarp) {
  const KernelLaunch launch{{1024, 1, 1}, {256, 1, 1}};
  const std::string arguments = Arguments().Pointer().Pointer().Pointer().bytes();
  const auto all = TriedOn("probe", launch, arguments);
  EXPECT_FIRST(all, "lanes_along_loop");
  // Where in a sector a bucket begins is not known: 32 slots of 4 bytes lie in five at most.
  const Foretold foretold(First(all));
  EXPECT_EQ(foretold.sectors.front(), 1);
  EXPECT_EQ(foretold.sectors[1], 5);
  EXPECT_EQ(foretold.sectors.back(), 1);
  EXPECT_EQ(foretold.at_most.front(), false);
  EXPECT_EQ(foretold.at_most[1], true);
}

TEST_F(Repairs, RowsOfASparseMatrixAreGivenToWarps) {
  const auto tried = TriedOn("multiply_rows", {{512, 1, 1}, {256, 1, 1}},
                             Arguments().Pointer().Pointer().Pointer().Pointer().Pointer().bytes());
  // How long rows are is not known here, and that lanes along them would help is not sure.
  EXPECT_EQ(Find(tried.helpful, MoveKind::kStriped), nullptr) << Said(tried).all;
}

TEST_F(Repairs, ListsOfNeighboursAreInterleaved) {
  const auto tried = TriedOn("sum_neighbours", {{1024, 1, 1}, {128, 1, 1}},
                             Arguments().Pointer().Pointer().Pointer().Pointer().Add(96).bytes());
  EXPECT_FIRST(tried, "interleave");
  EXPECT_EQ(First(tried).parameters, (std::vector<std::uint32_t>{1}));
}

TEST_F(Repairs, RowsThatAreTakenByNumberAreGivenToLanes) {
  const auto rows = TriedOn("take_rows", {{1984, 1, 1}, {256, 1, 1}},
                            Arguments().Pointer().Pointer().Pointer().Add(64).bytes());
  EXPECT_FIRST(rows, "lanes_along_loop");
  const auto elements =
      TriedOn("take_elements", {{256, 4, 1}, {16, 16, 1}},
              Arguments().Pointer().Pointer().Pointer().Add(4096).Add(64).bytes());
  EXPECT_FIRST(elements, "exchange_axes");
}

TEST_F(Repairs, BytesOfAStencilAreStriped) {
  const auto tried = TriedOn("blur", {{8192, 1, 1}, {256, 1, 1}},
                             Arguments().Pointer().Pointer().Add(8192).bytes());
  EXPECT_FIRST(tried, "striped");
}

TEST_F(Repairs, BytesWithAScaleForEachRowAreStriped) {
  const auto tried = TriedOn("scale_rows", {{8192, 1, 1}, {256, 1, 1}},
                             Arguments().Pointer().Pointer().Pointer().Add(512).bytes());
  EXPECT_FIRST(tried, "striped");
}

TEST_F(Repairs, ElementsThatAThreadPutsTogetherStayWithIt) {
  const auto tried =
      TriedOn("centre", {{1024, 1, 1}, {256, 1, 1}}, Arguments().Pointer().Pointer().bytes());
  EXPECT_EQ(Find(tried.helpful, MoveKind::kStriped), nullptr) << Said(tried).all;
}

TEST_F(Repairs, ElementsThatABlockAddsUpAreStriped) {
  const auto tried = TriedOn("dot", {{1024, 1, 1}, {256, 1, 1}},
                             Arguments().Pointer().Pointer().Pointer().bytes());
  EXPECT_FIRST(tried, "striped");
  EXPECT_TRUE(First(tried).regroups);
}

TEST_F(Repairs, FieldsOfOrdersThatDataChooseGetAnArrayEach) {
  const auto tried = TriedOn("paid", {{264, 1, 1}, {256, 1, 1}},
                             Arguments().Pointer().Pointer().Add(1 << 20).bytes());
  EXPECT_FIRST(tried, "field_arrays");
  EXPECT_EQ(First(tried).fields, 3U);
}

TEST_F(Repairs, ElementsOfASegmentAreNoFields) {
  const auto tried =
      TriedOn("most_of_each", {{2048, 1, 1}, {256, 1, 1}}, Arguments().Pointer().Pointer().bytes());
  // Half a warp to each takes somewhat more sectors than to interleave them, and nobody's data.
  EXPECT_FIRST(tried, "lanes_along_loop");
  const Move* interleave = Find(tried.helpful, MoveKind::kInterleave);
  ASSERT_NE(interleave, nullptr) << Said(tried).all;
  EXPECT_EQ(interleave->fields, 16U);
  EXPECT_EQ(Find(tried.helpful, MoveKind::kFieldArrays), nullptr) << Said(tried).all;
}

TEST_F(Repairs, AFilterOfFewRowsMayBeSlowerInterleaved) {
  const std::string arguments = Arguments().Pointer().Add(1024U).bytes();
  const auto few = TriedOn("filter_rows", {{32, 1, 1}, {64, 1, 1}}, arguments, 132);
  const Move* interleave = Find(few.helpful, MoveKind::kInterleave);
  ASSERT_NE(interleave, nullptr) << Said(few).all;
  EXPECT_GT(interleave->slow_warps, 0);
  const auto many = TriedOn("filter_rows", {{2048, 1, 1}, {128, 1, 1}}, arguments, 132);
  EXPECT_FIRST(many, "interleave");
  EXPECT_EQ(First(many).slow_warps, 0);
  // Of which GPU it was is not known.
  const auto unknown = TriedOn("filter_rows", {{32, 1, 1}, {64, 1, 1}}, arguments);
  EXPECT_EQ(First(unknown).slow_warps, 0);
}

TEST_F(Repairs, FieldsThatAreLoadedAtOnceAreNoSlowerInArrays) {
  const auto few = TriedOn("push_into", {{4, 1, 1}, {256, 1, 1}},
                           Arguments().Pointer().Pointer().Add(1024).Add(0.5F).bytes(), 132);
  EXPECT_FIRST(few, "field_arrays");
  EXPECT_EQ(First(few).slow_warps, 0);
}

TEST_F(Repairs, WhatIsMadeOfEveryPartOfASumIsDoneInOrder) {
  const auto tried = TriedOn("lowest_price", {{512, 1, 1}, {256, 1, 1}},
                             Arguments().Pointer().Pointer().Add(250).bytes());
  EXPECT_FIRST(tried, "interleave");
  EXPECT_EQ(Find(tried.helpful, MoveKind::kLanesAlongLoop), nullptr) << Said(tried).all;
}

TEST_F(Repairs, ALoopThatStoresBehindOneThatAddsUpIsGivenToAWarp) {
  const auto tried =
      TriedOn("centre_rows", {{128, 1, 1}, {128, 1, 1}}, Arguments().Pointer().Add(784).bytes());
  EXPECT_FIRST(tried, "lanes_along_loop");
}

TEST_F(Repairs, ASizeInAStructureSaysHowFarApartNeighboursAre) {
  Arguments panel;
  panel.Pointer().Add(std::int64_t{65536}).Pointer();
  const auto tried = TriedOn("scale_panel", {{8192, 1, 1}, {256, 1, 1}}, panel.bytes());
  EXPECT_FIRST(tried, "renumber");
  EXPECT_EQ(First(tried).stride, 65536U);
}

TEST_F(Repairs, BytesOfThreeColoursStayTogether) {
  const auto tried =
      TriedOn("grey", {{1024, 1, 1}, {256, 1, 1}}, Arguments().Pointer().Pointer().bytes());
  EXPECT_EQ(Find(tried.helpful, MoveKind::kFieldArrays), nullptr) << Said(tried).all;
}

}  // namespace
}  // namespace coalcheck::moves
