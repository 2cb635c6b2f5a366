// SPDX-License-Identifier: Apache-2.0
//
// Reads the files of a recording. Links are not followed, so that a report quotes no other file.
#include "cli/base/recordings.h"

#include <absl/status/status.h>
#include <fmt/format.h>
#include <sys/stat.h>

#include <algorithm>
#include <filesystem>
#include <sstream>
#include <system_error>

#include "cli/base/foreign_file.h"
#include "libcoalcheck/base/shell_word.h"
#include "libcoalcheck/comparison/baseline.h"
#include "libcoalcheck/findings/words/words.h"
#include "libcoalcheck/recording/reader.h"

namespace coalcheck::cli {
namespace {

namespace fs = std::filesystem;

constexpr const char* kExtension = ".rec";  // that users are told to give recordings
constexpr std::uint64_t kMaxRecordsBytes = std::uint64_t{5} << 30;  // --recording-limit and some
constexpr std::uint64_t kMaxNoteBytes = 16 << 10;
constexpr std::uint64_t kMaxCubinBytes = std::uint64_t{1} << 30;

// Links to nothing are there, and so is what cannot be looked at.
bool IsThere(const fs::path& file) {
  std::error_code error;
  return fs::symlink_status(file, error).type() != fs::file_type::not_found;
}

bool HoldsRecords(const fs::path& folder) { return IsThere(folder / recording::kRecordsFile); }

// Whether what lies in a folder of recordings is one, or was: what is left of a copy that was cut,
// or a link to nothing.
bool IsOrWasOne(const fs::path& path) {
  std::error_code error;
  if (!fs::exists(path, error)) return IsThere(path);
  return HoldsPartsOfRecording(path.string()) ||
         (fs::is_directory(path, error) && path.extension() == kExtension);
}

using Take = std::function<absl::Status(const std::string&)>;

// Whether there was any; `*status` is the first error of `take`, or why not all were seen.
bool TakeRecordingsIn(const fs::path& folder, const Take& take, absl::Status* status) {
  bool any = false;
  std::error_code error;
  for (fs::directory_iterator entry(folder, error), end; !error && status->ok() && entry != end;
       entry.increment(error)) {
    if (!IsOrWasOne(entry->path())) continue;
    any = true;
    *status = take(entry->path().string());
  }
  if (!error) return any;
  *status = absl::InvalidArgumentError(
      fmt::format("{}: the folder cannot be listed: {}", folder.string(), error.message()));
  return true;
}

// A recording, and those in its folder: nobody is to hide others with a file beside them.
absl::Status TakeRecordingAndThoseInIt(const fs::path& folder, const Take& take) {
  absl::Status status = take(folder.string());
  std::error_code error;  // that it cannot be listed is no fault of the recording
  for (fs::directory_iterator entry(folder, error), end; !error && status.ok() && entry != end;
       entry.increment(error)) {
    if (IsOrWasOne(entry->path())) status = take(entry->path().string());
  }
  return status;
}

// A program that was watched may have made it lead to what somebody else recorded.
bool IsLinkInRecording(const fs::path& path) {
  std::error_code error;
  return fs::is_symlink(fs::symlink_status(path, error)) && HoldsRecords(path.parent_path());
}

// Users take other files of coalcheck for a recording.
std::string WhatItIs(const std::string& path) {
  const std::string begin = ReadStart(path, 4096);
  if (comparison::BeginsAsBaseline(begin)) {
    return fmt::format("it is a baseline; --baseline {} takes it, beside a recording",
                       ShellWord(path));
  }
  if (begin.find("\"coalcheck-report\"") != std::string::npos) {
    return "it is a report, which coalcheck diff compares; the recording is a folder";
  }
  return fmt::format("no folder with a {}", recording::kRecordsFile);
}

}  // namespace

bool HoldsPartsOfRecording(const std::string& folder) {
  constexpr std::string_view kParts[] = {recording::kRecordsFile, recording::kCubinFolder,
                                         recording::kProgressFile};
  return std::ranges::any_of(
      kParts, [&](std::string_view part) { return IsThere(fs::path(folder) / part); });
}

absl::StatusOr<std::vector<std::string>> FindRecordings(const std::string& path) {
  std::vector<std::string> found;
  const absl::Status status = ForEachRecording(path, [&](const std::string& folder) {
    found.push_back(folder);
    return absl::OkStatus();
  });
  if (!status.ok()) return status;
  std::ranges::sort(found);
  return found;
}

absl::Status ForEachRecording(const std::string& path, const Take& take) {
  fs::path folder = path;
  std::error_code error;
  if (!fs::exists(folder, error)) {
    return absl::NotFoundError(fmt::format("{}: there is no such recording", path));
  }
  if (!fs::is_directory(folder, error) && folder.filename() == recording::kRecordsFile) {
    folder = folder.has_parent_path() ? folder.parent_path() : fs::path(".");
  }
  if (HoldsRecords(folder)) return TakeRecordingAndThoseInIt(folder, take);
  absl::Status status;
  if (fs::is_directory(folder, error) && TakeRecordingsIn(folder, take, &status)) return status;
  if (HoldsPartsOfRecording(folder.string())) return take(folder.string());
  if (fs::exists(folder / kNothingRecordedFile, error)) return absl::OkStatus();
  return absl::InvalidArgumentError(
      fmt::format("{}: this is not a coalcheck recording: {}", path, WhatItIs(path)));
}

absl::StatusOr<recording::RecordedRun> ReadRecording(const std::string& folder) {
  if (IsLinkInRecording(folder)) {
    return absl::InvalidArgumentError(
        fmt::format("{}/{} is not read: it lies behind a link in a recording", folder,
                    recording::kRecordsFile));
  }
  const auto bytes =
      MapFile(fs::path(folder) / recording::kRecordsFile, kMaxRecordsBytes, Links::kRefuse);
  if (!bytes.ok()) return bytes.status();
  absl::StatusOr<recording::RecordedRun> run = recording::ParseRecords((*bytes)->bytes());
  if (run.ok()) {
    const absl::StatusOr<std::string> progress = ReadFile(
        fs::path(folder) / recording::kProgressFile, recording::kProgressBytes, Links::kRefuse);
    if (progress.ok()) run->progress = recording::ReadProgress(*progress);
    run->is_progress_damaged = !run->progress && !absl::IsNotFound(progress.status());
    return run;
  }
  return absl::Status(run.status().code(),
                      fmt::format("{}: {}", folder, std::string(run.status().message())));
}

std::vector<std::string> ReadNothingRecorded(const std::string& folder) {
  std::vector<std::string> lines;
  const absl::StatusOr<std::string> text =
      ReadFile(fs::path(folder) / kNothingRecordedFile, kMaxNoteBytes, Links::kRefuse);
  if (!text.ok()) return lines;
  std::istringstream stream(*text);
  for (std::string line; std::getline(stream, line);) lines.push_back(std::move(line));
  return lines;
}

std::string IdentityOf(const std::string& folder) {
  struct stat status {};
  const std::string file = (fs::path(folder) / recording::kRecordsFile).string();
  if (lstat(file.c_str(), &status) != 0) return folder;
  return fmt::format("{}:{}", status.st_dev, status.st_ino);
}

absl::StatusOr<std::string> FolderCubins::Load(CubinId id) {
  const fs::path cubins = fs::path(folder_) / recording::kCubinFolder;
  std::error_code error;
  if (fs::is_symlink(cubins, error)) {
    return absl::InvalidArgumentError(
        fmt::format("{} is a link", words::Printable(cubins.string())));
  }
  return ReadFile(cubins / (ToHex(id) + ".cubin"), kMaxCubinBytes, Links::kRefuse);
}

}  // namespace coalcheck::cli
