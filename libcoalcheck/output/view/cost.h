// SPDX-License-Identifier: Apache-2.0
//
// What the text report says of time.
#pragma once

#include <string>

#include "libcoalcheck/findings/report.h"

namespace coalcheck::output {

// Who waits for a finding, and what its repair could save. Empty where the cost is not known.
std::string CostSentence(const findings::Report& report, const findings::Place& place);

// What the samples cover, or why there are none, without a newline. Empty if there is no finding.
std::string CostNote(const findings::Report& report);

}  // namespace coalcheck::output
