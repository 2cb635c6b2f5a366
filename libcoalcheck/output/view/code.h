// SPDX-License-Identifier: Apache-2.0
//
// What the code says, in the text report: addresses, the index behind them, local memory.
#pragma once

#include <string>
#include <vector>

#include "libcoalcheck/findings/report.h"

namespace coalcheck::output {

// "address: parameter 2 (float*) + …: consecutive threads are …" of the instruction of the access
// that wastes most; empty when nothing is known of it.
std::string AddressSentence(const findings::Access& access);

// ", by what line 18 loads": the loads that decide a place's scattered addresses; empty when they
// are not known.
std::string IndexWords(const findings::Report& report, const findings::Place& place);

// A note for each kernel that keeps registers or arrays in local memory.
std::vector<std::string> LocalMemoryNotes(const findings::Report& report);
// One for each kernel whose data the tensor memory accelerator moves.
std::vector<std::string> BulkCopyNotes(const findings::Report& report);

}  // namespace coalcheck::output
