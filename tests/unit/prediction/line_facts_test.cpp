// SPDX-License-Identifier: Apache-2.0
//
// Blocks of one line, which rounds of loops execute nobody knows how often.
#include "libcoalcheck/prediction/line_facts.h"

#include <gtest/gtest.h>

#include <optional>

namespace coalcheck::prediction {
namespace {

Counts Sectors4(std::uint64_t ideal) {
  Counts counts;
  counts.sectors = Sectors(4);
  counts.ideal = Sectors(ideal);
  return counts;
}

AccessPrediction In(std::optional<std::uint32_t> block) {
  AccessPrediction access;
  access.round_block = block;
  return access;
}

TEST(BlockShares, AreTheLeastAndTheMostOfAnyBlock) {
  BlockShares shares;
  shares.Add(In(1), Sectors4(4));
  shares.Add(In(2), Sectors4(1));
  EXPECT_TRUE(shares.are_open());
  EXPECT_EQ(shares.least(), 0);
  EXPECT_EQ(shares.most(), 0.75);
}

TEST(BlockShares, AddUpInOneBlock) {
  BlockShares shares;
  shares.Add(In(std::nullopt), Sectors4(2));
  shares.Add(In(1), Sectors4(4));
  shares.Add(In(1), Sectors4(0));
  EXPECT_EQ(shares.least(), 0.5);
  EXPECT_EQ(shares.most(), 0.5);
}

TEST(BlockShares, AreKnownWhereAllRoundsExecuteThem) {
  BlockShares shares;
  shares.Add(In(std::nullopt), Sectors4(4));
  shares.Add(In(std::nullopt), Sectors4(1));
  EXPECT_FALSE(shares.are_open());
}

TEST(BlockShares, AreKnownOfASingleBlock) {
  BlockShares shares;
  shares.Add(In(1), Sectors4(4));
  shares.Add(In(1), Sectors4(1));
  shares.Add(In(2), Counts());
  EXPECT_FALSE(shares.are_open());
}

TEST(LineFacts, KeepLinesApart) {
  cubin::Function function;
  FunctionPrediction prediction;
  for (std::uint32_t i = 0; i < 3; ++i) {
    cubin::GlobalAccess access;
    access.pc = PcOffset(16 * i);
    access.frames = {{"f", "file.cu", i == 0 ? 1U : 2U}};
    function.accesses.push_back(access);
    prediction.accesses[access.pc].least = Sectors4(i == 0 ? 1 : 4);
    prediction.accesses[access.pc].open.lanes_by_data = i == 2;
    prediction.accesses[access.pc].round_block = i;
  }
  const LineFacts lines(function, prediction);
  EXPECT_EQ(lines.Of(function.accesses[0]).shares.least(), 0.75);
  EXPECT_EQ(lines.Of(function.accesses[1]).shares.least(), 0);
  EXPECT_FALSE(lines.Of(function.accesses[0]).by_data);
  EXPECT_TRUE(lines.Of(function.accesses[1]).by_data);
}

}  // namespace
}  // namespace coalcheck::prediction
