// SPDX-License-Identifier: Apache-2.0
//
// Files of a recording, regular ones only and of a size that can be read.
#include "cli/recordings.h"

#include <absl/status/status.h>
#include <fmt/format.h>
#include <sys/stat.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <system_error>

#include "libcoalcheck/comparison/baseline.h"
#include "libcoalcheck/recording/reader.h"

namespace coalcheck::cli {
namespace {

namespace fs = std::filesystem;

constexpr std::uintmax_t kMaxRecordsBytes = std::uintmax_t{8} << 30;
constexpr std::uintmax_t kMaxNoteBytes = 16 << 10;
constexpr std::uintmax_t kMaxCubinBytes = std::uintmax_t{2} << 30;

bool HoldsRecords(const fs::path& folder) {
  std::error_code error;
  return fs::exists(folder / recording::kRecordsFile, error);
}

std::vector<std::string> RecordingsIn(const fs::path& folder) {
  std::vector<std::string> found;
  std::error_code error;
  for (fs::directory_iterator entry(folder, error), end; !error && entry != end;
       entry.increment(error)) {
    if (HoldsRecords(entry->path())) found.push_back(entry->path().string());
  }
  std::ranges::sort(found);
  return found;
}

// Other files of ours are easily taken for a recording.
std::string WhatItIs(const std::string& path) {
  constexpr std::size_t kEnough = 4096;
  std::string begin(kEnough, '\0');
  std::error_code error;
  if (fs::is_regular_file(path, error)) {
    std::ifstream stream(path, std::ios::binary);
    stream.read(begin.data(), kEnough);
  }
  if (comparison::BeginsAsBaseline(begin)) {
    return fmt::format("it is a baseline; --baseline {} takes it, beside a recording", path);
  }
  if (begin.find("\"coalcheck-report\"") != std::string::npos) {
    return "it is a report, which coalcheck diff compares; the recording is a folder";
  }
  return fmt::format("no folder with a {}", recording::kRecordsFile);
}

}  // namespace

absl::StatusOr<std::string> ReadFile(const fs::path& file, std::uintmax_t most) {
  std::error_code error;
  const fs::file_status status = fs::status(file, error);
  if (status.type() == fs::file_type::not_found) {
    return absl::NotFoundError(fmt::format("{} does not exist", file.string()));
  }
  if (!fs::is_regular_file(status)) {
    return absl::InvalidArgumentError(fmt::format("{} is no regular file", file.string()));
  }
  const std::uintmax_t size = fs::file_size(file, error);
  if (error || size > most) {
    return absl::InvalidArgumentError(
        fmt::format("{} is larger than {} bytes", file.string(), most));
  }
  std::ifstream stream(file, std::ios::binary);
  std::string bytes(static_cast<std::size_t>(size), '\0');
  stream.read(bytes.data(), static_cast<std::streamsize>(size));
  if (stream.bad() || !stream.is_open()) {
    return absl::PermissionDeniedError(fmt::format("{} cannot be read", file.string()));
  }
  bytes.resize(static_cast<std::size_t>(stream.gcount()));  // it may have shrunk meanwhile
  return bytes;
}

absl::StatusOr<std::vector<std::string>> FindRecordings(const std::string& path) {
  fs::path folder = path;
  std::error_code error;
  if (!fs::exists(folder, error)) {
    return absl::NotFoundError(fmt::format("{}: there is no such recording", path));
  }
  if (!fs::is_directory(folder, error) && folder.filename() == recording::kRecordsFile) {
    folder = folder.has_parent_path() ? folder.parent_path() : fs::path(".");
  }
  if (HoldsRecords(folder)) return std::vector<std::string>{folder.string()};
  if (std::vector<std::string> found = RecordingsIn(folder); !found.empty()) return found;
  if (fs::exists(folder / kNothingRecordedFile, error)) return std::vector<std::string>();
  return absl::InvalidArgumentError(
      fmt::format("{}: this is no coalcheck recording: {}", path, WhatItIs(path)));
}

absl::StatusOr<recording::RecordedRun> ReadRecording(const std::string& folder) {
  const absl::StatusOr<std::string> bytes =
      ReadFile(fs::path(folder) / recording::kRecordsFile, kMaxRecordsBytes);
  if (!bytes.ok()) return bytes.status();
  absl::StatusOr<recording::RecordedRun> run = recording::ParseRecords(*bytes);
  if (run.ok()) {
    const absl::StatusOr<std::string> progress =
        ReadFile(fs::path(folder) / recording::kProgressFile, recording::kProgressBytes);
    if (progress.ok()) run->progress = recording::ReadProgress(*progress);
    return run;
  }
  return absl::Status(run.status().code(),
                      fmt::format("{}: {}", folder, std::string(run.status().message())));
}

std::vector<std::string> ReadNothingRecorded(const std::string& folder) {
  std::vector<std::string> lines;
  const absl::StatusOr<std::string> text =
      ReadFile(fs::path(folder) / kNothingRecordedFile, kMaxNoteBytes);
  if (!text.ok()) return lines;
  std::istringstream stream(*text);
  for (std::string line; std::getline(stream, line);) lines.push_back(std::move(line));
  return lines;
}

std::string IdentityOf(const std::string& folder) {
  struct stat status {};
  const std::string file = (fs::path(folder) / recording::kRecordsFile).string();
  if (stat(file.c_str(), &status) != 0) return folder;
  return fmt::format("{}:{}", status.st_dev, status.st_ino);
}

absl::StatusOr<std::string> FolderCubins::Load(CubinId id) {
  return ReadFile(fs::path(folder_) / recording::kCubinFolder / (ToHex(id) + ".cubin"),
                  kMaxCubinBytes);
}

}  // namespace coalcheck::cli
