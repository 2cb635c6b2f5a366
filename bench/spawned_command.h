// SPDX-License-Identifier: Apache-2.0
//
// The whole command as a user runs it, timed: start of the process, work, output to /dev/null.
#pragma once

#include <benchmark/benchmark.h>
#include <fcntl.h>
#include <spawn.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <string>
#include <vector>

namespace coalcheck {

inline double Milliseconds(const timeval& time) {
  return static_cast<double>(time.tv_sec) * 1e3 + static_cast<double>(time.tv_usec) / 1e3;
}

// Runs `words` in each iteration, and counts its CPU time and peak memory. It has to end with
// `expected`.
inline void TimeCommand(benchmark::State& state, std::vector<std::string> words, int expected) {
  std::vector<char*> argv;
  for (std::string& word : words) argv.push_back(word.data());
  argv.push_back(nullptr);
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_addopen(&actions, STDOUT_FILENO, "/dev/null", O_WRONLY, 0);
  double peak_megabytes = 0;
  double cpu_milliseconds = 0;
  for (auto _ : state) {
    pid_t child = 0;
    int status = -1;
    rusage usage = {};
    if (posix_spawn(&child, argv[0], &actions, nullptr, argv.data(), environ) != 0 ||
        wait4(child, &status, 0, &usage) != child || !WIFEXITED(status) ||
        WEXITSTATUS(status) != expected) {
      state.SkipWithError("the command failed");
      break;
    }
    cpu_milliseconds += Milliseconds(usage.ru_utime) + Milliseconds(usage.ru_stime);
    peak_megabytes = std::max(peak_megabytes, static_cast<double>(usage.ru_maxrss) / 1024);
  }
  posix_spawn_file_actions_destroy(&actions);
  // Of the process started, which a busy machine delays but does not change.
  state.counters["process_cpu_ms"] =
      benchmark::Counter(cpu_milliseconds, benchmark::Counter::kAvgIterations);
  state.counters["peak_MB"] = peak_megabytes;
}

}  // namespace coalcheck
