// SPDX-License-Identifier: Apache-2.0
//
// Makes, lists, completes and removes the recordings of a session.
#include "cli/launch/session_folder.h"

#include <fmt/format.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <charconv>
#include <cstring>
#include <filesystem>
#include <system_error>
#include <tuple>

#include "cli/base/foreign_file.h"
#include "cli/base/recordings.h"
#include "cli/base/repository.h"
#include "cli/base/say.h"
#include "libcoalcheck/recording/append.h"
#include "libcoalcheck/recording/file_calls.h"

namespace coalcheck::cli {
namespace {

namespace fs = std::filesystem;

constexpr int kMostNames = 1000;
// An `end` record is far shorter.
constexpr std::uint64_t kTailBytes = 4096;

// "4711" or "4711.2"; false for other names.
bool ParseName(const std::string& name, SessionRecording& recording) {
  const char* end = name.data() + name.size();
  const auto pid = std::from_chars(name.data(), end, recording.pid);
  if (pid.ec != std::errc() || recording.pid <= 0) return false;
  if (pid.ptr == end) return true;
  if (*pid.ptr != '.') return false;
  const auto attempt = std::from_chars(pid.ptr + 1, end, recording.attempt);
  return attempt.ec == std::errc() && attempt.ptr == end;
}

std::string Tail(const std::string& file) { return ReadTail(file, kTailBytes, Links::kRefuse); }

bool Says(const std::string& folder, std::string_view record) {
  return Tail(fmt::format("{}/{}", folder, recording::kRecordsFile))
             .find(fmt::format("{{\"record\":\"{}\"", record)) != std::string::npos;
}

bool HoldsRecordings(const fs::path& folder) {
  std::error_code error;
  if (HoldsPartsOfRecording(folder.string())) return true;
  for (fs::directory_iterator entry(folder, error), end; !error && entry != end;
       entry.increment(error)) {
    if (HoldsPartsOfRecording(entry->path().string())) return true;
  }
  return false;
}

Result<std::string> MakeTemporary() {
  const char* folder = getenv("TMPDIR");
  std::string name =
      std::string(folder == nullptr || *folder == '\0' ? "/tmp" : folder) + "/coalcheck-run-XXXXXX";
  if (mkdtemp(name.data()) == nullptr) {
    return Error{
        fmt::format("the program was not started: cannot make a temporary folder {}: {}; set "
                    "TMPDIR to a folder that can be "
                    "written, or name one with --recording",
                    name, std::strerror(errno))};
  }
  return name;
}

// Whether a folder holds files that no session made.
bool HoldsOtherFiles(const std::string& folder) {
  std::error_code error;
  for (fs::directory_iterator entry(folder, error), end; !error && entry != end;
       entry.increment(error)) {
    const std::string name = entry->path().filename().string();
    SessionRecording begun;  // by another process of the same job
    if (name != kNothingRecordedFile && !ParseName(name, begun)) return true;
  }
  return false;
}

// On some shared file systems files do not belong to their maker, so this is only a warning.
void SayWhoseItIs(const std::string& folder) {
  struct stat status {};
  if (stat(folder.c_str(), &status) != 0 || status.st_uid == geteuid()) return;
  Say(fmt::format("{} belongs to another user (id {}), who can read and change the recording",
                  folder, status.st_uid));
}

Result<std::string> MakeKept(const std::string& wanted) {
  if (const std::string why = WhyOutOfRepository(wanted); !why.empty()) {
    return Error{fmt::format("--recording: {} is not used: {}", wanted, why)};
  }
  for (int i = 1; i <= kMostNames; ++i) {
    std::string name = i == 1 ? wanted : fmt::format("{}.{}", wanted, i);
    if (HoldsRecordings(name)) continue;
    if (HoldsOtherFiles(name)) {
      return Error{fmt::format(
          "--recording: {} is not used, for it holds other files; name a new folder", name)};
    }
    SayWhoseItIs(name);
    if (const int error = recording::MakeFolders(name); error != 0) {
      return Error{fmt::format("cannot make the folder {}: {}", name, std::strerror(error))};
    }
    return name;
  }
  return Error{fmt::format("{} and {} more hold recordings already", wanted, kMostNames - 1)};
}

std::pair<dev_t, ino_t> NumberOf(const std::string& folder) {
  struct stat status {};
  if (lstat(folder.c_str(), &status) != 0 || !S_ISDIR(status.st_mode)) return {};
  return {status.st_dev, status.st_ino};
}

}  // namespace

SessionFolder::SessionFolder(std::string path, std::string taken, bool temporary)
    : path_(std::move(path)),
      taken_(std::move(taken)),
      temporary_(temporary),
      number_(NumberOf(path_)),
      open_(opendir(path_.c_str()), [](DIR* open) {
        if (open != nullptr) closedir(open);
      }) {}

bool SessionFolder::IsReplaced() const { return NumberOf(path_) != number_; }

Result<SessionFolder> SessionFolder::Make(const std::string& wanted) {
  Result<std::string> made = wanted.empty() ? MakeTemporary() : MakeKept(wanted);
  if (!made.ok()) return Error{made.error()};
  // The program may change its working directory.
  std::string path = recording::RealPath(made.value());
  if (path.empty()) {
    return Error{fmt::format("cannot use the folder {}: {}", made.value(), std::strerror(errno))};
  }
  std::error_code ignored;
  fs::remove(fs::path(path) / kNothingRecordedFile, ignored);  // of an earlier session
  return SessionFolder(std::move(path), made.value() == wanted ? "" : wanted, wanted.empty());
}

std::vector<SessionRecording> SessionFolder::Recordings() const {
  std::vector<SessionRecording> found;
  if (IsReplaced()) return found;
  std::error_code error;
  for (fs::directory_iterator entry(path_, error), end; !error && entry != end;
       entry.increment(error)) {
    SessionRecording recording;
    recording.folder = entry->path().string();
    std::error_code ignored;
    // The library makes folders; a link leads to what somebody else recorded.
    if (ParseName(entry->path().filename().string(), recording) &&
        fs::is_directory(entry->symlink_status(ignored)) &&
        HoldsPartsOfRecording(recording.folder)) {
      found.push_back(std::move(recording));
    }
  }
  std::ranges::sort(found, [](const SessionRecording& a, const SessionRecording& b) {
    return std::tie(a.pid, a.attempt) < std::tie(b.pid, b.attempt);
  });
  return found;
}

// A process that executes another program takes the next number.
std::vector<SessionRecording> SessionFolder::RecordingsOf(pid_t pid) const {
  std::vector<SessionRecording> found;
  if (IsReplaced()) return found;
  std::error_code error;
  for (int attempt = 1;; ++attempt) {
    const std::string folder = attempt == 1 ? fmt::format("{}/{}", path_, pid)
                                            : fmt::format("{}/{}.{}", path_, pid, attempt);
    if (!fs::is_directory(fs::symlink_status(folder, error))) return found;
    if (fs::exists(fs::path(folder) / recording::kRecordsFile, error)) {
      found.push_back({folder, pid, attempt});
    }
  }
}

bool SessionFolder::IsRecording(pid_t pid) const {
  return std::ranges::any_of(RecordingsOf(pid), [](const SessionRecording& one) {
    return !Says(one.folder, "process_end");
  });
}

std::optional<recording::Progress> SessionFolder::Progress() const {
  std::optional<recording::Progress> sum;
  for (const SessionRecording& one : Recordings()) {
    const std::optional<recording::Progress> progress =
        recording::ReadProgress(Tail(fmt::format("{}/{}", one.folder, recording::kProgressFile)));
    if (!progress) continue;
    if (!sum) sum.emplace();
    sum->launches += progress->launches;
    sum->windows += progress->windows;
    sum->kernels_without_lines += progress->kernels_without_lines;
  }
  return sum;
}

void SessionFolder::NoteEnd(const recording::ProcessEnd& end) const {
  std::vector<SessionRecording> mine = RecordingsOf(static_cast<pid_t>(end.pid));
  std::erase_if(mine, [](const SessionRecording& one) { return Says(one.folder, "process_end"); });
  for (std::size_t i = 0; i < mine.size(); ++i) {
    const bool is_last = i + 1 == mine.size();
    const recording::ProcessEnd replaced{end.pid, recording::EndKind::kExec, 0};
    // A full disk costs this one record.
    recording::AppendRecord(mine[i].folder, is_last ? end : replaced);
  }
}

void SessionFolder::Remove() const {
  std::error_code ignored;
  if (temporary_ && !IsReplaced()) fs::remove_all(path_, ignored);
}

void SessionFolder::Discard() const {
  std::error_code ignored;
  if (fs::is_empty(path_, ignored)) fs::remove(path_, ignored);
}

void SessionFolder::LeaveNote(const std::vector<std::string>& why) const {
  if (temporary_) return Remove();
  if (IsReplaced()) return;
  std::string text;
  for (const std::string& line : why) text += line + '\n';
  WriteNewFile(fs::path(path_) / kNothingRecordedFile, text);  // Make has removed an earlier one
}

}  // namespace coalcheck::cli
