// SPDX-License-Identifier: Apache-2.0
//
// What a place costs: the sum over the instantiations whose counts it sums.
#pragma once

#include <optional>

#include "libcoalcheck/findings/report.h"

namespace coalcheck::findings {

struct PlaceCost {
  cost::StallTimes stalls;   // charged to its accesses
  cost::StallTime kernel;    // all samples of their kernels, each kernel counted once
  std::optional<Gain> gain;  // of the time of those kernels; empty where one's is not known
  // Of the program's time, the part that waits for wasted sectors: what findings are ordered by.
  // Sectors that others use count a tenth.
  Cycles wasted;
};

// All zero where nothing was sampled.
PlaceCost CostOf(const Report& report, const Place& place);

// The share of the program's samples, 0 to 1, that wait for the place's wasted sectors; empty where
// that is not known.
std::optional<double> WaitingShare(const Report& report, const Place& place);

// Findings first, then what wastes most time; sectors where time says nothing.
void OrderByCost(Report& report);

}  // namespace coalcheck::findings
