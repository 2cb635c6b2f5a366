// SPDX-License-Identifier: Apache-2.0
//
// From summed recordings to the report: attributed, judged, sorted, folded.
#pragma once

#include "libcoalcheck/findings/aggregate.h"
#include "libcoalcheck/findings/attribution.h"
#include "libcoalcheck/findings/code.h"
#include "libcoalcheck/findings/report.h"

namespace coalcheck::findings {

inline constexpr double kDefaultMinWastedShare = 0.1;

// An access is a finding when it wastes at least one sector, and at least `min_wasted_share` (0 to
// 1) of those it touches.
Report MakeReport(Aggregate aggregate, Code& code, const SourceView& source,
                  double min_wasted_share);

}  // namespace coalcheck::findings
