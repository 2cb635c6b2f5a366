// SPDX-License-Identifier: Apache-2.0
//
// Finds the known columns of a recording's rows, and sums.
#include "libcoalcheck/findings/sums/aggregate.h"

#include <algorithm>
#include <functional>
#include <limits>
#include <string_view>
#include <tuple>
#include <utility>

#include "libcoalcheck/findings/sums/ranges.h"
#include "libcoalcheck/recording/records.h"
#include "libcoalcheck/recording/shape_launches.h"
#include "libcoalcheck/recording/skip_reasons.h"

namespace coalcheck::findings {
namespace {

using recording::RecordedRun;

// Where in a row's values a recording has each counter.
class Columns {
 public:
  explicit Columns(const std::vector<std::string>& counters)
      : requests_(Find(counters, recording::kRequests)),
        lanes_(Find(counters, recording::kLanes)),
        async_requests_(Find(counters, recording::kAsyncRequests)),
        async_lanes_(Find(counters, recording::kAsyncLanes)),
        sectors_(Find(counters, recording::kSectors)),
        ideal_(Find(counters, recording::kIdealSectors)),
        lines_(Find(counters, recording::kCacheLines)) {}

  RawCounts Read(const recording::CountRow& row) const {
    RawCounts counts;
    counts.direct.requests = Requests(At(row, requests_));
    counts.direct.lanes = Lanes(At(row, lanes_));
    counts.direct.sectors = Sectors(At(row, sectors_));
    counts.direct.ideal = Sectors(At(row, ideal_));
    counts.direct.lines = CacheLines(At(row, lines_));
    counts.async_requests = Requests(At(row, async_requests_));
    counts.async_lanes = Lanes(At(row, async_lanes_));
    return counts;
  }

  SectorColumns OfSectors() const { return {sectors_, ideal_}; }

  std::vector<std::string> MissingForJudgement() const {
    std::vector<std::string> missing;
    if (!sectors_) missing.emplace_back(recording::kSectors);
    if (!ideal_) missing.emplace_back(recording::kIdealSectors);
    return missing;
  }

  void NarrowDown(CountersPresent& present) const {
    present.requests = present.requests && requests_;
    present.lanes = present.lanes && lanes_;
    present.lines = present.lines && lines_;
  }

 private:
  using Column = std::optional<std::size_t>;

  static Column Find(const std::vector<std::string>& counters, std::string_view name) {
    const auto found = std::ranges::find(counters, name);
    if (found == counters.end()) return std::nullopt;
    return static_cast<std::size_t>(found - counters.begin());
  }
  static std::uint64_t At(const recording::CountRow& row, Column column) {
    return column && *column < row.values.size() ? row.values[*column] : 0;
  }

  Column requests_, lanes_, async_requests_, async_lanes_, sectors_, ideal_, lines_;
};

// As a double: the numbers of a hostile recording overflow any integer. A grid of no blocks stands
// for launches of many shapes.
double ThreadsOf(const recording::LaunchShape& shape, Launches launches) {
  double threads = static_cast<double>(launches.count());
  for (const recording::Dim3& dim : {shape.grid, shape.block}) {
    threads *= static_cast<double>(dim.x) * dim.y * dim.z;
  }
  const bool is_known = threads > 0 || launches == Launches(0);
  return is_known ? threads : std::numeric_limits<double>::infinity();
}

KernelCoverage& Kernel(const std::string& name, Aggregate& aggregate) {
  KernelCoverage& kernel = aggregate.kernels[name];
  kernel.kernel = name;
  return kernel;
}

// Of more reasons than the agent will ever have, each is looked for among all others. Those that
// it has are kept: a verdict looks for some of them.
const std::string& KnownReason(const std::string& reason, std::set<std::string>& reasons) {
  static const std::string other(ToString(recording::Skip::kOther));
  const bool is_ours = recording::FindSkipReason(reason) != nullptr;
  if (is_ours || reasons.size() < kMostSkipReasons) return *reasons.insert(reason).first;
  const auto found = reasons.find(reason);
  return found == reasons.end() ? other : *found;
}

void AddSkipped(const recording::Skipped& one, Aggregate& aggregate, KernelCoverage& kernel) {
  const recording::Skipped skipped{KnownReason(one.reason, aggregate.skip_reasons), one.launches};
  const auto found = std::ranges::find(kernel.skipped, skipped.reason, &recording::Skipped::reason);
  if (found == kernel.skipped.end()) {
    kernel.skipped.push_back(skipped);
  } else {
    found->launches += skipped.launches;
  }
}

// A sum of windows stands for several.
std::uint64_t WindowsIn(const recording::Window& window) {
  return std::max<std::uint64_t>(window.sum_of, 1);
}

// How the processes that were merged ended.
void DescribeEndings(const RecordedRun& run, RecordingInfo& info) {
  std::map<std::tuple<bool, std::optional<recording::EndKind>, std::uint32_t>, std::size_t> places;
  run.ranks.ForEach([&](const recording::RankEntry& entry) {
    for (const recording::Ending& ending : entry.endings) {
      const auto [place, is_new] = places.try_emplace(
          std::make_tuple(ending.said_so, ending.kind, ending.number), info.endings.size());
      if (is_new) info.endings.push_back({{ending.said_so, ending.kind, ending.number, 0}, {}});
      EndedAlike& alike = info.endings[place->second];
      alike.ending.processes += ending.processes;
      if (entry.job.rank) alike.ranks.Add(*entry.job.rank);
    }
  });
}

// A recording may have as many sets of ranges as windows, and each many ranges, so a set is looked
// up in the aggregate once. Of two with one number the first counts.
class NumberedSets {
 public:
  NumberedSets(const RecordedRun& run, Aggregate& aggregate) : aggregate_(aggregate) {
    for (const recording::RangeSet& set : run.range_sets) sets_.try_emplace(set.ranges, &set.open);
  }

  // The number in Aggregate::range_sets of what was open around all launches of the window; of
  // nothing where that differs.
  std::size_t Around(const recording::Window& window) {
    const auto differs = [](const auto& a, const auto& b) {
      return a.shape.ranges != b.shape.ranges;
    };
    const bool is_one = !window.inside.empty() &&
                        std::ranges::adjacent_find(window.inside, differs) == window.inside.end();
    const auto found = is_one ? sets_.find(window.inside.front().shape.ranges) : sets_.end();
    Set& set = found == sets_.end() ? nothing_ : found->second;
    if (!set.number) {
      std::map<std::vector<OpenRange>, std::size_t>& all = aggregate_.range_sets;
      set.number = all.try_emplace(*set.open, all.size()).first->second;
    }
    return *set.number;
  }

 private:
  struct Set {
    explicit Set(const std::vector<OpenRange>* ranges) : open(ranges) {}
    const std::vector<OpenRange>* open;
    std::optional<std::size_t> number;  // once a window was made in it
  };

  Aggregate& aggregate_;
  absl::flat_hash_map<RangeSetId, Set> sets_;
  const std::vector<OpenRange> none_;
  Set nothing_{&none_};
};

// The launches in the window, when they are alike, that ran `function`: those of the kernel of that
// name, or of the only kernel there is, which calls it.
const recording::LaunchesInside* AlikeLaunches(const recording::Window& window,
                                               const std::string& function) {
  if (window.dropped_records != 0) return nullptr;
  const bool is_kernel = std::ranges::any_of(
      window.inside, [&](const auto& inside) { return inside.shape.kernel == function; });
  const recording::LaunchesInside* found = nullptr;
  for (const recording::LaunchesInside& inside : window.inside) {
    if (is_kernel && inside.shape.kernel != function) continue;
    if (found != nullptr || inside.arguments.size() > 1) return nullptr;
    found = &inside;
  }
  return found;
}

// Of each GPU of the run; 0 where they differ.
std::uint32_t MultiprocessorsOf(const RecordedRun& run) {
  const auto all = [](const recording::Device& device) { return device.multiprocessors; };
  const bool are_alike =
      std::ranges::adjacent_find(run.devices, std::not_equal_to{}, all) == run.devices.end();
  return run.devices.empty() || !are_alike ? 0 : run.devices.front().multiprocessors;
}

void KeepCounted(const recording::Window& window, const recording::FunctionCounts& counts,
                 const Columns& columns, std::uint32_t multiprocessors,
                 FunctionAggregate& function) {
  // Launches of a sum have nothing in common but their shapes.
  if (window.sum_of > 0 || function.counted.size() >= kMostCountedLaunches) return;
  const recording::LaunchesInside* inside = AlikeLaunches(window, counts.function);
  if (inside == nullptr) return;
  CountedLaunch launch{
      inside->shape.kernel, inside->shape.grid, inside->shape.block, inside->launches, {}, {}};
  if (!inside->arguments.empty()) launch.arguments = inside->arguments.front();
  launch.multiprocessors = multiprocessors;
  const bool is_known = std::ranges::any_of(function.counted, [&](const CountedLaunch& other) {
    return other.kernel == launch.kernel && other.grid == launch.grid &&
           other.block == launch.block && other.arguments.bytes == launch.arguments.bytes;
  });
  if (is_known) return;
  for (const recording::CountRow& row : counts.rows) launch.counts[row.pc] += columns.Read(row);
  function.counted.push_back(std::move(launch));
}

void AddWindow(NumberedSets& sets, const recording::Window& window, const Columns& columns,
               std::uint32_t multiprocessors, Aggregate& aggregate) {
  Launches inside;
  for (const recording::LaunchesInside& launched : window.inside) {
    KernelCoverage& kernel = Kernel(launched.shape.kernel, aggregate);
    kernel.checked += launched.launches;
    kernel.threads_checked += ThreadsOf(launched.shape, launched.launches);
    inside += launched.launches;
  }
  const std::optional<recording::Dim3> block = BlockOf(window);
  const std::size_t range_set = sets.Around(window);
  for (const recording::FunctionCounts& counts : window.functions) {
    if (counts.rows.empty()) continue;
    FunctionAggregate& function = aggregate.functions[{counts.cubin, counts.function}];
    function.windows += WindowsIn(window);
    function.range_sets.insert(range_set);
    function.all_inside += inside;
    KeepCounted(window, counts, columns, multiprocessors, function);
    for (const recording::CountRow& row : counts.rows) {
      const RawCounts values = columns.Read(row);
      InstructionAggregate& instruction = function.instructions[row.pc];
      instruction.counts += values;
      AddVariant({block, values}, instruction.variants);
      aggregate.total += values;
    }
  }
}

// A window that the tally knows may not have been written, or its line may be broken.
void AddTallies(const RecordedRun& run, Aggregate& aggregate) {
  for (const recording::Tally& tally : run.tallies) {
    KernelCoverage& kernel = Kernel(tally.shape.kernel, aggregate);
    for (const recording::Skipped& skipped : tally.skipped) AddSkipped(skipped, aggregate, kernel);
  }
  for (const auto& [shape, launches] : recording::LaunchesOf(run)) {
    KernelCoverage& kernel = Kernel(shape.kernel, aggregate);
    kernel.launches += launches.seen;
    kernel.threads += ThreadsOf(shape, launches.seen);
    const Launches lost = launches.counted - launches.inside;
    if (lost == Launches(0)) continue;
    AddSkipped({std::string(ToString(recording::Skip::kWindowLost)), lost}, aggregate, kernel);
  }
}

// Calls `added` with the number of each window when its counts are in the sums.
void Add(const std::string& name, const RecordedRun& run, Aggregate& aggregate,
         const std::function<void(std::size_t)>& added) {
  RecordingInfo info = Describe(name, run);
  const Columns columns(run.header.counters);
  info.missing_counters = columns.MissingForJudgement();
  for (const recording::Module& module : run.modules) {
    std::set<std::string>& programs = aggregate.programs[module.cubin];
    programs.insert(module.programs.begin(), module.programs.end());
    if (!run.is_merged()) programs.insert(run.header.program);
  }
  for (const recording::Unread& one : run.unread) {
    aggregate.unreadable.push_back({one.name, one.why});
  }
  aggregate.job.Add(run);
  AddTallies(run, aggregate);
  AddSamples(run, aggregate.sampled);
  if (aggregate.lists_ranges) AddRanges(run, columns.OfSectors(), aggregate.ranges);
  if (info.missing_counters.empty()) {
    columns.NarrowDown(aggregate.present);
    for (const recording::Uncounted& one : run.uncounted) aggregate.uncounted.Add(one);
    NumberedSets sets(run, aggregate);
    const std::uint32_t multiprocessors = MultiprocessorsOf(run);
    for (std::size_t i = 0; i < run.windows.size(); ++i) {
      AddWindow(sets, run.windows[i], columns, multiprocessors, aggregate);
      added(i);
    }
  }
  aggregate.recordings.push_back(std::move(info));
}

}  // namespace

RecordingInfo Describe(const std::string& name, const RecordedRun& run) {
  RecordingInfo info;
  info.name = name;
  info.header = run.header;
  info.devices = run.devices;
  info.lost_lines = run.lost_lines;
  info.losses = run.losses;
  info.unmatched = run.unmatched;
  info.cost = run.cost;
  info.end = run.end;
  info.process_end = run.process_end;
  info.progress = run.progress;
  info.is_progress_damaged = run.is_progress_damaged;
  DescribeEndings(run, info);
  for (const recording::Window& window : run.windows) {
    info.windows += WindowsIn(window);
    if (window.close == recording::WindowClose::kLate) {
      info.windows_closed_late += WindowsIn(window);
    }
    info.dropped_records =
        (Launches(info.dropped_records) + Launches(window.dropped_records)).count();
  }
  return info;
}

void AddRun(const std::string& name, const RecordedRun& run, Aggregate& aggregate) {
  Add(name, run, aggregate, [](std::size_t) {});
}

void AddRun(const std::string& name, RecordedRun&& run, Aggregate& aggregate) {
  Add(name, run, aggregate, [&run](std::size_t i) { run.windows[i].functions = {}; });
}

}  // namespace coalcheck::findings
