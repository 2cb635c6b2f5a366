// SPDX-License-Identifier: Apache-2.0
//
// What the programs that are measured share: a clock, and the one line that the script reads.
#pragma once

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <numeric>
#include <utility>
#include <vector>

#include "samples/common/check.h"
#include "samples/common/timing.h"

namespace bench {

// Wall time since it was made.
class Stopwatch {
 public:
  double Milliseconds() const {
    const std::chrono::duration<double, std::milli> passed =
        std::chrono::steady_clock::now() - start_;
    return passed.count();
  }

 private:
  std::chrono::steady_clock::time_point start_ = std::chrono::steady_clock::now();
};

// GPU time by events and wall time by a clock of everything that `work` launches on the default
// stream, in milliseconds.
struct Times {
  double kernel_ms = 0;
  double loop_ms = 0;
};

template <typename Work>
Times Timed(Work work) {
  samples::Event start;
  samples::Event end;
  samples::Check(cudaDeviceSynchronize());
  const Stopwatch watch;
  start.Record();
  work();
  end.Record();
  samples::Check(cudaDeviceSynchronize());
  return {.kernel_ms = end.MillisecondsSince(start), .loop_ms = watch.Milliseconds()};
}

// Of `count` launches by `launch(i)`, what one takes on the CPU, in µs: the mean of the fastest
// tenth of blocks of 200; of no launch 0. The device is idle when a block begins, so that no launch
// waits for room; and a CPU that others use, too, is slow for most blocks of some runs, not for
// all.
template <typename Launch>
double MicrosecondsOfLaunch(std::int64_t count, Launch launch) {
  constexpr std::int64_t kBlock = 200;
  std::vector<double> blocks;
  for (std::int64_t first = 0; first < count; first += kBlock) {
    samples::Check(cudaDeviceSynchronize());
    const Stopwatch watch;
    const std::int64_t end = std::min(first + kBlock, count);
    for (std::int64_t i = first; i < end; ++i) launch(i);
    blocks.push_back(1000 * watch.Milliseconds() / static_cast<double>(end - first));
  }
  if (blocks.empty()) return 0;
  samples::Check(cudaDeviceSynchronize());
  std::ranges::sort(blocks);
  blocks.resize((blocks.size() + 9) / 10);
  return std::accumulate(blocks.begin(), blocks.end(), 0.0) / static_cast<double>(blocks.size());
}

// Prints `measured NAME VALUE …`; a program does so only once its result was verified.
inline void PrintMeasured(const std::vector<std::pair<const char*, double>>& values) {
  std::printf("measured");
  for (const auto& [name, value] : values) std::printf(" %s %.6f", name, value);
  std::printf("\n");
}

inline void PrintMeasured(std::int64_t launches, const Times& times) {
  PrintMeasured({{"launches", static_cast<double>(launches)},
                 {"kernel_ms", times.kernel_ms},
                 {"loop_ms", times.loop_ms}});
}

// One workload; `count` is how often it repeats itself.
struct Workload {
  const char* name;
  const char* summary;
  std::int64_t count;
  void (*run)(std::int64_t count);
};

void RunManyKernels(std::int64_t rounds);
void RunEmptyLaunches(std::int64_t launches);
void RunArgumentSets(std::int64_t launches);
void RunGraphReplay(std::int64_t replays);
void RunUpdatedGraphReplay(std::int64_t replays);
void RunNvtxRanges(std::int64_t launches);

}  // namespace bench
