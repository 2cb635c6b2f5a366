// SPDX-License-Identifier: Apache-2.0
//
// Sums over jobs.
#include "libcoalcheck/findings/job.h"

#include <cmath>

namespace coalcheck::findings {

std::uint64_t JobRanks::present() const {
  return world_size ? *world_size - missing.Count() : recorded.Count();
}

std::uint64_t Job::recorded() const {
  std::uint64_t recorded = 0;
  for (const JobRanks& one : jobs) recorded += one.present();
  return recorded;
}

std::uint64_t Job::expected() const {
  std::uint64_t expected = 0;
  for (const JobRanks& one : jobs) {
    if (!one.world_size) return 0;
    expected += *one.world_size;
  }
  return expected;
}

std::optional<RanksShort> FirstShort(const Job& job, const MinRanks& least) {
  if (least.ranks) {
    const RanksShort all{job.recorded(), job.expected(), *least.ranks};
    return all.recorded < all.asked ? std::optional(all) : std::nullopt;
  }
  for (const JobRanks& one : job.jobs) {
    if (!one.world_size) continue;
    const double asked = std::ceil(least.share * static_cast<double>(*one.world_size));
    const RanksShort of_one{one.present(), *one.world_size, static_cast<std::uint64_t>(asked)};
    if (of_one.recorded < of_one.asked) return of_one;
  }
  return std::nullopt;
}

}  // namespace coalcheck::findings
