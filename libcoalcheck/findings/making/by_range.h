// SPDX-License-Identifier: Apache-2.0
//
// The findings of each NVTX range: a report of its own over the windows that belong to it.
#pragma once

#include <cstddef>
#include <vector>

#include "libcoalcheck/findings/report.h"
#include "libcoalcheck/findings/sources/attribution.h"
#include "libcoalcheck/findings/sources/code.h"
#include "libcoalcheck/policy/rules.h"
#include "libcoalcheck/recording/recorded_run.h"

namespace coalcheck::findings {

// Ranges that are reported on, the most wasteful ones; each costs as much as the whole report at
// most.
inline constexpr std::size_t kMostGroups = 20;
// Names of files and functions that all groups may hold together, in bytes: fewer groups where the
// names of a report are long, but one at least.
inline constexpr std::size_t kMostGroupedText = std::size_t{128} << 20U;

// Fills `report.by_range` from the runs that `report` was made from: a group for each of the first
// kMostGroups of `report.ranges`, or as many as kMostGroupedText allows, then one for what was
// launched outside every range. Judged as `report` is, by `rules` too; a group's scope does not
// fall back.
void GroupByRange(const std::vector<recording::RecordedRun>& runs, Code& code,
                  const SourceView& source, Report& report, const policy::Rules* rules = nullptr);

}  // namespace coalcheck::findings
