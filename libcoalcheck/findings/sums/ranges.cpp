// SPDX-License-Identifier: Apache-2.0
//
// A window's counts belong to a range when all its launches were made in it: a window that waited
// for its kernel may hold launches of several ranges, and nobody can tell their counts apart.
#include "libcoalcheck/findings/sums/ranges.h"

#include <algorithm>
#include <cstdint>
#include <iterator>
#include <set>
#include <utility>

#include "libcoalcheck/recording/shape_launches.h"

namespace coalcheck::findings {
namespace {

using recording::RecordedRun;
using RangesOf = std::map<RangeSetId, std::set<OpenRange>>;

const std::set<OpenRange>& Find(const RangesOf& ranges_of, RangeSetId id) {
  static const std::set<OpenRange> none;
  const auto found = ranges_of.find(id);
  return found == ranges_of.end() ? none : found->second;
}

// The ranges in which all of the window's launches were made.
std::set<OpenRange> CommonTo(const recording::Window& window, const RangesOf& ranges_of) {
  std::set<OpenRange> common;
  bool is_first = true;
  for (const recording::LaunchesInside& inside : window.inside) {
    const std::set<OpenRange>& these = Find(ranges_of, inside.shape.ranges);
    if (is_first) {
      common = these;
    } else {
      std::erase_if(common, [&](const OpenRange& range) { return !these.contains(range); });
    }
    is_first = false;
  }
  return common;
}

std::pair<Sectors, Sectors> SectorsOf(const recording::Window& window,
                                      const SectorColumns& columns) {
  std::pair<Sectors, Sectors> sums;
  for (const recording::FunctionCounts& function : window.functions) {
    for (const recording::CountRow& row : function.rows) {
      sums.first += Sectors(row.values.at(*columns.sectors));
      sums.second += Sectors(row.values.at(*columns.ideal));
    }
  }
  return sums;
}

RangeCoverage& Of(const OpenRange& range, std::map<OpenRange, RangeCoverage>& ranges) {
  RangeCoverage& coverage = ranges[range];
  coverage.range = range;
  return coverage;
}

}  // namespace

void AddRanges(const RecordedRun& run, const SectorColumns& columns,
               std::map<OpenRange, RangeCoverage>& ranges) {
  if (run.range_sets.empty()) return;
  RangesOf ranges_of;
  for (const recording::RangeSet& set : run.range_sets) {
    ranges_of[set.ranges].insert(set.open.begin(), set.open.end());
  }
  for (const recording::Window& window : run.windows) {
    const bool can_count = columns.sectors && columns.ideal;
    const auto [sectors, ideal] =
        can_count ? SectorsOf(window, columns) : std::pair<Sectors, Sectors>();
    for (const OpenRange& range : CommonTo(window, ranges_of)) {
      RangeCoverage& coverage = Of(range, ranges);
      coverage.windows += std::max<std::uint64_t>(window.sum_of, 1);
      coverage.sectors += sectors;
      coverage.ideal += ideal;
    }
  }
  for (const auto& [shape, launches] : recording::LaunchesOf(run)) {
    for (const OpenRange& range : Find(ranges_of, shape.ranges)) {
      RangeCoverage& coverage = Of(range, ranges);
      coverage.launches += launches.seen;
      coverage.checked += launches.inside;
    }
  }
}

std::vector<RangeCoverage> Sorted(const std::map<OpenRange, RangeCoverage>& ranges) {
  std::vector<RangeCoverage> sorted;
  std::ranges::transform(ranges, std::back_inserter(sorted),
                         [](const auto& entry) { return entry.second; });
  std::ranges::stable_sort(sorted, [](const RangeCoverage& a, const RangeCoverage& b) {
    return a.sectors - a.ideal > b.sectors - b.ideal;
  });
  return sorted;
}

}  // namespace coalcheck::findings
