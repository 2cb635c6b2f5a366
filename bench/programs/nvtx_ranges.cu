// SPDX-License-Identifier: Apache-2.0
//
// A loop of launches of which one in a hundred is made in the NVTX range `measured`, ten at a time.
// What is measured is the time outside of it.
#include <nvtx3/nvToolsExt.h>

#include <algorithm>

#include "bench/programs/program.h"
#include "samples/common/device_array.h"

namespace bench {
namespace {

constexpr std::int64_t kPeriod = 1000;  // launches from one range to the next
constexpr std::int64_t kInside = 10;    // of these, in the range
constexpr std::size_t kCounters = std::size_t(1) << 23;
constexpr unsigned kBlock = 256;

// Long enough for the launches of the loop to be hidden behind it.
__global__ void increment_all(int* counters) {
  counters[blockIdx.x * blockDim.x + threadIdx.x] += 1;
}

// Wall time of so many launches, from an idle device to an idle one.
double LaunchedMs(samples::DeviceArray<int>& counters, std::int64_t launches) {
  const Stopwatch watch;
  for (std::int64_t i = 0; i < launches; ++i) {
    increment_all<<<kCounters / kBlock, kBlock>>>(counters.data());
    samples::CheckLaunch();
  }
  samples::Check(cudaDeviceSynchronize());
  return watch.Milliseconds();
}

}  // namespace

void RunNvtxRanges(std::int64_t launches) {
  samples::DeviceArray<int> counters(kCounters);
  double outside_ms = 0;
  double inside_ms = 0;
  samples::Check(cudaDeviceSynchronize());
  for (std::int64_t done = 0; done < launches; done += kPeriod) {
    const std::int64_t now = std::min(kPeriod, launches - done);
    const std::int64_t inside = std::min(kInside, now);
    outside_ms += LaunchedMs(counters, now - inside);
    nvtxRangePushA("measured");
    inside_ms += LaunchedMs(counters, inside);
    nvtxRangePop();
  }
  samples::Verify("increment_all", counters,
                  [=](std::size_t) { return static_cast<int>(launches); });
  PrintMeasured({{"launches", static_cast<double>(launches)},
                 {"outside_ms", outside_ms},
                 {"inside_ms", inside_ms},
                 {"loop_ms", outside_ms + inside_ms}});
}

}  // namespace bench
