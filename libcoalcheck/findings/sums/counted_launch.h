// SPDX-License-Identifier: Apache-2.0
//
// A launch with what was counted of it, to hold its evaluation against.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <string>

#include "libcoalcheck/base/ids.h"
#include "libcoalcheck/base/units.h"
#include "libcoalcheck/findings/sums/raw_counts.h"
#include "libcoalcheck/recording/records.h"

namespace coalcheck::findings {

// One window's launches of a kernel, alike in shape and arguments.
struct CountedLaunch {
  std::string kernel;  // mangled: the function itself, or who calls it
  recording::Dim3 grid;
  recording::Dim3 block;
  Launches launches;
  recording::LaunchArguments arguments;
  std::map<PcOffset, RawCounts> counts;  // of the function
  std::uint32_t multiprocessors = 0;     // of the GPUs of the run; 0: not known, or they differ
  std::string known{};  // of a predicted one, as address::LaunchValues::known; else empty

  bool IsPredicted() const { return !known.empty(); }
};

// So many are kept of each function: of the first windows those that differ in shape or arguments.
inline constexpr std::size_t kMostCountedLaunches = 3;

}  // namespace coalcheck::findings
