// SPDX-License-Identifier: Apache-2.0
//
// Which patterns have given counts. Where accesses begin is not known, so all beginnings are tried.
//
// What is looked for (docs/patterns/README.md has it in words):
//   consecutive elements from any address: misaligned when that costs a sector;
//   groups of 2 to 32 lanes that share an element: the elements neighbours, or a line apart;
//   steps of any multiple of the width, and at least 128 bytes;
//   runs of 2 to 16 lanes a line or more apart, all at one offset in their line: those of 2 lanes
//   at multiples of their size; runs only where they cost a sector or a line; inactive lanes in
//   consecutive elements; addresses without a step, where requests differ, are few, or no two lanes
//   ever met in one line.
#pragma once

#include <vector>

#include "libcoalcheck/patterns/averages.h"
#include "libcoalcheck/patterns/candidate_set.h"
#include "libcoalcheck/patterns/evidence.h"

namespace coalcheck::patterns {

// Alike requests of 32 active lanes: a pattern fits that has exactly these sectors and lines, as
// TabulateCounts finds them. Scattered is added where nothing excludes it.
void FitFullRequests(const Averages& request, CandidateSet& fitting);

// Requests that differ, or whose lanes are not all active: what fits lies around the averages.
void FitAverages(const Averages& request, CandidateSet& fitting);

// Runs and shared elements of blocks that are `row` threads wide, where that divides no warp.
void FitOddRows(const Averages& request, Lanes row, CandidateSet& fitting);

// All of it. Empty when nothing on the list has these counts.
std::vector<Candidate> PatternsWithCounts(const Evidence& evidence);

}  // namespace coalcheck::patterns
