// SPDX-License-Identifier: Apache-2.0
//
// Scales by threads: a launch of twice the grid weighs twice.
#include "libcoalcheck/findings/places/estimate.h"

#include <algorithm>
#include <cstdint>

#include "libcoalcheck/findings/places/places.h"

namespace coalcheck::findings {
namespace {

// Whether every launch was checked or predicted.
bool IsKnown(const Access& access) { return access.launches_known() >= access.launches; }

// What is counted and predicted, where that is all there is.
Sectors WastedInAll(const Access& access) {
  constexpr double kMost = 1e18;
  Sectors known = access.counts.Wasted();
  double share = access.threads_share;  // of the threads, those of which it is known
  if (access.uncounted) {
    known += access.uncounted->counts.Wasted();
    share *= 1 + access.uncounted->threads / std::max(access.threads_checked, 1.0);
  }
  if (share >= 1 || IsKnown(access)) return known;
  const double wasted = static_cast<double>(known.count());
  return Sectors(static_cast<std::uint64_t>(std::min(wasted / share + 0.5, kMost)));
}

}  // namespace

std::optional<Estimate> EstimateOf(const Access& access) {
  if (IsKnown(access) || access.threads_share <= 0) return std::nullopt;
  return Estimate{WastedInAll(access), access.launches, access.launches_checked,
                  access.launches_known() - access.launches_checked};
}

std::optional<Estimate> EstimateOf(const Report& report, const Place& place) {
  const Coverage coverage = CoverageOf(report, place);
  if (coverage.checked >= coverage.all) return std::nullopt;
  Estimate sum{{}, coverage.all, coverage.checked, {}};
  bool is_known = true;
  for (std::size_t i = 0; i < place.counted; ++i) {
    const Access& access = report.accesses[place.accesses[i]];
    if (access.threads_share <= 0) return std::nullopt;
    sum.wasted += WastedInAll(access);
    sum.predicted = std::max(sum.predicted, access.launches_known() - access.launches_checked);
    is_known = is_known && IsKnown(access);
  }
  if (is_known) return std::nullopt;
  return sum;
}

}  // namespace coalcheck::findings
