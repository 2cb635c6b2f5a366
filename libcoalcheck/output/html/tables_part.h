// SPDX-License-Identifier: Apache-2.0
//
// The tables of the HTML report: NVTX ranges, kernels, notes.
#pragma once

#include <string>

#include "libcoalcheck/findings/report.h"

namespace coalcheck::output::html {

// Empty where no launch was made in a range.
std::string RangesPart(const findings::Report& report);
std::string KernelsPart(const findings::Report& report);
std::string NotesPart(const findings::Report& report);

}  // namespace coalcheck::output::html
