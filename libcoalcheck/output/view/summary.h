// SPDX-License-Identifier: Apache-2.0
//
// The last line of the text report, which is always there.
#pragma once

#include <string>

#include "libcoalcheck/findings/report.h"
#include "libcoalcheck/output/style.h"
#include "libcoalcheck/verdict/verdict.h"

namespace coalcheck::output {

// Without its newline. `written`: whether the report itself could be.
std::string SummaryLine(const findings::Report& report, const verdict::Verdict& verdict,
                        const Style& style = Style(false), bool written = true);

}  // namespace coalcheck::output
