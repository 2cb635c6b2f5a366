// SPDX-License-Identifier: Apache-2.0
//
// What adds up to more than a record, or a number in it, may be.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>

#include "tests/unit/merging/rank_runs.h"

namespace coalcheck::merging {
namespace {

using ::testing::IsEmpty;
using ::testing::SizeIs;

TEST(LargeSums, SamplesAreWrittenInAsManyBatchesAsItTakes) {
  RecordedRun run = RunOfRank(0);
  recording::PcSampling& sampling = run.pc_samplings.emplace_back();
  sampling.sampling = PcSamplingId(1);
  sampling.period = Cycles(1024);
  sampling.reasons = {"smsp__pcsamp_warps_issue_stalled_long_scoreboard"};
  constexpr std::uint32_t kRows = 400'000;
  const auto add = [&](const std::string& function, std::uint32_t rows) {
    recording::PcSamples& batch = run.pc_samples.emplace_back();
    batch.sampling = PcSamplingId(1);
    batch.dropped = Samples(1);
    batch.functions = {{CubinId(7), function, {}}};
    for (std::uint32_t i = 0; i < rows; ++i) {
      batch.functions[0].rows.push_back({PcOffset(16 * i), StallReason(0), Samples(1)});
    }
  };
  add("of many rows", kRows);
  for (const char* name : {"\1", "\2", "\3"}) {
    std::string long_name;
    for (int i = 0; i < 2'000'000; ++i) long_name += name;  // six characters each as JSON
    add(long_name, 2);
  }
  Merger merger;
  merger.Add(run);
  const RecordedRun merged = std::move(merger).Finish();
  EXPECT_TRUE(ForEachLineInOrder(merged, [](std::string_view, const std::string& line) {
    return line.size() <= recording::kMaxLineBytes;
  }));
  const std::string bytes = BytesOf(merged);
  const RecordedRun read = ReadBack(bytes);
  EXPECT_THAT(read.lost_lines, IsEmpty());
  std::uint64_t samples = 0;
  std::uint64_t dropped = 0;
  for (const recording::PcSamples& batch : read.pc_samples) {
    dropped += batch.dropped.count();
    for (const auto& function : batch.functions) samples += function.rows.size();
  }
  EXPECT_EQ(samples, kRows + 6);
  EXPECT_EQ(dropped, 4U);
  const std::string again = Merged({read});  // of the names that reading shortens
  EXPECT_TRUE(Merged({ReadBack(again)}) == again) << "merged again it is the same";
}

TEST(LargeSums, WindowsWhoseCountsWouldBeMoreThanASumMayBeAreLostByName) {
  std::vector<RecordedRun> runs(1, RunOfRank(0));
  runs[0].windows.clear();
  for (std::uint64_t i = 1; i <= 300; ++i) {
    runs[0].windows.push_back(WindowOf(i, "kernel", std::uint64_t{1} << 50U, 32));
  }
  const RecordedRun merged = ReadBack(Merged(runs));
  EXPECT_THAT(merged.lost_lines, IsEmpty());
  ASSERT_THAT(merged.windows, SizeIs(kExamples + 1));
  EXPECT_EQ(merged.windows.back().sum_of, 256U);  // of 2^55 sectors each: 2^63
  ASSERT_THAT(merged.losses, SizeIs(1));
  EXPECT_EQ(merged.losses[0].what, "window_lost");
  EXPECT_EQ(merged.losses[0].count, 300U - 256 - kExamples);
}

}  // namespace
}  // namespace coalcheck::merging
