// SPDX-License-Identifier: Apache-2.0
//
// How long `coalcheck inspect` takes for a cubin of 600 template instantiations with deep inline
// chains, and how much memory. The targets are 100 ms and 64 MB.
#include <benchmark/benchmark.h>

#include <fstream>
#include <iterator>
#include <string>

#include "bench/spawned_command.h"
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
  TimeCommand(state, {COALCHECK_COMMAND, "inspect", "--format", "json", COALCHECK_DEEP_CUBIN},
              /*expected=*/0);
  state.counters["cubin_MB"] = static_cast<double>(DeepCubin().size()) / (1024 * 1024);
}
BENCHMARK(InspectCommand)->Unit(benchmark::kMillisecond)->UseRealTime();

}  // namespace
}  // namespace coalcheck

BENCHMARK_MAIN();
