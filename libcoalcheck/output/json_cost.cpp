// SPDX-License-Identifier: Apache-2.0
//
// Cycles as they are, shares in percent.
#include "libcoalcheck/output/json_cost.h"

namespace coalcheck::output {
namespace {

using Json = nlohmann::ordered_json;
using cost::StallKind;

Json TimeJson(const cost::StallTime& time) {
  return {{"cycles", time.all.count()}, {"exposed_cycles", time.exposed.count()}};
}

}  // namespace

Json AccessCostJson(const findings::Report& report, const findings::Access& access) {
  if (!report.cost || !access.cost) return nullptr;
  const cost::StallTimes& stalls = access.cost->stalls;
  const cost::StallTime sum = stalls.Sum();
  const findings::Gain gain = GainOf(*access.cost, access.counts);
  return {{"cycles", sum.all.count()},
          {"exposed_cycles", sum.exposed.count()},
          {"throttle", TimeJson(stalls[StallKind::kThrottle])},
          {"long_scoreboard", TimeJson(stalls[StallKind::kLongScoreboard])},
          {"drain", TimeJson(stalls[StallKind::kDrain])},
          {"kernel_cycles", access.cost->kernel.all.count()},
          {"share_of_kernel_percent", findings::ShareOf(sum.all, access.cost->kernel.all) * 100},
          {"share_of_program_percent", findings::ShareOf(sum.all, report.cost->Sum().all) * 100},
          {"gain_of_kernel_percent", {{"least", gain.least * 100}, {"most", gain.most * 100}}}};
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
          {"unplaced_cycles", cost.unplaced.count()}};
}

}  // namespace coalcheck::output
