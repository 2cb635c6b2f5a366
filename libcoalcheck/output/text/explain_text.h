// SPDX-License-Identifier: Apache-2.0
//
// Which rule decided each access, one a line.
#pragma once

#include <string>

#include "libcoalcheck/findings/report.h"
#include "libcoalcheck/output/style.h"

namespace coalcheck::output {

std::string ExplainText(const findings::Report& report, const Style& style);

}  // namespace coalcheck::output
