// SPDX-License-Identifier: Apache-2.0
//
// Sums over jobs.
#include "libcoalcheck/findings/job.h"

#include <cmath>

namespace coalcheck::findings {

std::uint64_t Job::recorded() const {
  std::uint64_t recorded = 0;
  for (const JobRanks& one : jobs) recorded += one.recorded.Count();
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

std::uint64_t RanksAsked(const Job& job, const MinRanks& least) {
  if (least.ranks) return *least.ranks;
  return static_cast<std::uint64_t>(std::ceil(least.share * static_cast<double>(job.expected())));
}

}  // namespace coalcheck::findings
