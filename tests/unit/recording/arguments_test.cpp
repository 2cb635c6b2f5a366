// SPDX-License-Identifier: Apache-2.0
//
// The arguments of launches, written and read, and what a hostile recording says of them.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

#include "libcoalcheck/recording/json_line.h"
#include "libcoalcheck/recording/reader.h"

namespace coalcheck::recording {
namespace {

using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::SizeIs;

std::string HeaderOfSectors() {
  Header header;
  header.counters = {"sectors"};
  return ToJsonLine(header);
}

Window WindowWith(std::vector<LaunchArguments> arguments, std::uint64_t launches = 1) {
  Window window;
  window.window = WindowId(1);
  window.inside = {{{"k", {}, {}}, Launches(launches), std::move(arguments)}};
  return window;
}

RecordedRun Read(const std::string& window_line) {
  auto run = ParseRecords(HeaderOfSectors() + window_line);
  EXPECT_TRUE(run.ok()) << run.status();
  return run.ok() ? *std::move(run) : RecordedRun{};
}

LaunchArguments Block(std::string bytes) {
  const Bytes size(bytes.size());
  return {.launches = Launches(1), .size = size, .bytes = std::move(bytes)};
}

// A window whose only set of arguments is `object`: lost, with `detail` as the reason.
void ExpectLost(const std::string& object, const std::string& detail) {
  std::string line = ToJsonLine(WindowWith({}));
  const std::string launches = R"("launches":1})";
  line.replace(line.find(launches), launches.size(),
               R"("launches":1,"arguments":[)" + object + "]}");
  const RecordedRun run = Read(line);
  EXPECT_THAT(run.windows, IsEmpty()) << object;
  ASSERT_THAT(run.lost_lines, SizeIs(1)) << object;
  EXPECT_EQ(run.lost_lines[0].why, LineLoss::kBadField);
  EXPECT_THAT(run.lost_lines[0].first_detail, HasSubstr(detail)) << object;
}

TEST(RecordedArguments, ComeBackAsTheBytesThatTheKernelRead) {
  LaunchArguments written = Block(std::string("\x00\xFF\x7F-9", 5));
  written.shared_memory = Bytes(49152);
  written.cluster = {2, 1, 1};
  const RecordedRun run = Read(ToJsonLine(WindowWith({written})));
  ASSERT_THAT(run.windows, SizeIs(1));
  ASSERT_THAT(run.windows[0].inside[0].arguments, SizeIs(1));
  const LaunchArguments& read = run.windows[0].inside[0].arguments[0];
  EXPECT_EQ(read.bytes, written.bytes);
  EXPECT_EQ(read.size, Bytes(5));
  EXPECT_EQ(read.shared_memory, Bytes(49152));
  EXPECT_EQ(read.cluster, (Dim3{2, 1, 1}));
  EXPECT_EQ(read.missing, "");
}

TEST(RecordedArguments, ThatNobodyReadSayWhy) {
  const LaunchArguments unread{.launches = Launches(3), .missing = "an old driver"};
  const RecordedRun run = Read(ToJsonLine(WindowWith({unread}, 3)));
  ASSERT_THAT(run.windows, SizeIs(1));
  EXPECT_EQ(run.windows[0].inside[0].arguments.at(0).missing, "an old driver");
  EXPECT_EQ(run.windows[0].inside[0].arguments.at(0).shared_memory, std::nullopt);
}

TEST(RecordedArguments, LongerThanTheMostAreKeptInPart) {
  LaunchArguments written = Block(std::string(kMostArgumentBytes, 'x'));
  written.size = Bytes(32764);
  const RecordedRun run = Read(ToJsonLine(WindowWith({written})));
  ASSERT_THAT(run.windows, SizeIs(1));
  EXPECT_EQ(run.windows[0].inside[0].arguments.at(0).size, Bytes(32764));
  EXPECT_THAT(run.windows[0].inside[0].arguments.at(0).bytes, SizeIs(kMostArgumentBytes));
}

TEST(RecordedArguments, ThatCannotBeTrueCostTheirWindow) {
  const std::string half = R"({"launches":1,"size_bytes":2,)";
  ExpectLost(half + R"("bytes":"abc"})", "pairs of lower-case hexadecimal digits");
  ExpectLost(half + R"("bytes":"ABCD"})", "pairs of lower-case hexadecimal digits");
  ExpectLost(half + R"("bytes":"0x12"})", "pairs of lower-case hexadecimal digits");
  ExpectLost(half + R"("bytes":1234})", "pairs of lower-case hexadecimal digits");
  ExpectLost(half + R"("bytes":"abcdef"})", "size_bytes");
  ExpectLost(half + R"("bytes":""})", "size_bytes");
  ExpectLost(R"({"launches":1,"size_bytes":2})", "\"bytes\" is missing");
  ExpectLost(R"({"launches":1,"bytes":"00"})", "\"size_bytes\" is missing");
  ExpectLost(R"({"size_bytes":0,"bytes":""})", "\"launches\" is missing");
  ExpectLost(R"({"launches":2,"size_bytes":0,"bytes":""})", "as many launches");
  ExpectLost(R"({"launches":18446744073709551615,"missing":"x"})", "as many launches");
  ExpectLost(R"({"launches":1,"cluster":[1,2],"missing":"x"})", "three 32-bit sizes");
  ExpectLost(R"([1])", "no object");
  const std::string too_long = std::to_string(kMostArgumentBytes + 1);
  ExpectLost(R"({"launches":1,"size_bytes":)" + too_long + R"(,"bytes":")" +
                 std::string(2 * (kMostArgumentBytes + 1), '0') + "\"}",
             "size_bytes");
}

Uncounted UncountedOf(std::size_t sets, std::uint64_t launches) {
  Uncounted uncounted{"k", {}, Launches(1)};
  for (std::size_t i = 0; i < sets; ++i) {
    LaunchArguments arguments = Block(std::string(1, static_cast<char>(i)));
    arguments.launches = Launches(launches);
    uncounted.sets.push_back({{1, 2, 3}, {32, 1, 1}, arguments});
  }
  return uncounted;
}

TEST(UncountedLaunches, ComeBackAsTheyWereWritten) {
  const RecordedRun run = Read(ToJsonLine(UncountedOf(kMostUncountedSets, 7)));
  EXPECT_THAT(run.lost_lines, IsEmpty());
  ASSERT_THAT(run.uncounted, SizeIs(1));
  EXPECT_EQ(run.uncounted[0].kernel, "k");
  ASSERT_THAT(run.uncounted[0].sets, SizeIs(kMostUncountedSets));
  EXPECT_EQ(run.uncounted[0].sets[0].grid, (Dim3{1, 2, 3}));
  EXPECT_EQ(run.uncounted[0].sets[0].arguments.What(), UncountedOf(1, 7).sets[0].arguments.What());
  EXPECT_EQ(run.uncounted[0].all(), Launches(1 + 7 * kMostUncountedSets));
}

TEST(UncountedLaunches, AreTheLastWordOnTheirKernelWhateverTheOrder) {
  const std::string early = ToJsonLine(UncountedOf(1, 2));
  const std::string late = ToJsonLine(UncountedOf(2, 3));
  for (const std::string& lines : {early + late, late + early}) {
    const RecordedRun run = Read(lines);
    ASSERT_THAT(run.uncounted, SizeIs(1));
    EXPECT_EQ(run.uncounted[0].all(), Launches(7));
  }
}

TEST(UncountedLaunches, ThatCannotBeTrueAreNotUsed) {
  const auto expect_lost = [](const std::string& line, const std::string& detail) {
    const RecordedRun run = Read(line);
    EXPECT_THAT(run.uncounted, IsEmpty()) << line;
    ASSERT_THAT(run.lost_lines, SizeIs(1)) << line;
    EXPECT_THAT(run.lost_lines[0].first_detail, HasSubstr(detail)) << line;
  };
  const std::string begin = R"({"record":"uncounted","kernel":"k","others":0,"sets":[)";
  const std::string shape = R"({"grid":[1,1,1],"block":[1,1,1],"launches":1,)";
  expect_lost(ToJsonLine(UncountedOf(kMostUncountedSets + 1, 1)), "at most 64 sets");
  expect_lost(begin + shape + R"("missing":"x"}]})" + "\n", "sets that are known");
  expect_lost(begin + shape + R"("size_bytes":2,"bytes":"00"}]})" + "\n", "size_bytes");
  expect_lost(begin + R"({"launches":1,"size_bytes":0,"bytes":""}]})" + "\n", "grid");
  expect_lost(R"({"record":"uncounted","kernel":"k","sets":[]})"
              "\n",
              "others");
}

}  // namespace
}  // namespace coalcheck::recording
