// SPDX-License-Identifier: Apache-2.0
//
// The rules of a report: command line over project file over what is built in.
#pragma once

#include <absl/status/statusor.h>

#include <string>

#include "cli/report.h"
#include "libcoalcheck/policy/rules.h"

namespace coalcheck::cli {

struct ProjectRules {
  policy::Rules rules;
  std::string file;             // that they were read from; empty: none
  double min_wasted_share = 0;  // 0 to 1, of the whole project
  std::string baseline;         // a path from here; empty: none
};

// The nearest coalcheck.toml at or above `folder`; empty when there is none.
std::string FindProjectFile(const std::string& folder);

// Error: what is wrong with the project file or a value.
absl::StatusOr<ProjectRules> LoadRules(const ReportOptions& options,
                                       const std::string& source_root);

// Why the rules of a report cannot be used, before anything is run; empty when they can.
std::string WhyNoRules(const ReportOptions& options);

}  // namespace coalcheck::cli
