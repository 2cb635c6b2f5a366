// SPDX-License-Identifier: Apache-2.0
//
// The findings of the HTML report: those of one cause are a line that opens.
#pragma once

#include <cstddef>
#include <string>

#include "libcoalcheck/cubin/source_text.h"
#include "libcoalcheck/findings/report.h"

namespace coalcheck::output::html {

// The name of an entry's element, for links to it; `number` is its place among the causes.
std::string FindingId(std::size_t number);

std::string FindingsPart(const findings::Report& report, cubin::SourceText& sources);

}  // namespace coalcheck::output::html
