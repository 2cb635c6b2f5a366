// SPDX-License-Identifier: Apache-2.0
//
// Spawning of the report, with a deadline: the process is about to end and must not be held up.
#include "injection/agent/process/report.h"

#include <dirent.h>
#include <fcntl.h>
#include <fmt/format.h>
#include <signal.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <optional>
#include <string_view>
#include <thread>

#include "injection/agent/process/process_facts.h"
#include "injection/agent/process/say.h"
#include "libcoalcheck/recording/progress.h"
#include "libcoalcheck/recording/records.h"

extern char**
    environ;  // NOLINT(readability-redundant-declaration): glibc hides it without _GNU_SOURCE

namespace coalcheck::agent {
namespace {

constexpr std::chrono::seconds kReportDeadline{120};

constexpr std::string_view kNotInherited[] = {
    "CUDA_INJECTION64_PATH=", "NVTX_INJECTION64_PATH=", "COALCHECK_OPTIONS=", "LD_PRELOAD="};

std::vector<char*> CleanEnvironment() {
  std::vector<char*> kept;
  for (char** entry = environ; *entry != nullptr; ++entry) {
    bool keep = true;
    for (const std::string_view name : kNotInherited) {
      keep = keep && std::string_view(*entry).substr(0, name.size()) != name;
    }
    if (keep) kept.push_back(*entry);
  }
  kept.push_back(nullptr);
  return kept;
}

// The child's exit code, -1 when it did not end in time or was killed; empty when the host reaps
// its children itself and so keeps the code to itself.
std::optional<int> WaitFor(pid_t child) {
  const auto end = std::chrono::steady_clock::now() + kReportDeadline;
  while (std::chrono::steady_clock::now() < end) {
    int status = 0;
    const pid_t ended = waitpid(child, &status, WNOHANG);
    if (ended == child) return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
    if (ended < 0) return std::nullopt;
    std::this_thread::sleep_for(std::chrono::milliseconds(2));
  }
  kill(child, SIGKILL);
  waitpid(child, nullptr, WNOHANG);  // no wait without a deadline, not even for the killed
  return -1;
}

pid_t Spawn(std::vector<std::string>& words) {
  std::vector<char*> arguments;
  for (std::string& word : words) arguments.push_back(word.data());
  arguments.push_back(nullptr);
  std::vector<char*> environment = CleanEnvironment();

  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
  posix_spawn_file_actions_adddup2(&actions, STDERR_FILENO, STDOUT_FILENO);
  posix_spawnattr_t attributes;
  posix_spawnattr_init(&attributes);
  sigset_t no_signals;
  sigemptyset(&no_signals);
  posix_spawnattr_setsigmask(&attributes, &no_signals);
  // The report gets default signal handling, whatever the host ignores or catches.
  sigset_t to_default;
  sigemptyset(&to_default);
  sigaddset(&to_default, SIGPIPE);
  sigaddset(&to_default, SIGCHLD);
  posix_spawnattr_setsigdefault(&attributes, &to_default);
  posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF);
  pid_t child = -1;
  const int error = posix_spawn(&child, words[0].c_str(), &actions, &attributes, arguments.data(),
                                environment.data());
  posix_spawnattr_destroy(&attributes);
  posix_spawn_file_actions_destroy(&actions);
  return error == 0 ? child : -1;
}

// Files are found by listing the folder, not by a pattern: its name is the program's, which may
// hold brackets.
void RemoveCubins(const std::string& folder) {
  DIR* entries = opendir(folder.c_str());
  if (entries == nullptr) return;
  while (const dirent* entry = readdir(entries)) {  // NOLINT(concurrency-mt-unsafe): our own stream
    const std::string_view name = entry->d_name;
    if (name.ends_with(".cubin")) unlink(fmt::format("{}/{}", folder, name).c_str());
  }
  closedir(entries);
}

}  // namespace

std::string FindCommand() {
  std::vector<std::string> places;
  if (std::string named = Environment("COALCHECK_COMMAND"); !named.empty()) {
    places.push_back(named);
  } else if (const std::string folder = LibraryFolder(); !folder.empty()) {
    places = {folder + "/coalcheck", folder + "/../bin/coalcheck"};
  }
  for (const std::string& place : places) {
    if (access(place.c_str(), X_OK) == 0) return place;
  }
  return {};
}

ReportResult RunReport(const std::string& command, const std::string& recording,
                       const std::vector<std::string>& arguments) {
  std::vector<std::string> words = {command, "report", recording};
  words.insert(words.end(), arguments.begin(), arguments.end());
  const pid_t child = Spawn(words);
  if (child < 0) return ReportResult::kFailed;
  const std::optional<int> code = WaitFor(child);
  if (!code) return ReportResult::kUnknown;
  const bool is_verdict = *code == 0 || *code == 1 || *code == 3 || *code == 4;
  return is_verdict ? ReportResult::kMade : ReportResult::kFailed;
}

void RemoveRecording(const std::string& folder) {
  const std::string cubins = fmt::format("{}/{}", folder, recording::kCubinFolder);
  RemoveCubins(cubins);
  rmdir(cubins.c_str());
  unlink(fmt::format("{}/{}", folder, recording::kRecordsFile).c_str());
  unlink(fmt::format("{}/{}", folder, recording::kProgressFile).c_str());
  rmdir(folder.c_str());
}

}  // namespace coalcheck::agent
