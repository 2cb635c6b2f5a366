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

void AddReportOptions(CLI::App& command, ReportOptions& options) {
  AddTableOption(command, "format", options.formats)->check(OneOf({"text", "json"}));
  AddTableOption(command, "output", options.outputs, "-o");
  AddTableOption(command, "source-root", options.source_root)->check(RefuseAllButFolder);
  AddTableOption(command, "path-map", options.path_maps)->check(RefuseAllButMapping);
  AddTableOption(command, "min-wasted-share", options.min_wasted_share_percent)
      ->check(RefuseAllButPercent);
  AddTableOption(command, "scope", options.scope)->check(OneOf({"user", "all"}));
  AddTableOption(command, "group-by", options.group_by)->check(OneOf({"none", "range"}));
  AddTableOption(command, "print-limit", options.print_limit)->check(RefuseAllButCount);
  AddTableOption(command, "color", options.color)->check(OneOf({"auto", "always", "never"}));
  AddTableFlag(command, "exit-zero", options.exit_zero);
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
