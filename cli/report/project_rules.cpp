// SPDX-License-Identifier: Apache-2.0
//
// Reads the file, then lays the command line over it.
#include "cli/report/project_rules.h"

#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <chrono>
#include <cstdint>
#include <cstdlib>
#include <filesystem>
#include <system_error>
#include <utility>

#include "cli/base/foreign_file.h"
#include "cli/base/repository.h"
#include "cli/report/baseline_file.h"
#include "cli/report/source_root.h"
#include "libcoalcheck/base/shell_word.h"
#include "libcoalcheck/findings/making/make_report.h"
#include "libcoalcheck/findings/words/words.h"
#include "libcoalcheck/policy/project_file.h"

namespace coalcheck::cli {
namespace {

namespace fs = std::filesystem;
using policy::Key;

constexpr std::uint64_t kMaxProjectFileBytes = 1 << 20;

policy::Date Today() {
  const std::chrono::year_month_day day{
      std::chrono::floor<std::chrono::days>(std::chrono::system_clock::now())};
  return {static_cast<int>(day.year()), static_cast<unsigned>(day.month()),
          static_cast<unsigned>(day.day())};
}

// Where no repository bounds the project, its home folder or file system does.
bool IsEdge(const fs::path& folder) {
  const char* home = std::getenv("HOME");
  std::error_code ignored;
  struct stat here {};
  struct stat above {};
  if (home != nullptr && fs::equivalent(folder, home, ignored)) return true;
  if (stat(folder.c_str(), &here) != 0 || stat(folder.parent_path().c_str(), &above) != 0) {
    return true;
  }
  return here.st_dev != above.st_dev || folder == folder.root_path();
}

policy::Thresholds OfCommandLine(const ReportOptions& options) {
  policy::Thresholds thresholds;
  const auto set = [&](Key key, const std::optional<double>& value) {
    if (!value) return;
    thresholds[static_cast<std::size_t>(key)] = policy::Limit{*value, "command line"};
  };
  set(Key::kMinWastedShare, options.min_wasted_share_percent);
  set(Key::kMaxWastedShare, options.max_wasted_share);
  set(Key::kMaxSectorsPerRequest, options.max_sectors_per_request);
  set(Key::kMinRequests, options.min_requests);
  set(Key::kMinWastedBytes, options.min_wasted_bytes);
  set(Key::kMinCost, options.min_cost);
  return thresholds;
}

// A project file that was found, not named, must belong to the user, to root or to the owner of the
// repository: in a shared folder anybody could put a file that calls every access clean.
std::string WhyNotTrusted(const std::string& file, const OpenFile& opened) {
  struct stat folder {};
  const std::string top = GitTop(fs::path(file).parent_path().string());
  const bool is_repository = !top.empty() && stat(top.c_str(), &folder) == 0;
  const bool trusted = opened.owner() == geteuid() || opened.owner() == 0 ||
                       (is_repository && opened.owner() == folder.st_uid);
  if (trusted) return {};
  return fmt::format(
      "{} belongs to another user (id {}), and is not used unless it is named: --config {}, or "
      "--config none",
      words::Printable(file), opened.owner(), ShellWord(words::Printable(file)));
}

absl::StatusOr<std::string> ReadRules(const std::string& file, bool named) {
  const OpenFile opened(file, named ? Links::kFollow : Links::kRefuse);
  if (!named && opened.error() == 0) {
    if (std::string why = WhyNotTrusted(file, opened); !why.empty()) {
      return absl::PermissionDeniedError(why);
    }
  }
  return ReadFile(file, opened, kMaxProjectFileBytes);
}

absl::StatusOr<ProjectRules> FromFile(const std::string& file, bool named) {
  ProjectRules project;
  if (file.empty()) return project;
  const absl::StatusOr<std::string> bytes = ReadRules(file, named);
  if (!bytes.ok()) return bytes.status();
  Result<policy::ProjectFile> read = policy::ReadProjectFile(*bytes, file);
  if (!read.ok()) return absl::InvalidArgumentError(read.error());
  project.rules = read.value().rules;
  project.rules.file = file;
  if (!read.value().baseline.empty()) {
    project.baseline = (fs::path(file).parent_path() / read.value().baseline).string();
  }
  return project;
}

}  // namespace

std::string FindProjectFile(const std::string& start) {
  const std::string top = GitTop(start);
  for (fs::path folder = start; !folder.empty(); folder = folder.parent_path()) {
    std::error_code ignored;
    const fs::path file = folder / policy::kProjectFileName;
    // Also a folder or a link to nothing: whoever reads it says what is wrong with it.
    const fs::file_type there = fs::symlink_status(file, ignored).type();
    if (there != fs::file_type::not_found && there != fs::file_type::none) return file.string();
    if (top.empty() ? IsEdge(folder) : folder == top) break;
  }
  return {};
}

absl::StatusOr<ProjectRules> LoadRules(const ReportOptions& options,
                                       const std::string& source_root) {
  const std::string file = options.config.empty()             ? FindProjectFile(source_root)
                           : options.config == kNoProjectFile ? std::string()
                                                              : options.config;
  absl::StatusOr<ProjectRules> project = FromFile(file, !options.config.empty());
  if (!project.ok()) return project;
  policy::Rules& rules = project->rules;
  rules.command_line = OfCommandLine(options);
  if (options.min_launches) rules.min_launches = *options.min_launches;
  if (!options.baseline.empty()) project->baseline = options.baseline;
  rules.today =
      options.today.empty() ? Today() : policy::DateFromText(options.today).value_or(Today());
  const auto share = static_cast<std::size_t>(Key::kMinWastedShare);
  project->min_wasted_share = options::DefaultNumberOf("min-wasted-share") / 100;
  if (rules.defaults[share]) project->min_wasted_share = rules.defaults[share]->value / 100;
  if (rules.command_line[share]) project->min_wasted_share = rules.command_line[share]->value / 100;
  return project;
}

std::string WhyNoRules(const ReportOptions& options) {
  const absl::StatusOr<ProjectRules> project = LoadRules(
      options, ResolveSourceRoot(options.source_roots.empty() ? "" : options.source_roots.back()));
  if (!project.ok()) return std::string(project.status().message());
  if (project->baseline.empty()) return {};
  return std::string(ReadBaselineFile(project->baseline).status().message());
}

}  // namespace coalcheck::cli
