// SPDX-License-Identifier: Apache-2.0
//
// Every tree of merges, over recordings drawn at random, gives the same bytes.
#include <gtest/gtest.h>

#include <algorithm>

#include "tests/unit/merging/rank_runs.h"

namespace coalcheck::merging {
namespace {

// Few names and shapes, so that recordings have much in common; for odd seeds hardly anything else.
class RandomRuns {
 public:
  explicit RandomRuns(std::uint32_t seed) : alike_(seed % 2 == 1), random_(seed) {}

  std::uint32_t Below(std::uint32_t limit) { return static_cast<std::uint32_t>(random_() % limit); }
  bool Sometimes() { return Below(alike_ ? 40 : 4) == 0; }

  RecordedRun Run() {
    RecordedRun run = RunOfRank(Below(12));
    if (Sometimes()) run.header.job = {};
    if (Sometimes()) run.header.job.id = "slurm 2.0";
    run.header.pid = Below(3);
    if (Sometimes()) run.header.program = "/other";
    if (Sometimes()) run.header.counters = {"sectors", "ideal_sectors"};
    if (Sometimes()) run.header.counters = {"lines", "sectors", "new", "ideal_sectors"};
    if (Below(20) == 0) run.header.counters = {"requests"};
    AddDevices(run);
    AddRanges(run);
    run.modules = {{ContextId(1), CubinId(Below(3)), Bytes(10)}};
    run.windows.clear();
    for (std::uint64_t i = 1; i <= Below(6); ++i) run.windows.push_back(Window(i, run));
    run.tallies.clear();
    for (std::uint32_t i = Below(3); i > 0; --i) run.tallies.push_back(Tally());
    for (std::uint32_t i = Below(3); i > 0; --i) {
      run.losses.push_back({"loss" + Name(), Name(), Below(5)});
    }
    if (Sometimes()) run.unmatched.push_back({"kernel", Name(), {Name(), Name()}});
    if (!Sometimes()) run.cost = recording::Cost{Below(9), Below(1000) / 7.0, Below(1000) / 3.0, 1};
    AddSamples(run);
    for (std::uint32_t i = Below(3); i > 0; --i) {
      run.sources.push_back({Name() + ".cu", 1 + Below(2), Name()});
    }
    if (Sometimes()) run.end.reset();
    if (Sometimes()) run.progress = recording::Progress{100, Below(9), 0, 0};
    if (Sometimes()) run.process_end = recording::ProcessEnd{0, recording::EndKind::kSignal, 9};
    if (Sometimes()) {
      run.lost_lines = {{recording::LineLoss::kCutShort, 1, Below(9), Name()}};
    }
    return run;
  }

 private:
  std::string Name() { return std::string(1, static_cast<char>('a' + Below(3))); }

  // Their numbers differ from process to process.
  void AddDevices(RecordedRun& run) {
    run.devices.clear();
    for (std::uint32_t i = Below(3); i > 0; --i) {
      recording::Device device{DeviceIndex(Below(2)), "GPU " + Name(), "", 9, 0};
      device.uuid = "GPU-0000000" + std::to_string(Below(4)) + "-0000-0000-0000-000000000000";
      run.devices.push_back(device);
    }
  }
  void AddRanges(RecordedRun& run) {
    for (std::uint32_t i = Below(4); i > 0; --i) {
      recording::RangeSet set{RangeSetId(i), {}};
      for (std::uint32_t left = Below(3); left > 0; --left) {
        set.open.push_back({"", Name(), RangeKind::kPushPop});
      }
      run.range_sets.push_back(set);
    }
  }
  recording::LaunchShape Shape() {
    if (alike_) return {"kernel", {1, 1, 1}, {32, 1, 1}, {}};
    return {"kernel " + Name(), {1 + Below(2), 1, 1}, {32, 1, 1}, RangeSetId(Below(4))};
  }
  recording::Window Window(std::uint64_t number, const RecordedRun& run) {
    recording::Window window;
    window.window = WindowId(number);
    window.device = DeviceIndex(Below(2));
    window.first_launch = LaunchOrdinal(Below(9));
    for (std::uint32_t left = alike_ ? 1 : 1 + Below(2); left > 0; --left) {
      window.inside.push_back({Shape(), Launches(1 + Below(3)), {}});
      recording::LaunchArguments arguments{.launches = Launches(1)};
      arguments.missing = Name();
      if (Sometimes()) window.inside.back().arguments.push_back(arguments);
    }
    for (std::uint32_t left = alike_ ? 1 : Below(3); left > 0; --left) {
      recording::FunctionCounts counts{
          CubinId(alike_ ? 1 : Below(3)), window.inside[0].shape.kernel, {}};
      if (Sometimes()) counts.cubin.reset();
      for (std::uint32_t pc = 0; pc < (alike_ ? 2 : Below(4)); ++pc) {
        std::vector<std::uint64_t> values;
        for (const std::string& counter : run.header.counters) values.push_back(Value(counter));
        counts.rows.push_back({PcOffset(16 * pc), values});
      }
      window.functions.push_back(counts);
    }
    return window;
  }
  // None that is impossible: a reader would not take it.
  std::uint64_t Value(const std::string& counter) {
    if (counter.starts_with("async")) return 0;
    if (counter == "requests") return 1 + Below(3);
    if (counter == "sectors") return 4 + Below(20);
    return Below(4);
  }
  recording::Tally Tally() {
    return {Shape(), Launches(3 + Below(9)), Launches(Below(3)), {{Name(), Launches(Below(3))}}};
  }
  void AddSamples(RecordedRun& run) {
    if (!Sometimes()) return;
    run.pc_samplings = {{PcSamplingId(1),
                         DeviceIndex(Below(2)),
                         ContextId(1),
                         Cycles(1 + Below(2)),
                         Bytes(1),
                         {"reason"}}};
    run.pc_samples = {{PcSamplingId(1),
                       Samples(Below(3)),
                       Samples(1),
                       Samples(2),
                       {{CubinId(1), Name(), {{PcOffset(0), StallReason(0), Samples(Below(9))}}}}}};
  }

  const bool alike_;
  std::mt19937 random_;
};

// Merges two of what is left, read back from their bytes, until one is left.
std::string MergedInATree(std::vector<RecordedRun> runs, RandomRuns& draw) {
  while (runs.size() > 1) {
    const std::size_t taken = 2 + draw.Below(static_cast<std::uint32_t>(runs.size() - 1));
    std::vector<RecordedRun> some;
    for (std::size_t i = 0; i < taken; ++i) {
      const std::size_t at = draw.Below(static_cast<std::uint32_t>(runs.size()));
      some.push_back(std::move(runs[at]));
      runs.erase(runs.begin() + static_cast<std::ptrdiff_t>(at));
      if (runs.empty()) break;
    }
    runs.push_back(ReadBack(Merged(some)));
  }
  return BytesOf(runs[0]);
}

TEST(MergedTrees, AllGiveTheSameBytes) {
  for (std::uint32_t seed = 1; seed <= 300; ++seed) {
    RandomRuns draw(seed);
    std::vector<RecordedRun> runs;
    for (std::uint32_t left = 2 + draw.Below(12); left > 0; --left) runs.push_back(draw.Run());
    const std::string at_once = Merged(runs);
    for (int tree = 0; tree < 5; ++tree) {
      ASSERT_EQ(MergedInATree(runs, draw), at_once) << "seed " << seed;
    }
  }
}

TEST(MergedTrees, MergingAMergedRecordingAloneChangesNothing) {
  for (std::uint32_t seed = 1; seed <= 100; ++seed) {
    RandomRuns draw(seed);
    const std::string once = Merged({draw.Run(), draw.Run()});
    ASSERT_EQ(Merged({ReadBack(once)}), once) << "seed " << seed;
    EXPECT_TRUE(ReadBack(once).lost_lines.size() <= 4) << "what is read is not refused";
  }
}

}  // namespace
}  // namespace coalcheck::merging
