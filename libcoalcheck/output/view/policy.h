// SPDX-License-Identifier: Apache-2.0
//
// What a baseline and suppressions did to the verdict, in lines of the report.
#pragma once

#include <string>
#include <vector>

#include "libcoalcheck/findings/report.h"

namespace coalcheck::output {

// How a finding stands against the baseline; empty when there is none.
std::string StandingSentence(const findings::Place& place);

std::vector<std::string> PolicyNotes(const findings::Report& report);

// "12 known, 3 suppressed", empty when nothing is excused.
std::string ExcusedText(const findings::Report& report);

}  // namespace coalcheck::output
