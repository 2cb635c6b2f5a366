// SPDX-License-Identifier: Apache-2.0
//
// The sentences of a comparison, which its text and its Markdown share.
#pragma once

#include <string>
#include <vector>

#include "libcoalcheck/comparison/difference.h"

namespace coalcheck::output {

// "samples/a.cu:17", or the kernel without line information; of NEW where it has the place.
std::string PlaceOf(const comparison::Difference& difference);
// "28 -> 0 sectors per request (87.5 % -> 0 %)", or one side's.
std::string WasteChange(const comparison::Difference& difference);
// "14 680 064 -> 0", wasted sectors in each launch that was checked.
std::string PerLaunchChange(const comparison::Difference& difference);
// "12 % -> 3 %"; empty unless both sides were sampled, or the one that has the place.
std::string WaitingChange(const comparison::Difference& difference);
// "old.rec is not complete: …", of a run of which something is missing.
std::string IncompleteNote(const comparison::MeasuredRun& run);
// What keeps the two from being compared in full, and what the numbers rest on.
std::vector<std::string> DiffNotes(const comparison::Comparison& comparison);
// "1 worsened, 2 improved, 4 unchanged".
std::string DiffSummary(const comparison::Comparison& comparison);

}  // namespace coalcheck::output
