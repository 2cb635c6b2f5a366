// SPDX-License-Identifier: Apache-2.0
//
// What COALCHECK_OPTIONS asks of the agent, and what it passes on to the report.
#pragma once

#include <chrono>
#include <string>
#include <string_view>
#include <vector>

#include "libcoalcheck/base/result.h"
#include "libcoalcheck/selection/sampling.h"

namespace coalcheck::options {

// Which counters every window collects. CUPTI fixes them once per process.
enum class Metrics { kFull, kMinimal };

struct AgentOptions {
  selection::Sampling sampling;
  Metrics metrics = Metrics::kFull;
  std::string recording;  // a template, empty: a temporary folder
  bool report = true;
  std::chrono::milliseconds open_deadline{100};
  std::chrono::milliseconds close_deadline{1000};
  std::chrono::milliseconds graph_deadline{5000};
  // Options of the report, each as "--name=value" or "--name", checked for their names only.
  std::vector<std::string> report_arguments;
};

// Reads the value of COALCHECK_OPTIONS. Error: an unknown option (with the nearest known one), a
// missing or impossible value (with what is accepted), words that are no options.
Result<AgentOptions> ParseAgentOptions(std::string_view line);

}  // namespace coalcheck::options
