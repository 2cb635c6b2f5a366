// SPDX-License-Identifier: Apache-2.0
//
// As in ranges.cpp, a window belongs to a range when all its launches were made in it. One pass
// over the windows for each group, however many ranges a recording has.
#include "libcoalcheck/findings/making/by_range.h"

#include <absl/container/flat_hash_set.h>

#include <algorithm>
#include <map>
#include <utility>

#include "libcoalcheck/findings/making/make_report.h"
#include "libcoalcheck/recording/shape_launches.h"

namespace coalcheck::findings {
namespace {

using recording::RecordedRun;
using SetIds = absl::flat_hash_set<RangeSetId>;

SetIds SetsWith(const RecordedRun& run, const OpenRange& range) {
  SetIds ids;
  for (const recording::RangeSet& set : run.range_sets) {
    if (std::ranges::find(set.open, range) != set.open.end()) ids.insert(set.ranges);
  }
  return ids;
}

// A set that the recording does not explain is not known to be empty.
SetIds SetsWithoutRange(const RecordedRun& run) {
  SetIds ids = {RangeSetId()};
  for (const recording::RangeSet& set : run.range_sets) {
    if (set.open.empty()) ids.insert(set.ranges);
  }
  for (const recording::RangeSet& set : run.range_sets) {
    if (!set.open.empty()) ids.erase(set.ranges);
  }
  return ids;
}

bool AllIn(const SetIds& ids, const recording::Window& window) {
  return !window.inside.empty() &&
         std::ranges::all_of(window.inside, [&](const recording::LaunchesInside& launched) {
           return ids.contains(launched.shape.ranges);
         });
}

// Makes one group after the other, and keeps in mind which windows were in any.
class Grouping {
 public:
  Grouping(const std::vector<RecordedRun>& runs, Code& code, const SourceView& source,
           const Report& whole, const policy::Rules* rules)
      : runs_(runs),
        code_(code),
        source_(source),
        policy_{whole.min_wasted_share, whole.scope, /*may_fall_back=*/false, rules,
                /*names_unused=*/false} {
    for (const RecordedRun& run : runs_) {
      taken_.emplace_back(run.windows.size());
      launches_.push_back(recording::LaunchesOf(run));
    }
  }

  template <typename SetsOf>
  Report ReportOn(SetsOf sets_of) {
    Aggregate aggregate;
    aggregate.lists_ranges = false;  // those of the whole report are its rows
    for (std::size_t i = 0; i < runs_.size(); ++i) {
      AddRun("", Part(i, sets_of(runs_[i])), aggregate);
    }
    return MakeReport(std::move(aggregate), code_, source_, policy_);
  }

  std::uint64_t WindowsInNoGroup() const {
    std::ptrdiff_t windows = 0;
    for (const std::vector<bool>& taken : taken_) windows += std::ranges::count(taken, false);
    return static_cast<std::uint64_t>(windows);
  }

 private:
  // The windows and launches that a run made in the sets `ids`; why others were not counted is said
  // once, for all.
  RecordedRun Part(std::size_t number, const SetIds& ids) {
    const RecordedRun& run = runs_[number];
    RecordedRun part;
    part.header.counters = run.header.counters;
    part.range_sets = run.range_sets;
    for (std::size_t i = 0; i < run.windows.size(); ++i) {
      if (!AllIn(ids, run.windows[i])) continue;
      taken_[number][i] = true;
      part.windows.push_back(run.windows[i]);
    }
    for (const auto& [shape, launches] : launches_[number]) {
      if (!ids.contains(shape.ranges)) continue;
      part.tallies.push_back({shape, launches.seen, Launches(), {}});
    }
    return part;
  }

  const std::vector<RecordedRun>& runs_;
  Code& code_;
  const SourceView& source_;
  Policy policy_;
  // Of each run.
  std::vector<std::vector<bool>> taken_;
  std::vector<std::map<recording::LaunchShape, recording::ShapeLaunches>> launches_;
};

std::size_t TextIn(const Report& report) {
  std::size_t text = 0;
  const auto add = [&](const Frame& frame) { text += frame.function.size() + frame.file.size(); };
  for (const Access& access : report.accesses) {
    text += access.kernel.size();
    if (access.shown) add(*access.shown);
    std::ranges::for_each(access.chain, add);
    for (const MadeFrom& made : access.made_from) {
      add(made.frame);
      text += made.text.size();
    }
  }
  return text;
}

// A group has at most the accesses of the whole report.
std::size_t GroupsOf(const Report& report) {
  const std::size_t fit = kMostGroupedText / std::max<std::size_t>(TextIn(report), 1);
  return std::min(report.ranges.size(), std::clamp<std::size_t>(fit, 1, kMostGroups));
}

}  // namespace

void GroupByRange(const std::vector<RecordedRun>& runs, Code& code, const SourceView& source,
                  Report& report, const policy::Rules* rules) {
  Grouping grouping(runs, code, source, report, rules);
  const std::size_t groups = GroupsOf(report);
  for (std::size_t i = 0; i < groups; ++i) {
    const OpenRange& range = report.ranges[i].range;
    report.by_range.push_back(
        {range, grouping.ReportOn([&](const RecordedRun& run) { return SetsWith(run, range); })});
  }
  report.by_range.push_back({std::nullopt, grouping.ReportOn(SetsWithoutRange)});
  report.windows_in_no_group = grouping.WindowsInNoGroup();
}

}  // namespace coalcheck::findings
