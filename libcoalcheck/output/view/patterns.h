// SPDX-License-Identifier: Apache-2.0
//
// Why a finding wastes sectors, and what to do: the lines about its patterns.
#pragma once

#include <string>

#include "libcoalcheck/findings/report.h"
#include "libcoalcheck/output/view/detail.h"

namespace coalcheck::output {

// A sentence for each pattern that wastes, the first few of many. Empty when no pattern is known.
Details PatternDetails(const findings::Report& report, const findings::Place& place);

// What causes most of the waste, as a clause: how far apart neighbouring threads are, else the
// pattern. Empty when nothing is known.
std::string CauseWords(const findings::Report& report, const findings::Place& place);

// What usually helps against the worst pattern: "for out: let consecutive lanes …". Nobody tried
// it. Empty where there is no advice.
std::string UsualAdvice(const findings::Report& report, const findings::Place& place);

}  // namespace coalcheck::output
