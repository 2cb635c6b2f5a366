// SPDX-License-Identifier: Apache-2.0
//
// Estimates of launches that were not counted, from those that were; kept apart from every count.
#pragma once

#include <optional>

#include "libcoalcheck/findings/report.h"

namespace coalcheck::findings {

// For all launches of the kernel of a place, if threads of which nothing is known are like those
// that were checked or predicted, on average.
struct Estimate {
  Sectors wasted;
  Launches launches;  // that it is for
  Launches checked;   // that it rests on
  Launches predicted;
};

// Empty if every launch was checked or predicted.
std::optional<Estimate> EstimateOf(const Access& access);
// The sum over the instantiations that `place` counts.
std::optional<Estimate> EstimateOf(const Report& report, const Place& place);

}  // namespace coalcheck::findings
