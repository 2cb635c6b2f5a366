// SPDX-License-Identifier: Apache-2.0
//
// Sums, rounded once for each group of launches.
#include "libcoalcheck/findings/sources/uncounted.h"

#include <algorithm>
#include <cmath>
#include <optional>

namespace coalcheck::findings {
namespace {

using PtxParts = std::set<std::uint32_t>;  // instructions of the PTX

std::optional<address::Sums> SumOfParts(const PredictedGroup& group, const PtxParts& parts) {
  address::Sums sum;
  for (const std::uint32_t part : parts) {
    const auto found = group.accesses.find(part);
    if (found == group.accesses.end()) return std::nullopt;
    sum.Add(found->second);
  }
  return sum;
}

std::uint64_t WholeNumber(double number) {
  constexpr double kMost = 1e18;
  return static_cast<std::uint64_t>(std::clamp(std::round(number), 0.0, kMost));
}

void AddGroup(const PredictedGroup& group, const address::Sums& sum, Access& access) {
  if (!access.uncounted) access.uncounted.emplace();
  const double times = static_cast<double>(group.launches.count());
  PredictedLaunches& predicted = *access.uncounted;
  predicted.launches += group.launches;
  predicted.threads += group.threads * times;
  predicted.counts +=
      {Requests(WholeNumber(sum.requests * times)), Lanes(WholeNumber(sum.lanes * times)),
       Sectors(WholeNumber(sum.sectors * times)), Sectors(WholeNumber(sum.ideal * times)),
       CacheLines(WholeNumber(sum.lines * times))};
}

}  // namespace

void AddUncounted(const std::vector<PredictedGroup>& groups,
                  const std::map<std::uint32_t, std::set<std::size_t>>& instructions,
                  std::vector<Access>& accesses) {
  if (groups.empty()) return;
  std::map<std::size_t, PtxParts> made_of;
  for (const auto& [instruction, places] : instructions) {
    const bool is_shared = places.size() > 1;
    for (const std::size_t place : places) {
      made_of[place].insert(is_shared ? ptx::kNone : instruction);
    }
  }
  for (const auto& [place, parts] : made_of) {
    for (const PredictedGroup& group : groups) {
      if (const auto sum = SumOfParts(group, parts)) AddGroup(group, *sum, accesses[place]);
    }
  }
}

}  // namespace coalcheck::findings
