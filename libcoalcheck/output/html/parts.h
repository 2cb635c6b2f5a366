// SPDX-License-Identifier: Apache-2.0
//
// The parts of the HTML report, and what CMake makes of report.css and report.js.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include "libcoalcheck/cubin/source_text.h"
#include "libcoalcheck/findings/report.h"

namespace coalcheck::output {

std::string_view ReportStyle();
std::string_view ReportScript();

}  // namespace coalcheck::output

namespace coalcheck::output::html {

// The name of an entry's element, for links to it; `number` is its place among the causes.
std::string FindingId(std::size_t number);

std::string FindingsPart(const findings::Report& report, cubin::SourceText& sources);

// The name of a line's element, for links to it; the same for the same line.
std::string LineId(const findings::Frame& frame);

std::string SourcesPart(const findings::Report& report, cubin::SourceText& sources);

// Empty where no launch was made in a range.
std::string RangesPart(const findings::Report& report);
std::string KernelsPart(const findings::Report& report);
std::string NotesPart(const findings::Report& report);

}  // namespace coalcheck::output::html
