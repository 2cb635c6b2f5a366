// SPDX-License-Identifier: Apache-2.0
//
// Scales by threads: a launch of twice the grid weighs twice.
#include "libcoalcheck/findings/places/estimate.h"

#include <algorithm>
#include <cstdint>

#include "libcoalcheck/findings/places/places.h"

namespace coalcheck::findings {
namespace {

// What is counted, where that is all there is.
Sectors WastedInAll(const Access& access) {
  constexpr double kMost = 1e18;
  if (access.threads_share >= 1) return access.counts.Wasted();
  const double wasted = static_cast<double>(access.counts.Wasted().count());
  return Sectors(static_cast<std::uint64_t>(std::min(wasted / access.threads_share + 0.5, kMost)));
}

}  // namespace

std::optional<Estimate> EstimateOf(const Access& access) {
  if (access.launches_checked >= access.launches || access.threads_share <= 0) return std::nullopt;
  return Estimate{WastedInAll(access), access.launches, access.launches_checked};
}

std::optional<Estimate> EstimateOf(const Report& report, const Place& place) {
  const Coverage coverage = CoverageOf(report, place);
  if (coverage.checked >= coverage.all) return std::nullopt;
  Estimate sum{{}, coverage.all, coverage.checked};
  for (std::size_t i = 0; i < place.counted; ++i) {
    const Access& access = report.accesses[place.accesses[i]];
    if (access.threads_share <= 0) return std::nullopt;
    sum.wasted += WastedInAll(access);
  }
  return sum;
}

}  // namespace coalcheck::findings
