// SPDX-License-Identifier: Apache-2.0
//
// Values are looked at here, before CLI11 converts them, so that messages are ours.
#include "cli/report_options.h"

#include <fmt/format.h>
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <system_error>

#include "cli/option_help.h"

namespace coalcheck::cli {
namespace {

namespace fs = std::filesystem;

// Checks return what is wrong, empty when nothing is.

auto OneOf(std::vector<std::string> accepted) {
  return [accepted = std::move(accepted)](const std::string& text) {
    const bool known = std::ranges::find(accepted, text) != accepted.end();
    return known ? std::string()
                 : fmt::format("takes {}, not \"{}\"", fmt::join(accepted, " or "), text);
  };
}

std::string RefuseAllButPercent(const std::string& text) {
  char* end = nullptr;
  const double value = std::strtod(text.c_str(), &end);
  const bool is_number = !text.empty() && *end == '\0';
  // Nothing wastes more than NaN.
  if (is_number && value >= 0 && value <= 100) return {};
  return fmt::format("takes a number from 0 to 100, not \"{}\"", text);
}

std::string RefuseAllButCount(const std::string& text) {
  std::size_t value = 0;
  const char* end = text.data() + text.size();
  const auto parsed = std::from_chars(text.data(), end, value);
  if (parsed.ec == std::errc() && parsed.ptr == end) return {};
  return fmt::format("takes a whole number, 0 or more, not \"{}\"", text);
}

std::string RefuseAllButFolder(const std::string& text) {
  std::error_code error;
  return fs::is_directory(text, error) ? std::string() : fmt::format("\"{}\" is no folder", text);
}

std::string RefuseAllButMapping(const std::string& text) {
  const std::size_t equals = text.find('=');
  const bool good = equals != std::string::npos && equals > 0;
  return good ? std::string() : fmt::format("takes OLD=NEW, not \"{}\"", text);
}

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
  AddTableOption(command, "print-limit", options.print_limit)->check(RefuseAllButCount);
  AddTableOption(command, "color", options.color)->check(OneOf({"auto", "always", "never"}));
  AddTableFlag(command, "exit-zero", options.exit_zero);
}

std::string WhyNoOutput(const ReportOptions& options) {
  if (options.outputs.size() > std::max<std::size_t>(options.formats.size(), 1)) {
    return "--output: there are more files than formats";
  }
  for (const std::string& file : options.outputs) {
    const std::string why = WhyNotWritable(file);
    if (!why.empty()) return fmt::format("cannot write the report to {}: {}", file, why);
  }
  return {};
}

}  // namespace coalcheck::cli
