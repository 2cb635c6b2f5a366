// SPDX-License-Identifier: Apache-2.0
//
// posix_spawn in a process group of its own, pipes, and waits that all have an end.
#include "cli/doctor/child.h"

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cstring>
#include <thread>
#include <utility>

// NOLINTNEXTLINE(readability-redundant-declaration): glibc hides it without _GNU_SOURCE
extern char** environ;

namespace coalcheck::cli::doctor {
namespace {

using Clock = std::chrono::steady_clock;

constexpr std::size_t kMostOutput = std::size_t{1} << 20;
constexpr std::chrono::milliseconds kTick{20};
constexpr std::chrono::seconds kReapDeadline{2};  // a process stuck in the kernel outlives SIGKILL

class Pipe {
 public:
  Pipe() {
    if (pipe2(ends_.data(), O_CLOEXEC) != 0) ends_ = {-1, -1};
    if (ends_[0] >= 0) fcntl(ends_[0], F_SETFL, O_NONBLOCK);
  }
  ~Pipe() {
    for (const int end : ends_) {
      if (end >= 0) close(end);
    }
  }
  Pipe(const Pipe&) = delete;
  Pipe& operator=(const Pipe&) = delete;

  int reader() const { return ends_[0]; }
  int writer() const { return ends_[1]; }
  void CloseWriter() { close(std::exchange(ends_[1], -1)); }

  // Takes what there is, without waiting.
  void Drain(std::string& text) const {
    std::array<char, 4096> buffer{};
    ssize_t got = 0;
    while ((got = read(ends_[0], buffer.data(), buffer.size())) > 0) {
      const std::size_t room = kMostOutput - text.size();
      text.append(buffer.data(), std::min(room, static_cast<std::size_t>(got)));
    }
  }

 private:
  std::array<int, 2> ends_{-1, -1};
};

std::vector<std::string> ChangedEnvironment(
    const std::map<std::string, std::optional<std::string>>& changes) {
  std::vector<std::string> entries;
  for (char** entry = environ; *entry != nullptr; ++entry) {
    const std::string text = *entry;
    if (!changes.contains(text.substr(0, text.find('=')))) entries.push_back(text);
  }
  for (const auto& [name, value] : changes) {
    if (value) entries.push_back(name + "=" + *value);
  }
  return entries;
}

std::vector<char*> Pointers(std::vector<std::string>& words) {
  std::vector<char*> pointers;
  for (std::string& word : words) pointers.push_back(word.data());
  pointers.push_back(nullptr);
  return pointers;
}

// An errno, 0 when it was started.
int Spawn(std::vector<std::string> words, std::vector<std::string> environment, const Pipe& out,
          const Pipe& err, pid_t& child) {
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
  posix_spawn_file_actions_adddup2(&actions, out.writer(), STDOUT_FILENO);
  posix_spawn_file_actions_adddup2(&actions, err.writer(), STDERR_FILENO);
  posix_spawnattr_t attributes;
  posix_spawnattr_init(&attributes);
  posix_spawnattr_setpgroup(&attributes, 0);
  posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETPGROUP);
  const int error = posix_spawn(&child, words[0].c_str(), &actions, &attributes,
                                Pointers(words).data(), Pointers(environment).data());
  posix_spawnattr_destroy(&attributes);
  posix_spawn_file_actions_destroy(&actions);
  return error;
}

bool Reaped(pid_t child, ChildResult& result) {
  int status = 0;
  if (waitpid(child, &status, WNOHANG) != child) return false;
  if (WIFEXITED(status)) result.exit_code = WEXITSTATUS(status);
  if (WIFSIGNALED(status)) result.signal = WTERMSIG(status);
  return true;
}

void Kill(pid_t child, ChildResult& result) {
  result.timed_out = true;
  kill(-child, SIGKILL);
  const auto end = Clock::now() + kReapDeadline;
  while (!Reaped(child, result) && Clock::now() < end) std::this_thread::sleep_for(kTick);
}

}  // namespace

ChildResult RunChild(const std::vector<std::string>& words,
                     const std::map<std::string, std::optional<std::string>>& changes,
                     std::chrono::milliseconds deadline) {
  ChildResult result;
  Pipe out;
  Pipe err;
  pid_t child = -1;
  const auto end = Clock::now() + deadline;
  if (const int error = Spawn(words, ChangedEnvironment(changes), out, err, child); error != 0) {
    result.not_started = std::strerror(error);
    return result;
  }
  out.CloseWriter();
  err.CloseWriter();
  while (!Reaped(child, result)) {
    if (Clock::now() >= end) {
      Kill(child, result);
      break;
    }
    std::array<pollfd, 2> readers{{{out.reader(), POLLIN, 0}, {err.reader(), POLLIN, 0}}};
    poll(readers.data(), readers.size(), static_cast<int>(kTick.count()));
    // A pipe that the child closed is always ready.
    if (((readers[0].revents | readers[1].revents) & POLLHUP) != 0) {
      std::this_thread::sleep_for(std::chrono::milliseconds(1));
    }
    out.Drain(result.out);
    err.Drain(result.err);
  }
  kill(-child, SIGKILL);  // what it may have left behind
  out.Drain(result.out);
  err.Drain(result.err);
  return result;
}

}  // namespace coalcheck::cli::doctor
