// SPDX-License-Identifier: Apache-2.0
//
// Findings that have one cause: accesses of one kernel with one step between lanes, to one array or
// with one index, or to all arrays that one change mends.
#pragma once

#include <string>
#include <vector>

#include "libcoalcheck/findings/report.h"

namespace coalcheck::findings {

// Fields of one structure, unrolled copies, elements of one row; often a single finding.
struct Cause {
  std::vector<const Place*> members;  // most wasted sectors first
  Place whole;  // all of them as one: their accesses and counts, and the first one's identity
};

// Of all findings, in their order. They point into the report.
std::vector<Cause> CausesOf(const Report& report);

}  // namespace coalcheck::findings
