// SPDX-License-Identifier: Apache-2.0
//
// Why a finding wastes sectors, and what to do: the lines about its patterns.
#pragma once

#include <string>

#include "libcoalcheck/findings/report.h"

namespace coalcheck::output {

// A line for each pattern that wastes (the first few of many), then the advice on the worst. Empty
// when no pattern is known.
std::string PatternText(const findings::Report& report, const findings::Place& place);

}  // namespace coalcheck::output
