// SPDX-License-Identifier: Apache-2.0
//
// What COALCHECK_OPTIONS asks of the agent, and what it passes on to the report.
#pragma once

#include <chrono>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "libcoalcheck/base/result.h"
#include "libcoalcheck/base/units.h"
#include "libcoalcheck/options/pc_sampling_options.h"
#include "libcoalcheck/selection/budget.h"
#include "libcoalcheck/selection/kernel_pattern.h"
#include "libcoalcheck/selection/launch_filter.h"
#include "libcoalcheck/selection/range_filter.h"
#include "libcoalcheck/selection/sampling.h"

namespace coalcheck::options {

// Which counters every window collects. CUPTI fixes them once per process.
enum class Metrics { kFull, kMinimal };

// What to do with a kernel whose code may wait for other work to progress.
enum class WaitingKernels { kWatch, kSkip, kWindow };

// How counting is switched: around single launches, or on from the first launch to the end.
enum class Collection { kWindows, kResident };

// When CUPTI is given back for others to use.
enum class Release { kNever, kAfterSampling };

// Which launches are of interest.
struct Filters {
  std::vector<selection::KernelPattern> kernel;  // empty: all
  std::vector<selection::KernelPattern> kernel_exclude;
  std::vector<selection::RangeFilter> nvtx_include;  // empty: everywhere
  std::vector<selection::RangeFilter> nvtx_exclude;
  selection::LaunchFilter launches;

  bool by_ranges() const { return !nvtx_include.empty() || !nvtx_exclude.empty(); }
};

// Where the table of options (option_table.cpp) has a default, that is what a field holds at first.
struct AgentOptions {
  AgentOptions();

  selection::Sampling sampling{selection::Sampling::Kind::kAuto};
  Metrics metrics = {};
  std::string recording;  // a template, empty: a temporary folder
  bool report = true;
  Filters filters;
  // Whether counting is on before the program switches it on.
  bool profile_from_start = {};
  selection::BudgetShare budget;  // of the elapsed time, for --sampling auto
  // Under --sampling auto: the longest window that is opened knowingly; 0: none at all.
  std::chrono::milliseconds window_limit{};
  WaitingKernels waiting_kernels = {};
  Collection collection = {};
  Release release = {};
  PcSamplingOptions pc_sampling;
  // Under --sampling auto: further shapes of a kernel are counted on two ranks of a job only.
  bool rank_share = {};
  bool record_arguments = {};
  bool record_sources = {};
  Bytes recording_limit;
  std::chrono::milliseconds watch_deadline{};
  std::chrono::milliseconds open_deadline{};
  std::chrono::milliseconds close_deadline{};
  std::chrono::milliseconds graph_deadline{};
  // Options of the report, each as "--name=value" or "--name", checked for their names only.
  std::vector<std::string> report_arguments;
};

// Reads the value of COALCHECK_OPTIONS. Error: an unknown option (with the nearest known one), a
// missing or impossible value (with what is accepted), words that are no options.
Result<AgentOptions> ParseAgentOptions(std::string_view line);

}  // namespace coalcheck::options
