// SPDX-License-Identifier: Apache-2.0
//
// The notes of a report: what was not checked, what counting cost, which rules excused something,
// and how to compile for better reports.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "libcoalcheck/findings/report.h"

namespace coalcheck::output {

// Of one list of notes; how many more there are is said.
inline constexpr std::size_t kMostRows = 10;

// A sentence each. `hidden` findings were kept back by the print limit.
std::vector<std::string> NotesOf(const findings::Report& report, std::size_t hidden = 0);

// What is in no total, or may be missing: parts of recordings, ranks, kernels that were never
// counted, launches that programs did not come to as they did not end well, and code that a
// prediction passed over.
std::vector<std::string> GapNotes(const findings::Report& report);

// What a verdict rests on, beside the counts: the scope, whose rules were used and what they
// excused, what is in no total, and what single recordings show.
std::vector<std::string> VerdictNotes(const findings::Report& report);

// The same, and whether the report is not complete, which JSON and a diff have elsewhere.
std::vector<std::string> QuietNotes(const findings::Report& report);

// Accesses that are no findings, though one recording alone would make them such; at most kMostRows
// are named.
std::vector<std::string> AloneNotes(const findings::Report& report);

// Of a prediction: accesses that are neither wasteful nor clean, and what the other words rest on.
std::vector<std::string> UnknownNotes(const findings::Report& report);

// Whether sampling alone is why launches were not counted, and some were.
bool IsSampledOnly(const findings::Report& report);

// The notes that concern the verdict: the scope, missing parts of the recordings, how the programs
// ended, and filters that matched nothing.
std::vector<std::string> NotesOnMissing(const findings::Report& report);

}  // namespace coalcheck::output
