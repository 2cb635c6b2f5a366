// SPDX-License-Identifier: Apache-2.0
//
// Names places so that they are found again in another build: no line number, no folder, no pc.
#pragma once

#include <string>
#include <string_view>

#include "libcoalcheck/cubin/source_text.h"
#include "libcoalcheck/findings/report.h"

namespace coalcheck::findings {

// `line` without blanks that separate no two words, and without a comment at its end: what
// formatting and remarks change is not what the line does.
std::string NormalizedLine(std::string_view line);

// The readable name of a kernel as long as its template, and not its build, is the same:
// "copy" of "_INTERNAL_91b5_4_a_cu_0e::copy<float>(float*)".
std::string StableKernelName(std::string_view mangled);

// Fills the identities of `report.places`. Places that are alike in everything else are numbered by
// their order in the source.
void IdentifyPlaces(cubin::SourceText& sources, Report& report);

}  // namespace coalcheck::findings
