// SPDX-License-Identifier: Apache-2.0
//
// Lines that somebody wrote so that each takes longer than the one before.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "libcoalcheck/recording/json_line.h"
#include "libcoalcheck/recording/merged_line.h"
#include "libcoalcheck/recording/reader.h"
#include "tests/support/linear_time.h"

namespace coalcheck::recording {
namespace {

using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::SizeIs;

std::string MergedHeader() {
  Header header;
  header.counters = {"sectors", "ideal_sectors"};
  header.merged = 2;
  return ToJsonLine(header);
}

RecordedRun ParseAll(const std::string& bytes) {
  auto run = ParseRecords(bytes);
  EXPECT_TRUE(run.ok()) << run.status();
  return run.ok() ? *std::move(run) : RecordedRun{};
}

TEST(CostlyLines, ManyEndsTakeNoLongerThanTheirBytes) {
  const std::string end = ToJsonLine(End{"exit", 1, Contents{{}, 1}});
  support::ExpectLinearTime(4000, [&](std::size_t n) {
    std::string bytes = MergedHeader();
    for (std::size_t i = 0; i < n; ++i) bytes += end;
    const RecordedRun run = ParseAll(bytes);
    ASSERT_THAT(run.lost_lines, SizeIs(1));
    EXPECT_EQ(run.lost_lines[0].why, LineLoss::kNotAsWritten);
    EXPECT_EQ(run.lost_lines[0].lines, n);
  });
}

TEST(CostlyLines, TheSecondOfTwoEndsMayBeAsWritten) {
  const std::string first = MergedHeader() + ToJsonLine(End{"exit", 1, Contents{{}, 1}});
  const std::uint64_t hash = HashCubin(first).value();
  const RecordedRun run = ParseAll(first + ToJsonLine(End{"exit", 1, Contents{{}, hash}}));
  ASSERT_THAT(run.lost_lines, SizeIs(1));
  EXPECT_EQ(run.lost_lines[0].lines, 1U);
}

// Of each of its lines, one rank of one host, in descending order.
RecordedRun OfOneRank(std::size_t endings, std::size_t of_a_line) {
  std::string bytes = MergedHeader();
  for (std::size_t at = endings; at > 0;) {
    RankEntry entry;
    entry.job.rank = 0;
    entry.host = "h";
    for (std::size_t i = 0; i < of_a_line && at > 0; ++i, --at) {
      entry.endings.push_back({true, EndKind::kExit, static_cast<std::uint32_t>(at), 1});
      GpuUuid gpu{};
      gpu[0] = static_cast<std::uint8_t>(at >> 16U);
      gpu[1] = static_cast<std::uint8_t>(at >> 8U);
      gpu[2] = static_cast<std::uint8_t>(at);
      entry.gpus.push_back(gpu);
    }
    bytes += ToJsonLine(MergedRecord(entry));
  }
  return ParseAll(bytes);
}

TEST(CostlyLines, OfARanksEndingsAndGpusTheFirstAreKept) {
  for (const std::size_t of_a_line : {1U, 7000U}) {
    const RecordedRun run = OfOneRank(5000, of_a_line);
    EXPECT_THAT(run.lost_lines, IsEmpty());
    ASSERT_EQ(run.ranks.size(), 1U);
    run.ranks.ForEach([](const RankEntry& entry) {
      ASSERT_THAT(entry.endings, SizeIs(1024));
      EXPECT_EQ(entry.endings.front().number, 1U);
      EXPECT_EQ(entry.endings.back().number, 1024U);
      EXPECT_THAT(entry.gpus, SizeIs(1024));
    });
  }
}

TEST(CostlyLines, AStepThatNamesMoreThanTheLowestFewRanksIsRefused) {
  Spread spread;
  spread.function = "k";
  const RankValue value{32, 1, 0};
  const Extent extent{value, value, {{0, 5, {0, 1, 2, 3}}}};
  spread.rows = {{PcOffset(0), 5, extent, extent}};
  EXPECT_THAT(ParseAll(MergedHeader() + ToJsonLine(MergedRecord(spread))).spreads, SizeIs(1));
  spread.rows[0].touched.steps[0].ranks.push_back(4);
  const RecordedRun run = ParseAll(MergedHeader() + ToJsonLine(MergedRecord(spread)));
  EXPECT_THAT(run.spreads, IsEmpty());
  ASSERT_THAT(run.lost_lines, SizeIs(1));
  EXPECT_THAT(run.lost_lines[0].first_detail, HasSubstr("eighths"));
}

}  // namespace
}  // namespace coalcheck::recording
