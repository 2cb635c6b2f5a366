// SPDX-License-Identifier: Apache-2.0
//
// What the text report says more when it is asked to.
#pragma once

#include <string>

#include "libcoalcheck/findings/report.h"

namespace coalcheck::output {

// A line for each machine instruction of the finding's worst access.
std::string InstructionLines(const findings::Report& report, const findings::Place& place);

// A line for each access in scope that is no finding.
std::string CleanLines(const findings::Report& report);

}  // namespace coalcheck::output
