// SPDX-License-Identifier: Apache-2.0
//
// Sums over instantiations, and the order that follows from them.
#include "libcoalcheck/findings/place_cost.h"

#include <algorithm>
#include <set>
#include <string_view>
#include <tuple>
#include <utility>
#include <vector>

namespace coalcheck::findings {
namespace {

constexpr double kMostCycles = 1.8e19;  // fits 64 bits

}  // namespace

PlaceCost CostOf(const Report& report, const Place& place) {
  PlaceCost cost;
  std::set<std::string_view> kernels;
  for (std::size_t i = 0; i < place.counted; ++i) {
    const Access& access = report.accesses[place.accesses[i]];
    if (!access.cost) return cost;
    cost.sum.stalls += access.cost->stalls;
    if (!kernels.insert(access.kernel).second) continue;
    cost.sum.kernel += access.cost->kernel;
    cost.sum.kernel_sectors += access.cost->kernel_sectors;
  }
  const auto waiting = static_cast<double>(cost.sum.stalls.Sum().all.count());
  cost.wasted = Cycles(
      static_cast<std::uint64_t>(std::min(waiting * place.counts.WastedShare(), kMostCycles)));
  cost.gain = GainOf(cost.sum, place.counts);
  return cost;
}

std::optional<double> WaitingShare(const Report& report, const Place& place) {
  if (!report.cost) return std::nullopt;
  return ShareOf(CostOf(report, place).wasted, report.cost->Sum().all);
}

void OrderByCost(Report& report) {
  if (!report.cost) return;
  std::vector<std::pair<Cycles, Place>> keyed;
  for (Place& place : report.places) {
    const Cycles wasted = place.is_finding ? CostOf(report, place).wasted : Cycles(0);
    keyed.emplace_back(wasted, std::move(place));
  }
  std::ranges::stable_sort(keyed, [](const auto& a, const auto& b) {
    return std::make_tuple(a.second.is_finding, a.first, a.second.counts.Wasted()) >
           std::make_tuple(b.second.is_finding, b.first, b.second.counts.Wasted());
  });
  report.places.clear();
  for (auto& [wasted, place] : keyed) report.places.push_back(std::move(place));
}

}  // namespace coalcheck::findings
