// SPDX-License-Identifier: Apache-2.0
//
// The table of NVTX ranges in the text report.
#pragma once

#include <string>

#include "libcoalcheck/findings/report.h"

namespace coalcheck::output {

// "solver@step", or "step" in NVTX's default domain.
std::string RangeName(const OpenRange& range);

// Empty when no launch was made in a range.
std::string RangesText(const findings::Report& report);

}  // namespace coalcheck::output
