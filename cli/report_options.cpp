// SPDX-License-Identifier: Apache-2.0
//
// Adds the options, each with its check.
#include "cli/report_options.h"

#include <CLI/CLI.hpp>

#include "cli/option_checks.h"
#include "cli/option_help.h"
#include "cli/outputs.h"

namespace coalcheck::cli {
void AddOutputOptions(CLI::App& command, ReportOptions& options) {
  AddTableOption(command, "format", options.formats)->check(RefuseAllButFormat);
  AddTableOption(command, "output", options.outputs, "-o");
  AddTableOption(command, "group-by", options.group_by)->check(OneOf({"none", "range"}));
  AddTableOption(command, "print-limit", options.print_limit)->check(RefuseAllButCount);
  AddTableOption(command, "color", options.color)->check(OneOf({"auto", "always", "never"}));
  AddTableOption(command, "verbosity", options.verbosity)
      ->check(OneOf({"quiet", "normal", "verbose"}));
  AddTableFlag(command, "exit-zero", options.exit_zero);
}

void AddJudgeOptions(CLI::App& command, ReportOptions& options) {
  AddTableOption(command, "source-root", options.source_roots)->check(RefuseAllButFolder);
  AddTableOption(command, "path-map", options.path_maps)->check(RefuseAllButMapping);
  AddTableOption(command, "min-wasted-share", options.min_wasted_share_percent)
      ->check(RefuseAllButPercent);
  AddTableOption(command, "scope", options.scope)->check(OneOf({"user", "all"}));
  AddTableOption(command, "max-wasted-share", options.max_wasted_share)->check(RefuseAllButPercent);
  AddTableOption(command, "max-sectors-per-request", options.max_sectors_per_request)
      ->check(RefuseAllButAmount);
  AddTableOption(command, "min-requests", options.min_requests)->check(RefuseAllButAmount);
  AddTableOption(command, "min-wasted-bytes", options.min_wasted_bytes)->check(RefuseAllButAmount);
  AddTableOption(command, "min-cost", options.min_cost)->check(RefuseAllButPercent);
  AddTableOption(command, "min-launches", options.min_launches)->check(RefuseAllButCount);
  AddTableOption(command, "config", options.config);
  AddTableOption(command, "today", options.today)->check(RefuseAllButDay);
  AddTableFlag(command, "allow-unavailable", options.allow_unavailable);
  AddTableFlag(command, "require-end", options.require_end);
}

void AddReportOptions(CLI::App& command, ReportOptions& options) {
  AddOutputOptions(command, options);
  AddJudgeOptions(command, options);
  AddTableOption(command, "baseline", options.baseline);
}

}  // namespace coalcheck::cli
