// SPDX-License-Identifier: Apache-2.0
//
// `coalcheck diff`: two runs in, what changed from line to line out.
#pragma once

#include <ostream>
#include <string>
#include <vector>

#include "cli/report/report.h"
#include "libcoalcheck/comparison/difference.h"

namespace coalcheck::cli {

struct DiffOptions {
  std::string base;  // a recording, a folder of recordings, or a JSON report
  std::string after;
  ReportOptions report;  // how both are looked at
  std::string base_source_root;
  std::vector<std::string> base_path_maps;
  double tolerance_percent = 100 * comparison::kDefaultTolerance;
  std::string format = "text";  // "json", "markdown"
};

// Exit code: 0 when nothing appeared or worsened, 1 when something did, 2 and 3 as for a report.
int Diff(const DiffOptions& options, std::ostream& out, std::ostream& err);

}  // namespace coalcheck::cli
