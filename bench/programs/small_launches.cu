// SPDX-License-Identifier: Apache-2.0
//
// What launching costs: empty kernels one by one, kernels with arguments that change, and a
// captured graph of short ones replayed.
#include <utility>

#include "bench/programs/program.h"
#include "samples/common/device_array.h"

namespace bench {
namespace {

constexpr int kNodes = 10;
constexpr unsigned kCounters = 1U << 20;
constexpr unsigned kBlock = 256;

// There is nothing to verify but that every launch was taken and the device is well at the end.
__global__ void nothing() {}

__global__ void increment(int* counters) { counters[blockIdx.x * blockDim.x + threadIdx.x] += 1; }

constexpr int kKernels = 20;
constexpr int kArgumentSets = 5;

// The arguments are read, and nothing is written: none is negative.
template <int kNumber>
__global__ void scale(float* values, int count, float factor) {
  const int at = blockIdx.x * blockDim.x + threadIdx.x;
  if (count < 0) values[at] *= factor + kNumber;
}

using Scale = void (*)(float*, int, float);

template <int... kNumbers>
void LaunchScale(std::integer_sequence<int, kNumbers...>, float* values, std::int64_t number) {
  constexpr Scale kScales[] = {scale<kNumbers>...};
  const int set = static_cast<int>(number / kKernels % kArgumentSets);
  kScales[number % kKernels]<<<1, 32>>>(values + 256 * set, 1000 * set, 0.5F * set);
  samples::CheckLaunch();
}

// `launch(i)` with i from 0 on.
template <typename Launch>
void PrintLaunches(std::int64_t launches, Launch launch) {
  double launch_us = 0;
  const Times times = Timed([&] { launch_us = MicrosecondsOfLaunch(launches, launch); });
  PrintMeasured({{"launches", static_cast<double>(launches)},
                 {"launch_us", launch_us},
                 {"loop_ms", times.loop_ms}});
}

cudaGraph_t Captured(int* counters, cudaStream_t stream) {
  cudaGraph_t graph = nullptr;
  samples::Check(cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal));
  for (int node = 0; node < kNodes; ++node) {
    increment<<<kCounters / kBlock, kBlock, 0, stream>>>(counters);
    samples::CheckLaunch();
  }
  samples::Check(cudaStreamEndCapture(stream, &graph));
  return graph;
}

// Sets the nodes of the instance anew without a change: that puts today's code in them.
void Update(cudaGraphExec_t exec, cudaGraph_t graph, cudaStream_t stream) {
  samples::Check(cudaStreamSynchronize(stream));
  cudaGraphExecUpdateResultInfo result{};
  samples::Check(cudaGraphExecUpdate(exec, graph, &result));
}

void Replay(std::int64_t replays, bool update) {
  samples::DeviceArray<int> counters(kCounters);
  cudaStream_t stream = nullptr;
  samples::Check(cudaStreamCreate(&stream));  // a blocking one: the default stream's events fit
  cudaGraph_t graph = Captured(counters.data(), stream);
  cudaGraphExec_t exec = nullptr;
  samples::Check(cudaGraphInstantiate(&exec, graph, 0));
  const Times first = Timed([&] {
    samples::Check(cudaGraphLaunch(exec, stream));
    if (update) Update(exec, graph, stream);
  });
  const Times others = Timed([&] {
    for (std::int64_t i = 1; i < replays; ++i) samples::Check(cudaGraphLaunch(exec, stream));
  });
  samples::Verify("increment", counters,
                  [=](std::size_t) { return static_cast<int>(replays * kNodes); });
  samples::Check(cudaGraphDestroy(graph));
  samples::Check(cudaGraphExecDestroy(exec));
  samples::Check(cudaStreamDestroy(stream));
  PrintMeasured({{"launches", static_cast<double>(replays)},
                 {"loop_ms", first.loop_ms + others.loop_ms},
                 {"replays_ms", others.loop_ms}});
}

}  // namespace

void RunEmptyLaunches(std::int64_t launches) {
  PrintLaunches(launches, [](std::int64_t) {
    nothing<<<1, 32>>>();
    samples::CheckLaunch();
  });
}

void RunArgumentSets(std::int64_t launches) {
  samples::DeviceArray<float> values(256 * kArgumentSets);
  PrintLaunches(launches, [&](std::int64_t number) {
    LaunchScale(std::make_integer_sequence<int, kKernels>(), values.data(), number);
  });
}

void RunGraphReplay(std::int64_t replays) { Replay(replays, false); }

void RunUpdatedGraphReplay(std::int64_t replays) { Replay(replays, true); }

}  // namespace bench
