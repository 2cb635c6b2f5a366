// SPDX-License-Identifier: Apache-2.0
//
// From summed recordings to the report: attributed, judged, sorted, folded.
#pragma once

#include "libcoalcheck/findings/report.h"
#include "libcoalcheck/findings/sources/attribution.h"
#include "libcoalcheck/findings/sources/code.h"
#include "libcoalcheck/findings/sums/aggregate.h"
#include "libcoalcheck/policy/rules.h"

namespace coalcheck::findings {

// What makes an access a finding: it is in scope, wastes at least one sector, and at least
// `min_wasted_share` (0 to 1) of those it touches.
struct Policy {
  double min_wasted_share = 0;
  Scope scope = Scope::kUser;
  // Whether everything is judged where nothing is in scope, so that a program without line
  // information does not pass for clean.
  bool may_fall_back = true;
  // The project's, over `min_wasted_share`; null: none.
  const policy::Rules* rules = nullptr;
  bool names_unused = true;  // rules and suppressions that fitted nothing are named
};

Report MakeReport(Aggregate aggregate, Code& code, const SourceView& source, const Policy& policy);

}  // namespace coalcheck::findings
