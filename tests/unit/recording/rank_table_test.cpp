// SPDX-License-Identifier: Apache-2.0
//
// What recordings of one rank say of its job, put together.
#include "libcoalcheck/recording/rank_table.h"

#include <gtest/gtest.h>

#include <optional>
#include <vector>

namespace coalcheck::recording {
namespace {

// Of a rank, after recordings that say so of the job's size.
std::optional<std::uint32_t> SizeOf(const std::vector<std::optional<std::uint32_t>>& said) {
  RankTable table;
  for (const std::optional<std::uint32_t>& size : said) {
    RankEntry entry;
    entry.job.id = "j";
    entry.job.rank = 0;
    entry.job.world_size = size;
    table.Add(entry);
  }
  std::optional<std::uint32_t> found;
  table.ForEach([&](const RankEntry& entry) { found = entry.job.world_size; });
  return found;
}

TEST(RankTable, TakesTheLargerOfTwoSizesThatOneRankSays) {
  EXPECT_EQ(SizeOf({4, 2}), 4U);
  EXPECT_EQ(SizeOf({2, 4}), 4U);
  EXPECT_EQ(SizeOf({std::nullopt, 4, std::nullopt}), 4U);
  EXPECT_EQ(SizeOf({std::nullopt}), std::nullopt);
}

}  // namespace
}  // namespace coalcheck::recording
