// SPDX-License-Identifier: Apache-2.0
//
// What was not counted, guessed from what was: kept apart from every count.
#pragma once

#include <optional>

#include "libcoalcheck/findings/report.h"

namespace coalcheck::findings {

// For all launches of the kernel of a place, if each thread of those not checked did as those that
// were checked did on average.
struct Estimate {
  Sectors wasted;
  Launches launches;  // that it is for
  Launches checked;   // that it rests on
};

// Empty where every launch was checked: what is counted in full is not estimated.
std::optional<Estimate> EstimateOf(const Access& access);
// The sum over the instantiations that `place` counts.
std::optional<Estimate> EstimateOf(const Report& report, const Place& place);

}  // namespace coalcheck::findings
