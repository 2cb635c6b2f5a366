// SPDX-License-Identifier: Apache-2.0
//
// The findings under a heading for each NVTX range.
#pragma once

#include <functional>
#include <string>

#include "libcoalcheck/findings/report.h"

namespace coalcheck::output {

// `findings_of` prints the findings of a group's report.
std::string ByRangeText(const findings::Report& report,
                        const std::function<std::string(const findings::Report&)>& findings_of);

}  // namespace coalcheck::output
