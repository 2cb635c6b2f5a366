// SPDX-License-Identifier: Apache-2.0
//
// Adds the options, each with its check.
#include "cli/report_options.h"

#include <fmt/format.h>
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cstring>
#include <filesystem>
#include <system_error>

#include "cli/option_checks.h"
#include "cli/option_help.h"

namespace coalcheck::cli {
namespace {

namespace fs = std::filesystem;

std::string WhyNotWritable(const std::string& file) {
  std::error_code error;
  const fs::file_status status = fs::status(file, error);
  if (fs::is_directory(status)) return "it is a folder";
  const std::string parent = fs::path(file).parent_path().string();
  const std::string& asked = fs::exists(status) ? file : parent;
  if (access(asked.empty() ? "." : asked.c_str(), W_OK) == 0) return {};
  return std::strerror(errno);
}

}  // namespace

void AddOutputOptions(CLI::App& command, ReportOptions& options) {
  AddTableOption(command, "format", options.formats)->check(OneOf({"text", "json"}));
  AddTableOption(command, "output", options.outputs, "-o");
  AddTableOption(command, "group-by", options.group_by)->check(OneOf({"none", "range"}));
  AddTableOption(command, "print-limit", options.print_limit)->check(RefuseAllButCount);
  AddTableOption(command, "color", options.color)->check(OneOf({"auto", "always", "never"}));
  AddTableFlag(command, "exit-zero", options.exit_zero);
}

void AddJudgeOptions(CLI::App& command, ReportOptions& options) {
  AddTableOption(command, "source-root", options.source_root)->check(RefuseAllButFolder);
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
}

void AddReportOptions(CLI::App& command, ReportOptions& options) {
  AddOutputOptions(command, options);
  AddJudgeOptions(command, options);
  AddTableOption(command, "baseline", options.baseline);
}

std::string WhyNoOutput(const ReportOptions& options) {
  if (options.outputs.size() > std::max<std::size_t>(options.formats.size(), 1)) {
    return "--output: there are more files than formats";
  }
  for (const std::string& file : options.outputs) {
    if (file == kStandardOutput) continue;
    const std::string why = WhyNotWritable(file);
    if (!why.empty()) return fmt::format("cannot write the report to {}: {}", file, why);
  }
  return {};
}

}  // namespace coalcheck::cli
