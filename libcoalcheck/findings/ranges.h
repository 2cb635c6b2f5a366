// SPDX-License-Identifier: Apache-2.0
//
// What was launched, and wasted, inside each NVTX range.
#pragma once

#include <map>
#include <vector>

#include "libcoalcheck/findings/report.h"

namespace coalcheck::findings {

// Adds the launches and windows of `run` to the ranges they were made in. `sectors_column` and
// `ideal_column` say where a row has these counters; without both only launches are added.
struct SectorColumns {
  std::optional<std::size_t> sectors;
  std::optional<std::size_t> ideal;
};
void AddRanges(const recording::RecordedRun& run, const SectorColumns& columns,
               std::map<OpenRange, RangeCoverage>& ranges);

// Most wasted sectors first, then by name.
std::vector<RangeCoverage> Sorted(const std::map<OpenRange, RangeCoverage>& ranges);

}  // namespace coalcheck::findings
