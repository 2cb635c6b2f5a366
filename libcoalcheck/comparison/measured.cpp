// SPDX-License-Identifier: Apache-2.0
//
// Picks the numbers out of a report.
#include "libcoalcheck/comparison/measured.h"

#include <utility>

#include "libcoalcheck/findings/cost/place_cost.h"
#include "libcoalcheck/findings/places/fingerprint.h"
#include "libcoalcheck/findings/places/places.h"
#include "libcoalcheck/findings/words/words.h"

namespace coalcheck::comparison {

MeasuredRun Measure(const findings::Report& report, std::string name) {
  MeasuredRun run;
  run.name = std::move(name);
  run.is_predicted = report.prediction.has_value();
  run.launches = report.launches;
  run.launches_checked = report.launches_checked;
  run.has_cost = report.cost.has_value();
  run.min_wasted_share = report.min_wasted_share;
  for (const findings::KernelCoverage& kernel : report.kernels) {
    if (kernel.checked == Launches(0) && !run.is_predicted) continue;
    run.kernels.insert(findings::StableKernelName(kernel.kernel));
  }
  for (const findings::Place& place : report.places) {
    const findings::Access& access = report.accesses[place.accesses.front()];
    Measured& one = run.places.emplace_back();
    one.fingerprint = place.identity.fingerprint;
    one.anchor = place.identity.anchor;
    one.kind = cubin::ToString(access.kind);
    if (access.shown) {
      one.path = words::PathShown(report, access.shown->file);
      one.line = access.shown->line;
    }
    one.kernel = place.identity.kernel;
    one.text = place.identity.text;
    one.is_finding = place.is_finding || place.excuse.has_value();
    one.is_known = !IsUnknown(report, place);
    one.in_scope = place.in_scope;
    one.counts = place.counts;
    one.worst = place.worst_alone;
    one.has_requests = report.present.requests;
    one.launches_checked = findings::CoverageOf(report, place).checked;
    one.waiting = findings::WaitingShare(report, place);
  }
  return run;
}

}  // namespace coalcheck::comparison
