// SPDX-License-Identifier: Apache-2.0
//
// The rules of a report: the command line, then the project file, then the defaults.
#pragma once

#include <absl/status/statusor.h>

#include <string>

#include "cli/report/report.h"
#include "libcoalcheck/policy/rules.h"

namespace coalcheck::cli {

struct ProjectRules {
  policy::Rules rules;
  double min_wasted_share = 0;  // 0 to 1, of the whole project
  std::string baseline;         // a path from here; empty: none
};

// The nearest coalcheck.toml at or above `folder`, but not above its git top level, or where there
// is none, above the home or out of the file system; empty when there is none.
std::string FindProjectFile(const std::string& folder);

// Error: what is wrong with the project file or a value, or whose the file is: one that was found,
// and not named with --config, must be the user's, root's, or the repository owner's.
absl::StatusOr<ProjectRules> LoadRules(const ReportOptions& options,
                                       const std::string& source_root);

// Why the rules of a report cannot be used, before anything is run; empty when they can.
std::string WhyNoRules(const ReportOptions& options);

}  // namespace coalcheck::cli
