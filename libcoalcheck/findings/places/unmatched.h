// SPDX-License-Identifier: Apache-2.0
//
// Filters that fitted nothing in any of the processes that a report is about.
#pragma once

#include <vector>

#include "libcoalcheck/findings/report.h"

namespace coalcheck::findings {

// Each filter once, with the nearest of the names that any process saw. A process that ended
// without a word says nothing about filters.
std::vector<recording::Unmatched> UnmatchedInAll(const Report& report);

}  // namespace coalcheck::findings
