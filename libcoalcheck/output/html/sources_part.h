// SPDX-License-Identifier: Apache-2.0
//
// The sources of the HTML report: the lines around findings, with what each wastes.
#pragma once

#include <string>

#include "libcoalcheck/cubin/source_text.h"
#include "libcoalcheck/findings/report.h"

namespace coalcheck::output::html {

// The name of a line's element, for links to it; the same for the same line.
std::string LineId(const findings::Frame& frame);

std::string SourcesPart(const findings::Report& report, cubin::SourceText& sources);

}  // namespace coalcheck::output::html
