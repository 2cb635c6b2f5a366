// SPDX-License-Identifier: Apache-2.0
//
// Cycles as they are, shares in percent.
#include <optional>

#include "libcoalcheck/base/demangle.h"
#include "libcoalcheck/findings/cost/place_cost.h"
#include "libcoalcheck/output/json/json_parts.h"

namespace coalcheck::output {
namespace {

using Json = nlohmann::ordered_json;
using cost::StallKind;

Json TimeJson(const cost::StallTime& time) {
  return {{"cycles", time.all.count()}, {"exposed_cycles", time.exposed.count()}};
}

// Null if nothing was sampled: 0 would mean that no warp waits.
Json ShareJson(Cycles part, Cycles all) {
  return all == Cycles(0) ? Json(nullptr) : Json(findings::ShareOf(part, all) * 100);
}

Json GainJson(const std::optional<findings::Gain>& gain) {
  if (!gain) return nullptr;
  return {{"least", gain->least * 100}, {"most", gain->most * 100}};
}

Json KernelsJson(const std::vector<findings::KernelCost>& kernels) {
  Json array = Json::array();
  for (const findings::KernelCost& one : kernels) {
    const std::optional<double>& share = one.memory_share;
    array.push_back({{"kernel", Demangle(one.kernel)},
                     {"kernel_mangled", one.kernel},
                     {"cycles", one.all.all.count()},
                     {"memory_share_percent", share ? Json(*share * 100) : Json(nullptr)},
                     {"gain_percent", GainJson(one.gain)}});
  }
  return array;
}

}  // namespace

Json AccessCostJson(const findings::Report& report, const findings::Access& access) {
  if (!report.cost || !access.cost) return nullptr;
  const cost::StallTimes& stalls = access.cost->stalls;
  const cost::StallTime sum = stalls.Sum();
  const Cycles kernel = access.cost->kernel.all;
  return {{"cycles", sum.all.count()},
          {"exposed_cycles", sum.exposed.count()},
          {"throttle", TimeJson(stalls[StallKind::kThrottle])},
          {"long_scoreboard", TimeJson(stalls[StallKind::kLongScoreboard])},
          {"drain", TimeJson(stalls[StallKind::kDrain])},
          {"kernel_cycles", kernel.count()},
          {"share_of_kernel_percent", ShareJson(sum.all, kernel)},
          {"share_of_program_percent", ShareJson(sum.all, report.cost->Sum().all)},
          {"gain_of_kernel_percent", GainJson(access.cost->gain)}};
}

Json PlaceGainJson(const findings::Report& report, const findings::Place& place) {
  return GainJson(findings::CostOf(report, place).gain);
}

Json ProgramCostJson(const findings::Report& report) {
  if (!report.cost) return {{"known", false}, {"why_not", report.why_no_cost}};
  const findings::ProgramCost& cost = *report.cost;
  return {{"known", true},
          {"complete", !cost.is_partial},
          {"program", TimeJson(cost.Sum())},
          {"accesses", TimeJson(cost.accesses)},
          {"accesses_not_counted", TimeJson(cost.uncounted)},
          {"others", TimeJson(cost.others)},
          {"unattributed", TimeJson(cost.unattributed)},
          {"elsewhere_cycles", cost.elsewhere.count()},
          {"unplaced_cycles", cost.unplaced.count()},
          {"dropped_cycles", cost.dropped.count()},
          {"kernels", KernelsJson(cost.kernels)}};
}

}  // namespace coalcheck::output
