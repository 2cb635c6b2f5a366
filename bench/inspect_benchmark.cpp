// SPDX-License-Identifier: Apache-2.0
//
// How long `coalcheck inspect` takes for a cubin of 600 template instantiations with deep inline
// chains, and how much memory. The targets are 100 ms and 64 MB.
#include <benchmark/benchmark.h>
#include <spawn.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <fstream>
#include <iterator>
#include <string>

#include "libcoalcheck/cubin/cubin.h"

namespace coalcheck {
namespace {

const std::string& DeepCubin() {
  static const std::string bytes = [] {
    std::ifstream stream(COALCHECK_DEEP_CUBIN, std::ios::binary);
    return std::string(std::istreambuf_iterator<char>(stream), std::istreambuf_iterator<char>());
  }();
  return bytes;
}

bool Missing(benchmark::State& state) {
  if (DeepCubin().empty()) state.SkipWithError("no " COALCHECK_DEEP_CUBIN ": build deep_cubin");
  return DeepCubin().empty();
}

double Milliseconds(const timeval& time) {
  return static_cast<double>(time.tv_sec) * 1e3 + static_cast<double>(time.tv_usec) / 1e3;
}

// Reading alone, from memory.
void ParseCubin(benchmark::State& state) {
  if (Missing(state)) return;
  for (auto _ : state) {
    absl::StatusOr<cubin::Cubin> cubin = cubin::Cubin::Parse(DeepCubin());
    benchmark::DoNotOptimize(cubin.ok());
  }
  state.SetBytesProcessed(static_cast<int64_t>(DeepCubin().size()) * state.iterations());
}
BENCHMARK(ParseCubin)->Unit(benchmark::kMillisecond);

// The whole command as a user runs it: start of the process, reading, JSON to /dev/null.
void InspectCommand(benchmark::State& state) {
  if (Missing(state)) return;
  std::string arguments[] = {COALCHECK_COMMAND, "inspect", "--format", "json",
                             COALCHECK_DEEP_CUBIN};
  char* argv[] = {arguments[0].data(), arguments[1].data(), arguments[2].data(),
                  arguments[3].data(), arguments[4].data(), nullptr};
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_addopen(&actions, STDOUT_FILENO, "/dev/null", 1, 0);
  double peak_megabytes = 0;
  double cpu_milliseconds = 0;
  for (auto _ : state) {
    pid_t child = 0;
    int status = -1;
    rusage usage = {};
    if (posix_spawn(&child, argv[0], &actions, nullptr, argv, environ) != 0 ||
        wait4(child, &status, 0, &usage) != child || status != 0) {
      state.SkipWithError("coalcheck inspect failed");
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
  state.counters["cubin_MB"] = static_cast<double>(DeepCubin().size()) / (1024 * 1024);
}
BENCHMARK(InspectCommand)->Unit(benchmark::kMillisecond)->UseRealTime();

}  // namespace
}  // namespace coalcheck

BENCHMARK_MAIN();
