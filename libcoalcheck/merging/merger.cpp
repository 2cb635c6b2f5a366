// SPDX-License-Identifier: Apache-2.0
//
// One recording after the other into sums.
#include "libcoalcheck/merging/merger.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "libcoalcheck/recording/json_line.h"
#include "libcoalcheck/recording/shape_launches.h"

namespace coalcheck::merging {
namespace {

using recording::Header;
using recording::RankSet;
using recording::RecordedRun;

constexpr std::uint32_t kNoRange = 0;  // the first of ranges_
constexpr double kMicroseconds = 1e6;  // of a second
// As seconds in a double they come back as they were.
constexpr std::uint64_t kMostMicros = std::uint64_t{1} << 50U;

// What is alike in both, else nothing.
template <typename Text>
void Join(const Text& other, Text& text) {
  if (text != other) text = Text();
}

std::uint64_t Micros(double seconds) {
  return static_cast<std::uint64_t>(
      std::min(std::round(seconds * kMicroseconds), static_cast<double>(kMostMicros)));
}

// Merged as one; with nothing yet of what comes in.
Header AsMerged(const Header& header) {
  Header merged = header;
  merged.job = {};
  merged.minor = recording::kMinorVersion;
  merged.merged = 0;
  merged.sampled = 0;
  return merged;
}

RankSet RankOf(const RecordedRun& run) {
  RankSet ranks;
  if (run.header.job.rank) ranks.Add(*run.header.job.rank);
  return ranks;
}

recording::Origin OriginOf(const Header& header, WindowId window) {
  return {header.job.rank, header.host, header.pid, header.started, window};
}

std::uint64_t Sum(std::uint64_t a, std::uint64_t b) {
  return (Launches(a) + Launches(b)).count();  // saturating
}

// What a process without an `end` did not come to write.
std::uint64_t WindowsMissing(const RecordedRun& run) {
  if (run.end || !run.progress) return 0;
  const std::uint64_t read = run.windows.size();
  return run.progress->windows > read ? run.progress->windows - read : 0;
}

// A device that no record describes comes behind those that are.
constexpr const char* kUndescribedDevice = "~";

}  // namespace

void Merger::Add(const RecordedRun& run) {
  ranges_.Of({});  // kNoRange
  AddHeader(run.header);
  AddCounters(run.header);
  const RangeNumbers ranges = NumberRanges(run);
  const DeviceNumbers devices = NumberDevices(run);
  AddModules(run);
  AddWindows(run, devices, ranges);
  AddTallies(run, ranges);
  for (const recording::Uncounted& one : run.uncounted) uncounted_.Add(one);
  AddLosses(run);
  AddLostLines(run);
  AddUnmatched(run);
  AddCost(run);
  const bool sampled = samples_.Add(run, devices);
  header_->sampled =
      Sum(header_->sampled, run.is_merged() ? run.header.sampled : (sampled ? 1 : 0));
  job_.Add(run);
  unread_.insert(run.unread.begin(), run.unread.end());
  sources_.insert(run.sources.begin(), run.sources.end());
}

void Merger::AddUnread(std::string name, std::string why) {
  unread_.insert({std::move(name), std::move(why)});
}

void Merger::AddHeader(const Header& header) {
  if (!header_) header_ = AsMerged(header);
  Join(header.tool_version, header_->tool_version);
  Join(header.program, header_->program);
  Join(header.arguments, header_->arguments);
  Join(header.working_directory, header_->working_directory);
  Join(header.host, header_->host);
  Join(header.pid, header_->pid);
  Join(header.sampling, header_->sampling);
  header_->started = std::min(header_->started, header.started);
  header_->merged = Sum(header_->merged, std::max<std::uint64_t>(header.merged, 1));
}

// A recording by which nothing can be judged has no say in it: its rows are not used.
void Merger::AddCounters(const Header& header) {
  if (!CanJudge(header.counters)) return;
  const Counters own = InOrder(header.counters);
  const Counters common = any_counters_.empty() ? own : Common(counters_, own);
  any_counters_ = Either(any_counters_, Either(own, header.dropped_counters));
  windows_.SetCounters(common);
  counters_ = common;
}

Merger::RangeNumbers Merger::NumberRanges(const RecordedRun& run) {
  RangeNumbers numbers = {{RangeSetId(0), kNoRange}};
  for (const recording::RangeSet& set : run.range_sets) {
    if (set.ranges != RangeSetId(0)) numbers.try_emplace(set.ranges, ranges_.Of({false, set.open}));
  }
  const auto add = [&](const recording::LaunchShape& shape) {
    if (!numbers.contains(shape.ranges)) numbers[shape.ranges] = ranges_.Of({true, {}});
  };
  for (const recording::Tally& tally : run.tallies) add(tally.shape);
  for (const recording::Window& window : run.windows) {
    for (const recording::LaunchesInside& inside : window.inside) add(inside.shape);
  }
  return numbers;
}

Merger::DeviceNumbers Merger::NumberDevices(const RecordedRun& run) {
  DeviceNumbers numbers;
  for (recording::Device device : run.devices) {
    const DeviceIndex own = device.device;
    device.device = DeviceIndex(0);
    device.uuid.clear();
    const std::string line = recording::ToJsonLine(device);
    numbers.try_emplace(own, devices_.Of(line));
    device_of_.try_emplace(line, device);
  }
  const auto add = [&](DeviceIndex device) {
    if (!numbers.contains(device)) numbers[device] = devices_.Of(kUndescribedDevice);
  };
  for (const recording::Window& window : run.windows) add(window.device);
  for (const recording::PcSampling& sampling : run.pc_samplings) add(sampling.device);
  return numbers;
}

void Merger::AddModules(const RecordedRun& run) {
  for (const recording::Module& module : run.modules) {
    Loaded& loaded = modules_[module.cubin];
    loaded.size = std::max(loaded.size, module.size.count());
    loaded.programs.insert(module.programs.begin(), module.programs.end());
    if (!run.is_merged()) loaded.programs.insert(run.header.program);
  }
}

void Merger::AddWindows(const RecordedRun& run, const DeviceNumbers& devices,
                        const RangeNumbers& ranges) {
  if (!CanJudge(run.header.counters)) {
    if (run.windows.empty()) return;
    return AddLoss(
        {"window_lost", "its recording lacks the counters to judge by", run.windows.size()},
        RankOf(run));
  }
  const Projection projection(run.header.counters, counters_);
  for (recording::Window window : run.windows) {
    if (!run.is_merged()) window.origin = OriginOf(run.header, window.window);
    window.device = DeviceIndex(devices.at(window.device));
    for (recording::LaunchesInside& inside : window.inside) {
      inside.shape.ranges = RangeSetId(ranges.at(inside.shape.ranges));
    }
    for (recording::FunctionCounts& function : window.functions) {
      for (recording::CountRow& row : function.rows) projection.Apply(row);
    }
    windows_.Add(std::move(window));
  }
}

// As large as the windows say at least, so that what is missing in one process is not made good by
// another.
void Merger::AddTallies(const RecordedRun& run, const RangeNumbers& ranges) {
  const auto renumbered = [&](recording::LaunchShape shape) {
    shape.ranges = RangeSetId(ranges.at(shape.ranges));
    return shape;
  };
  for (const auto& [shape, launches] : recording::LaunchesOf(run)) {
    Launched& sum = tallies_[renumbered(shape)];
    sum.launches += launches.seen;
    sum.counted += std::max(launches.counted, launches.inside);
  }
  for (const recording::Tally& tally : run.tallies) {
    Launched& sum = tallies_[renumbered(tally.shape)];
    for (const recording::Skipped& one : tally.skipped) sum.skipped[one.reason] += one.launches;
  }
}

void Merger::AddLoss(const recording::Loss& loss, const RankSet& ranks) {
  Lost& lost = losses_[{loss.what, loss.detail}];
  lost.count = Sum(lost.count, loss.count);
  lost.ranks.Add(ranks);
}

void Merger::AddLosses(const RecordedRun& run) {
  const RankSet own = RankOf(run);
  for (const recording::Loss& loss : run.losses) {
    AddLoss(loss, run.is_merged() ? loss.ranks : own);
  }
  if (const std::uint64_t missing = WindowsMissing(run); missing > 0) {
    AddLoss({"window_lost", "closed before its process ended, and not written", missing}, own);
  }
  if (!run.end && run.is_progress_damaged) {
    AddLoss({"window_lost", "how many closed is not known: its file progress is damaged", 1}, own);
  }
  if (run.is_merged() && !run.end) {
    AddLoss({"window_lost", "a merged recording was cut short", 1}, {});
  }
}

// Also of a merged recording: what is wrong with its own lines is among them.
void Merger::AddLostLines(const RecordedRun& run) {
  const RankSet own = RankOf(run);
  for (const recording::LostLines& lost : run.lost_lines) {
    const bool of_killed = run.is_merged()
                               ? lost.of_killed
                               : lost.why == recording::LineLoss::kCutShort && !run.end.has_value();
    LostLine& sum = lost_lines_[{lost.why, of_killed}];
    const std::pair<std::uint64_t, std::string> first{lost.first_line, lost.first_detail};
    sum.first = sum.lines == 0 ? first : std::min(sum.first, first);
    sum.lines = Sum(sum.lines, lost.lines);
    sum.ranks.Add(run.is_merged() ? lost.ranks : own);
  }
}

// A process that ended without a word says nothing about filters.
void Merger::AddUnmatched(const RecordedRun& run) {
  for (const recording::Unmatched& one : run.unmatched) {
    Missed& missed = unmatched_[{one.option, one.filter}];
    missed.processes = Sum(missed.processes, run.is_merged() ? one.processes : (run.end ? 1 : 0));
    missed.nearest.insert(one.nearest.begin(), one.nearest.end());
  }
}

void Merger::AddCost(const RecordedRun& run) {
  if (!run.cost || run.cost->budget_percent <= 0) return;
  if (!cost_) cost_ = Held{};
  cost_->windows = Sum(cost_->windows, run.cost->windows);
  cost_->held = std::min(kMostMicros, cost_->held + Micros(run.cost->seconds));
  cost_->elapsed = std::min(kMostMicros, cost_->elapsed + Micros(run.cost->elapsed));
  cost_->budget_percent = std::max(cost_->budget_percent, run.cost->budget_percent);
}

void Merger::FinishRanges(RecordedRun& run) const {
  RangeSetId number(0);
  for (const auto& [key, arrival] : ranges_.all()) {
    if (arrival == kNoRange) continue;
    number = RangeSetId(number.value() + 1);
    if (!key.is_unknown) run.range_sets.push_back({number, key.open});
  }
}

void Merger::FinishDevices(RecordedRun& run) const {
  std::uint32_t number = 0;
  for (const auto& [line, arrival] : devices_.all()) {
    const auto found = device_of_.find(line);
    if (found != device_of_.end()) {
      run.devices.push_back(found->second);
      run.devices.back().device = DeviceIndex(number);
    }
    ++number;
  }
}

void Merger::FinishTallies(RecordedRun& run, const std::vector<std::uint32_t>& ranges) const {
  for (const auto& [shape, sum] : tallies_) {
    recording::Tally& tally = run.tallies.emplace_back();
    tally = {shape, sum.launches, sum.counted, {}};
    tally.shape.ranges = RangeSetId(ranges[shape.ranges.value()]);
    for (const auto& [reason, launches] : sum.skipped) tally.skipped.push_back({reason, launches});
  }
  std::ranges::sort(run.tallies, {}, &recording::Tally::shape);
}

void Merger::FinishLosses(RecordedRun& run) const {
  for (const auto& [key, lost] : losses_) {
    run.losses.push_back({key.first, key.second, lost.count, lost.ranks});
  }
  for (const auto& [key, lost] : lost_lines_) {
    run.lost_lines.push_back(
        {key.first, lost.lines, lost.first.first, lost.first.second, key.second, lost.ranks});
  }
  run.unread.assign(unread_.begin(), unread_.end());
}

void Merger::FinishLaunchers(RecordedRun& run) const {
  for (const auto& [cubin, loaded] : modules_) {
    run.modules.push_back({ContextId(0),
                           cubin,
                           Bytes(loaded.size),
                           {loaded.programs.begin(), loaded.programs.end()}});
  }
  for (const auto& [filter, missed] : unmatched_) {
    run.unmatched.push_back({filter.first,
                             filter.second,
                             {missed.nearest.begin(), missed.nearest.end()},
                             missed.processes});
  }
  if (cost_) {
    run.cost =
        recording::Cost{cost_->windows, static_cast<double>(cost_->held) / kMicroseconds,
                        static_cast<double>(cost_->elapsed) / kMicroseconds, cost_->budget_percent};
  }
}

RecordedRun Merger::Finish() && {
  ranges_.Of({});
  RecordedRun run;
  if (header_) run.header = *header_;
  run.header.counters = counters_;
  run.header.dropped_counters = Without(any_counters_, counters_);
  FinishRanges(run);
  FinishDevices(run);
  FinishLaunchers(run);
  // No range keeps 0: it is before all others.
  std::vector<std::uint32_t> ranges = ranges_.Places(0);
  const std::vector<std::uint32_t> devices = devices_.Places(0);
  if (windows_.lost() > 0) {
    AddLoss({"window_lost", "counts that add up to more than a GPU can count", windows_.lost()},
            {});
  }
  run.windows = std::move(windows_).Take(devices, ranges);
  FinishTallies(run, ranges);
  run.uncounted = std::move(uncounted_).Take();
  FinishLosses(run);
  std::move(samples_).Take(devices, run);
  run.sources.assign(sources_.begin(), sources_.end());
  run.ranks = std::move(job_.ranks);
  run.spreads = std::move(job_.spreads).Take();
  run.end = recording::End{"merged", 0, {}};
  return run;
}

}  // namespace coalcheck::merging
