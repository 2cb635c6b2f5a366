// SPDX-License-Identifier: Apache-2.0
//
// Reads and replaces.
#include "cli/report/baseline_file.h"

#include <fmt/format.h>
#include <unistd.h>

#include <cerrno>
#include <cstdint>
#include <cstring>
#include <filesystem>
#include <system_error>
#include <utility>

#include "cli/base/foreign_file.h"
#include "libcoalcheck/findings/words/words.h"

namespace coalcheck::cli {
namespace {

namespace fs = std::filesystem;

constexpr std::uint64_t kMaxBaselineBytes = 64 << 20;
constexpr int kMostLinks = 40;  // as many as Linux follows

// The file that `file` leads to, there or not: renaming onto a link would replace the link.
fs::path BehindLinks(fs::path file) {
  std::error_code error;
  for (int links = 0; links < kMostLinks && fs::is_symlink(file, error); ++links) {
    const fs::path target = fs::read_symlink(file, error);
    if (error) break;
    file = file.parent_path() / target;  // an absolute target replaces the folder
  }
  return file;
}

// A baseline may replace an empty file or a baseline, and no other file.
absl::Status MayBeReplaced(const fs::path& file) {
  const absl::StatusOr<std::string> bytes = ReadFile(file, kMaxBaselineBytes);
  if (absl::IsNotFound(bytes.status())) return absl::OkStatus();
  if (!bytes.ok()) {
    return absl::InvalidArgumentError(
        fmt::format("no baseline is written: {}", std::string(bytes.status().message())));
  }
  if (bytes->empty() || comparison::BeginsAsBaseline(*bytes)) return absl::OkStatus();
  return absl::InvalidArgumentError(
      fmt::format("no baseline is written: {} is there and is no baseline, so it is left as it is; "
                  "name another file, or remove this one first",
                  words::Printable(file.string())));
}

}  // namespace

absl::StatusOr<comparison::Baseline> ReadBaselineFile(const std::string& file) {
  const absl::StatusOr<std::string> bytes = ReadFile(file, kMaxBaselineBytes);
  if (absl::IsNotFound(bytes.status())) {
    return absl::NotFoundError(
        fmt::format("there is no baseline {}; coalcheck baseline write makes it from a recording "
                    "or compiled code",
                    words::Printable(file)));
  }
  if (!bytes.ok()) return bytes.status();
  Result<comparison::Baseline> baseline = comparison::ReadBaseline(*bytes, words::Printable(file));
  if (!baseline.ok()) return absl::InvalidArgumentError(baseline.error());
  return std::move(baseline).value();
}

absl::Status WriteBaselineFile(const std::string& file, const comparison::Baseline& baseline) {
  const fs::path target = BehindLinks(file);
  if (absl::Status may = MayBeReplaced(target); !may.ok()) return may;
  const std::string fresh = fmt::format("{}.{}.new", target.string(), getpid());
  std::error_code error;
  if (const int problem = WriteNewFile(fresh, comparison::WriteBaseline(baseline)); problem != 0) {
    if (problem != EEXIST) fs::remove(fresh, error);
    return absl::InternalError(fmt::format("cannot write the baseline to {}: {}",
                                           words::Printable(file), std::strerror(problem)));
  }
  fs::rename(fresh, target, error);
  if (!error) return absl::OkStatus();
  std::error_code ignored;
  fs::remove(fresh, ignored);
  return absl::InternalError(
      fmt::format("cannot write {}: {}", words::Printable(file), error.message()));
}

absl::Status ApplyBaselineFile(const std::string& file, findings::Report& report) {
  const absl::StatusOr<comparison::Baseline> baseline = ReadBaselineFile(file);
  if (!baseline.ok()) return baseline.status();
  comparison::ApplyBaseline(*baseline, file, findings::kDefaultTolerance, report);
  return absl::OkStatus();
}

}  // namespace coalcheck::cli
