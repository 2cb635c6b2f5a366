// SPDX-License-Identifier: Apache-2.0
//
// Adds the options, each with its check.
#include "cli/report/report_options.h"

#include <unistd.h>

#include <iostream>
#include <utility>

#include "cli/base/exit_code.h"
#include "cli/base/last_resort.h"
#include "cli/base/say.h"
#include "cli/report/min_ranks.h"
#include "cli/report/outputs.h"
#include "cli/syntax/command_line.h"
#include "cli/syntax/option_checks.h"

namespace coalcheck::cli {

void AddOutputOptions(Command& command, ReportOptions& options) {
  command.AddFromTable("format", &options.formats).Checked(RefuseAllButFormat);
  command.AddFromTable("output", &options.outputs, "-o");
  command.AddFromTable("group-by", &options.group_by).Checked(OneOf({"none", "range", "rank"}));
  command.AddFromTable("print-limit", &options.print_limit).Checked(RefuseAllButCount);
  command.AddFromTable("color", &options.color).Checked(OneOf({"auto", "always", "never"}));
  command.AddFromTable("verbosity", &options.verbosity)
      .Checked(OneOf({"quiet", "normal", "verbose"}));
  command.AddFlagFromTable("exit-zero", options.exit_zero);
}

void AddJudgeOptions(Command& command, ReportOptions& options) {
  command.AddFromTable("source-root", &options.source_roots).Checked(RefuseAllButFolder);
  command.AddFromTable("path-map", &options.path_maps).Checked(RefuseAllButMapping);
  command.AddFlagFromTable("same-sources", options.same_sources);
  command.AddFromTable("min-wasted-share", &options.min_wasted_share_percent).OfPercent();
  command.AddFromTable("scope", &options.scope).Checked(OneOf({"user", "all"}));
  command.AddFromTable("max-wasted-share", &options.max_wasted_share).OfPercent();
  command.AddFromTable("max-sectors-per-request", &options.max_sectors_per_request)
      .Checked(RefuseAllButAmount);
  command.AddFromTable("min-requests", &options.min_requests).Checked(RefuseAllButAmount);
  command.AddFromTable("min-wasted-bytes", &options.min_wasted_bytes).Checked(RefuseAllButAmount);
  command.AddFromTable("min-cost", &options.min_cost).OfPercent();
  command.AddFromTable("min-launches", &options.min_launches).Checked(RefuseAllButCount);
  command.AddFromTable("min-ranks", &options.min_ranks).Checked(RefuseAllButRanks);
  command.AddFromTable("config", &options.config);
  command.AddFromTable("today", &options.today).Checked(RefuseAllButDay);
  command.AddFlagFromTable("allow-unavailable", options.allow_unavailable);
  command.AddFlagFromTable("require-end", options.require_end);
}

void AddSelectOptions(Command& command, ReportOptions& options) {
  command.AddFromTable("kernel", &options.kernels);
  command.AddFromTable("nvtx-include", &options.ranges);
}

void AddReportOptions(Command& command, ReportOptions& options) {
  AddOutputOptions(command, options);
  AddJudgeOptions(command, options);
  command.AddFromTable("baseline", &options.baseline);
}

void AddCpuLimit(Command& command, std::uint32_t& seconds) {
  seconds = static_cast<std::uint32_t>(options::DefaultNumberOf("cpu-limit"));
  command.AddFromTable("cpu-limit", &seconds).Checked(WholeNumber(0, 999'999, " of seconds"));
}

void AddCpuLimit(Command& command) {
  auto seconds = std::make_shared<std::uint32_t>(0);
  AddCpuLimit(command, *seconds);
  command.BeforeThat([seconds] { LimitCpuTime(*seconds, kInternalError); });
}

void ReportWhenParsed(Command& command, std::shared_ptr<ReportOptions> options,
                      std::string none_named, std::function<void(int)> set_exit_code) {
  command.OnParsed([options = std::move(options), none_named = std::move(none_named),
                    set_exit_code = std::move(set_exit_code)] {
    LookAtStream(STDOUT_FILENO, *options);
    const std::string problem = options->recordings.empty() ? none_named : WhyNoOutput(*options);
    if (!problem.empty()) Say(problem);
    set_exit_code(problem.empty() ? Report(*options, std::cout, std::cerr)
                                  : static_cast<int>(kUsage));
  });
}

}  // namespace coalcheck::cli
