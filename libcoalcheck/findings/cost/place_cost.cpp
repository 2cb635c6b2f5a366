// SPDX-License-Identifier: Apache-2.0
//
// Sums over instantiations, and the order that follows from them.
#include "libcoalcheck/findings/cost/place_cost.h"

#include <algorithm>
#include <set>
#include <string_view>
#include <utility>
#include <vector>

#include "libcoalcheck/base/saturate.h"
#include "libcoalcheck/findings/cost/kernel_gain.h"

namespace coalcheck::findings {
namespace {

// What is fetched for others too is hardly waste, yet a little: it is asked for more than once.
constexpr double kUsedByOthers = 0.1;

// The wasted sectors of the access that no other access uses.
double WeightedShare(const Access& access) {
  const Sectors alone = WastedAlone(access);
  return Per(alone, access.counts.sectors) +
         kUsedByOthers * Per(access.counts.Wasted() - alone, access.counts.sectors);
}

// The cost by which findings are ordered. The waits of a kernel are not known if all its launches
// were counted and none sampled: then it is the time that its waste takes in L2, in the same unit.
Cycles WeightOf(const Report& report, const Place& place) {
  if (!place.is_finding) return {};
  const PlaceCost cost = CostOf(report, place);
  if (cost.kernel.all > Cycles(0)) return cost.wasted;
  Cycles weight;
  for (std::size_t i = 0; i < place.counted; ++i) {
    weight += SavedInL2(report.accesses[place.accesses[i]]);
  }
  return weight;
}

}  // namespace

PlaceCost CostOf(const Report& report, const Place& place) {
  PlaceCost cost;
  Gain gain;
  bool is_known = place.counted > 0;
  double wasted = 0;
  std::set<std::string_view> kernels;
  for (std::size_t i = 0; i < place.counted; ++i) {
    const Access& access = report.accesses[place.accesses[i]];
    if (!access.cost) return cost;
    cost.stalls += access.cost->stalls;
    const Cycles time = access.cost->kernel.all;
    const auto cycles = static_cast<double>(time.count());
    is_known = is_known && access.cost->gain.has_value();
    gain.least += access.cost->gain.value_or(Gain()).least * cycles;
    gain.most += access.cost->gain.value_or(Gain()).most * cycles;
    wasted += static_cast<double>(access.cost->stalls.Sum().all.count()) * WeightedShare(access);
    if (kernels.insert(access.kernel).second) cost.kernel += access.cost->kernel;
  }
  cost.wasted = Cycles(SaturatingCount(wasted));
  const auto whole = static_cast<double>(std::max(cost.kernel.all, Cycles(1)).count());
  if (is_known) cost.gain = {std::min(gain.least / whole, 1.0), std::min(gain.most / whole, 1.0)};
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
    const Cycles weight = WeightOf(report, place);
    keyed.emplace_back(weight, std::move(place));
  }
  std::ranges::stable_sort(keyed, [](const auto& a, const auto& b) {
    return std::make_tuple(a.second.is_finding, a.first, a.second.counts.Wasted()) >
           std::make_tuple(b.second.is_finding, b.first, b.second.counts.Wasted());
  });
  report.places.clear();
  for (auto& [wasted, place] : keyed) report.places.push_back(std::move(place));
}

}  // namespace coalcheck::findings
