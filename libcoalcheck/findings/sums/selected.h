// SPDX-License-Identifier: Apache-2.0
//
// The part of a recording that a report is wanted on: some kernels, some NVTX ranges.
#pragma once

#include <string>
#include <vector>

#include "libcoalcheck/base/result.h"
#include "libcoalcheck/recording/recorded_run.h"
#include "libcoalcheck/selection/kernel_pattern.h"
#include "libcoalcheck/selection/range_filter.h"

namespace coalcheck::findings {

// A launch is selected when it is of one of the kernels and in one of the ranges; none means any.
struct Selected {
  std::vector<selection::KernelPattern> kernels;
  std::vector<selection::RangeFilter> ranges;

  bool everything() const { return kernels.empty() && ranges.empty(); }
};

// Error: which of the words cannot be read, and why.
Result<Selected> ParseSelected(const std::vector<std::string>& kernels,
                               const std::vector<std::string>& ranges);

// Leaves in `run` the windows that hold selected launches alone, and the tallies of selected
// launches. Windows of both kinds of launches are in no part: they become a loss of the run.
void KeepSelected(const Selected& selected, recording::RecordedRun& run);

}  // namespace coalcheck::findings
