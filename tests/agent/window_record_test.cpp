// SPDX-License-Identifier: Apache-2.0
//
// How instruction records become the rows of a window.
#include "injection/agent/windows/window_record.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace coalcheck::agent {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;
using ::testing::SizeIs;

std::optional<CubinId> NoCubin(std::uint32_t) { return std::nullopt; }

TEST(MergeCounts, RecordsOfOneInstructionAreSummedColumnByColumn) {
  const auto merged =
      MergeCounts({{1, "f", PcOffset(16), {1, 10}}, {1, "f", PcOffset(16), {2, 20}}}, NoCubin);
  ASSERT_THAT(merged, SizeIs(1));
  ASSERT_THAT(merged[0].rows, SizeIs(1));
  EXPECT_THAT(merged[0].rows[0].values, ElementsAre(3, 30));
}

TEST(MergeCounts, RowsAscendAndSilentOnesAreLeftOut) {
  const auto merged = MergeCounts({{1, "f", PcOffset(48), {1, 1}},
                                   {1, "f", PcOffset(32), {0, 0}},
                                   {1, "f", PcOffset(16), {0, 2}}},
                                  NoCubin);
  ASSERT_THAT(merged[0].rows, SizeIs(2));
  EXPECT_EQ(merged[0].rows[0].pc, PcOffset(16));
  EXPECT_EQ(merged[0].rows[1].pc, PcOffset(48));
}

TEST(MergeCounts, AFunctionInWhichNothingWasCountedIsLeftOut) {
  EXPECT_THAT(MergeCounts({{1, "f", PcOffset(16), {0, 0}}}, NoCubin), IsEmpty());
  EXPECT_THAT(MergeCounts({}, NoCubin), IsEmpty());
}

TEST(MergeCounts, TheSameNameInTwoCubinsStaysApart) {
  const auto merged = MergeCounts(
      {{1, "f", PcOffset(16), {1}}, {2, "f", PcOffset(16), {2}}}, [](std::uint32_t crc) {
        return crc == 1 ? std::optional(CubinId(0xabc00000001)) : std::nullopt;
      });
  ASSERT_THAT(merged, SizeIs(2));
  EXPECT_EQ(merged[0].cubin, CubinId(0xabc00000001));
  EXPECT_EQ(merged[1].cubin, std::nullopt);
}

}  // namespace
}  // namespace coalcheck::agent
