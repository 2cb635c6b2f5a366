// SPDX-License-Identifier: Apache-2.0
//
// A window's counts belong to a range when all its launches were made in it: a window that waited
// for its kernel may hold launches of several ranges, and nobody can tell their counts apart.
#include "libcoalcheck/findings/sums/ranges.h"

#include <algorithm>
#include <cstdint>
#include <iterator>
#include <utility>
#include <vector>

#include "libcoalcheck/recording/shape_launches.h"

namespace coalcheck::findings {
namespace {

using recording::RecordedRun;
using Numbers = std::vector<std::uint32_t>;  // of ranges, ascending

struct ByValue {
  bool operator()(const OpenRange* a, const OpenRange* b) const { return *a < *b; }
};

// The sets of a recording. A range is a number in them: its name may be long, and is compared and
// copied once, not for each window.
class OpenSets {
 public:
  OpenSets(const RecordedRun& run, std::map<OpenRange, RangeCoverage>& coverage)
      : coverage_(coverage) {
    std::map<const OpenRange*, std::uint32_t, ByValue> numbers;
    for (const recording::RangeSet& set : run.range_sets) {
      Numbers& these = sets_[set.ranges];
      for (const OpenRange& range : set.open) {
        const auto next = static_cast<std::uint32_t>(ranges_.size());
        const auto [number, is_new] = numbers.try_emplace(&range, next);
        if (is_new) ranges_.push_back({&range, nullptr});
        these.push_back(number->second);
      }
    }
    for (auto& [id, these] : sets_) {
      std::ranges::sort(these);
      these.erase(std::ranges::unique(these).begin(), these.end());
    }
  }

  const Numbers& Of(RangeSetId id) const {
    static const Numbers none;
    const auto found = sets_.find(id);
    return found == sets_.end() ? none : found->second;
  }

  RangeCoverage& Coverage(std::uint32_t number) {
    Range& range = ranges_[number];
    if (range.coverage == nullptr) {
      range.coverage = &coverage_[*range.open];
      range.coverage->range = *range.open;
    }
    return *range.coverage;
  }

 private:
  struct Range {
    const OpenRange* open = nullptr;
    RangeCoverage* coverage = nullptr;  // null: nothing was made in it so far
  };

  std::map<OpenRange, RangeCoverage>& coverage_;
  std::map<RangeSetId, Numbers> sets_;
  std::vector<Range> ranges_;
};

// The ranges in which all of the window's launches were made.
Numbers CommonTo(const recording::Window& window, const OpenSets& sets) {
  Numbers common;
  for (std::size_t i = 0; i < window.inside.size(); ++i) {
    const Numbers& these = sets.Of(window.inside[i].shape.ranges);
    Numbers both;
    if (i > 0) std::ranges::set_intersection(common, these, std::back_inserter(both));
    common = i == 0 ? these : std::move(both);
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

}  // namespace

void AddRanges(const RecordedRun& run, const SectorColumns& columns,
               std::map<OpenRange, RangeCoverage>& ranges) {
  if (run.range_sets.empty()) return;
  OpenSets sets(run, ranges);
  for (const recording::Window& window : run.windows) {
    const bool can_count = columns.sectors && columns.ideal;
    const auto [sectors, ideal] =
        can_count ? SectorsOf(window, columns) : std::pair<Sectors, Sectors>();
    for (const std::uint32_t range : CommonTo(window, sets)) {
      RangeCoverage& coverage = sets.Coverage(range);
      coverage.windows += std::max<std::uint64_t>(window.sum_of, 1);
      coverage.sectors += sectors;
      coverage.ideal += ideal;
    }
  }
  for (const auto& [shape, launches] : recording::LaunchesOf(run)) {
    for (const std::uint32_t range : sets.Of(shape.ranges)) {
      RangeCoverage& coverage = sets.Coverage(range);
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
