// SPDX-License-Identifier: Apache-2.0
//
// What was launched, and wasted, inside each NVTX range.
#pragma once

#include <cstddef>
#include <map>
#include <optional>
#include <vector>

#include "libcoalcheck/findings/report.h"

namespace coalcheck::findings {

// Where a row has these counters.
struct SectorColumns {
  std::optional<std::size_t> sectors;
  std::optional<std::size_t> ideal;
};

// Adds the launches and windows of `run` to the ranges they were made in; without both counters
// only launches.
void AddRanges(const recording::RecordedRun& run, const SectorColumns& columns,
               std::map<OpenRange, RangeCoverage>& ranges);

// Most wasted sectors first, then by name.
std::vector<RangeCoverage> Sorted(const std::map<OpenRange, RangeCoverage>& ranges);

}  // namespace coalcheck::findings
