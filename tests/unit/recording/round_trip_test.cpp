// SPDX-License-Identifier: Apache-2.0
//
// Reading what was written gives it back, for records drawn at random.
#include <gtest/gtest.h>

#include <map>
#include <set>

#include "libcoalcheck/recording/json_line.h"
#include "libcoalcheck/recording/reader.h"
#include "tests/unit/recording/random_records.h"

namespace coalcheck::recording {
namespace {

// The records of one random recording, each as its line, in the order of kinds of a RecordedRun.
std::vector<std::string> LinesOf(const RecordedRun& run) {
  std::vector<std::string> lines = {ToJsonLine(run.header)};
  for (const Device& device : run.devices) lines.push_back(ToJsonLine(device));
  for (const Module& module : run.modules) lines.push_back(ToJsonLine(module));
  for (const RangeSet& set : run.range_sets) lines.push_back(ToJsonLine(set));
  for (const Window& window : run.windows) lines.push_back(ToJsonLine(window));
  for (const Tally& tally : run.tallies) lines.push_back(ToJsonLine(tally));
  for (const Uncounted& one : run.uncounted) lines.push_back(ToJsonLine(one));
  for (const Loss& loss : run.losses) lines.push_back(ToJsonLine(loss));
  for (const Unmatched& one : run.unmatched) lines.push_back(ToJsonLine(one));
  if (run.cost) lines.push_back(ToJsonLine(*run.cost));
  for (const PcSampling& one : run.pc_samplings) lines.push_back(ToJsonLine(one));
  for (const PcSamples& one : run.pc_samples) lines.push_back(ToJsonLine(one));
  for (const Source& one : run.sources) lines.push_back(ToJsonLine(one));
  if (run.end) lines.push_back(ToJsonLine(*run.end));
  if (run.process_end) lines.push_back(ToJsonLine(*run.process_end));
  return lines;
}

// Those that launches were made in, and one more.
void ListRanges(RecordedRun& run, RandomRecords& draw) {
  std::set<RangeSetId> named;
  for (const Window& window : run.windows) {
    for (const LaunchesInside& one : window.inside) named.insert(one.shape.ranges);
  }
  for (const Tally& tally : run.tallies) named.insert(tally.shape.ranges);
  named.erase(RangeSetId());
  run.range_sets = {draw.MakeRangeSet()};
  for (const RangeSetId set : named) {
    run.range_sets.push_back(draw.MakeRangeSet());
    run.range_sets.back().ranges = set;
  }
}

RecordedRun Draw(std::uint32_t seed) {
  RandomRecords draw(seed);
  RecordedRun run;
  run.header = draw.MakeHeader();
  run.header.minor = 5;  // whose end says nothing of what is before it
  run.devices = {draw.MakeDevice()};
  run.modules = {draw.MakeModule(), draw.MakeModule()};
  for (std::uint64_t id = 1; id < 4; ++id) {
    run.windows.push_back(draw.MakeWindow(WindowId(id), run.header.counters.size()));
  }
  run.tallies = {draw.MakeTally()};
  ListRanges(run, draw);
  run.uncounted = {draw.MakeUncounted()};
  run.losses = {draw.MakeLoss()};
  run.unmatched = {draw.MakeUnmatched()};
  run.pc_samplings = {draw.MakePcSampling(PcSamplingId(1)), draw.MakePcSampling(PcSamplingId(2))};
  run.pc_samples = {draw.MakePcSamples(), draw.MakePcSamples()};
  run.sources = {draw.MakeSource(), draw.MakeSource()};
  if (draw.Below(2) == 0) run.cost = draw.MakeCost();
  if (draw.Below(2) == 0) run.end = draw.MakeEnd();
  if (draw.Below(2) == 0) run.process_end = draw.MakeProcessEnd(run.header.pid);
  return run;
}

TEST(RoundTrip, EveryRecordComesBackAsItWas) {
  for (std::uint32_t seed = 1; seed <= 2000; ++seed) {
    const RecordedRun written = Draw(seed);
    std::string bytes;
    for (const std::string& line : LinesOf(written)) bytes += line;
    const auto read = ParseRecords(bytes);
    ASSERT_TRUE(read.ok()) << "seed " << seed << ": " << read.status();
    EXPECT_TRUE(read->lost_lines.empty()) << "seed " << seed;
    // Strings are equal because equal bytes, and only they, make equal lines.
    ASSERT_EQ(LinesOf(*read), LinesOf(written)) << "seed " << seed;
    ASSERT_EQ(read->header.program, written.header.program) << "seed " << seed;
    ASSERT_EQ(read->windows[0].functions.size(), written.windows[0].functions.size());
  }
}

TEST(RoundTrip, CuttingTheFileAnywhereLosesAtMostOneLine) {
  std::string bytes;
  for (const std::string& line : LinesOf(Draw(7))) bytes += line;
  const std::size_t header_end = bytes.find('\n');
  for (std::size_t size = header_end + 1; size < bytes.size(); ++size) {
    const auto read = ParseRecords(std::string_view(bytes).substr(0, size));
    ASSERT_TRUE(read.ok());
    std::uint64_t lost = 0;
    for (const LostLines& lines : read->lost_lines) lost += lines.lines;
    const auto kept = LinesOf(*read).size();
    const auto begun = static_cast<std::size_t>(
        std::count(bytes.begin(), bytes.begin() + static_cast<std::ptrdiff_t>(size), '\n') +
        (bytes[size - 1] == '\n' ? 0 : 1));
    ASSERT_LE(lost, 1U);
    ASSERT_EQ(kept + lost, begun) << "cut at " << size;
  }
}

}  // namespace
}  // namespace coalcheck::recording
