// SPDX-License-Identifier: Apache-2.0
//
// One finding of the text report.
#pragma once

#include <string>

#include "libcoalcheck/cubin/source_text.h"
#include "libcoalcheck/findings/report.h"
#include "libcoalcheck/output/style.h"

namespace coalcheck::output {

std::string FindingText(const findings::Report& report, const findings::Place& place,
                        cubin::SourceText& sources, const Style& style);

}  // namespace coalcheck::output
