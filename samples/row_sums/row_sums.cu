// SPDX-License-Identifier: Apache-2.0
//
// Sums of a matrix's rows. With a thread per row, neighbouring threads read a row apart; with a
// block per row, they read neighbours.
#include "samples/common/sample.h"

using namespace samples;

constexpr int kThreads = 256;

constexpr int kThreadLoadLine = __LINE__ + 8;
constexpr int kThreadStoreLine = kThreadLoadLine + 3;

__global__ void thread_per_row(const float* in, float* sums, int n) {
  const int row = blockIdx.x * blockDim.x + threadIdx.x;
  float sum = 0;
  for (int col = 0; col < n; ++col) {
    // expect: load sectors=32 ideal=4 lines=32 pattern=strided:16384
    sum += in[row * n + col];
  }
  // expect: store clean pattern=coalesced
  sums[row] = sum;
}

constexpr int kBlockLoadLine = __LINE__ + 8;
constexpr int kBlockStoreLine = kBlockLoadLine + 9;

__global__ void block_per_row(const float* in, float* sums, int n) {
  __shared__ float partial[kThreads];
  float sum = 0;
  for (int col = threadIdx.x; col < n; col += kThreads) {
    // expect: load clean sectors=4 ideal=4 lines=1 pattern=coalesced
    sum += in[blockIdx.x * n + col];
  }
  partial[threadIdx.x] = sum;
  for (int half = kThreads / 2; half > 0; half /= 2) {
    __syncthreads();
    if (threadIdx.x < half) partial[threadIdx.x] += partial[threadIdx.x + half];
  }
  // A single lane: one sector is all it could be.
  // expect: store clean sectors=1 ideal=1 lines=1 pattern=partial_warps
  if (threadIdx.x == 0) sums[blockIdx.x] = partial[0];
}

namespace {

void Run(const Arguments& arguments) {
  const int n = static_cast<int>(arguments.n);
  DeviceArray<float> in(std::size_t(n) * n);
  in.FillWithSmallPattern();
  const auto measure = [&](const char* name, auto kernel, int blocks) {
    if (!arguments.Wants(name)) return;
    DeviceArray<float> sums(n);
    const Timing timing = Measure(arguments.launches,
                                  [&] { kernel<<<blocks, kThreads>>>(in.data(), sums.data(), n); });
    Verify(name, sums, [=](std::size_t row) {
      float sum = 0;
      for (int col = 0; col < n; ++col) sum += SmallPatternAt<float>(row * n + col);
      return sum;
    });
    PrintBandwidth(name, timing, (double(n) * n + n) * sizeof(float));
  };
  measure("thread_per_row", thread_per_row, n / kThreads);
  measure("block_per_row", block_per_row, n);
}

void CountThreadPerRow(unsigned n, Reference& reference) {
  const unsigned grid = n / kThreads;
  reference.AddRepeated(
      {kThreadLoadLine, "thread_per_row", "load", 4}, grid, kThreads, n,
      [=](const Thread& t, std::int64_t col) { return At<float>(GlobalX(t) * n + col); });
  reference.Add({kThreadStoreLine, "thread_per_row", "store", 4}, grid, kThreads,
                [](const Thread& t) { return At<float>(GlobalX(t)); });
}

void CountBlockPerRow(unsigned n, Reference& reference) {
  reference.AddRepeated({kBlockLoadLine, "block_per_row", "load", 4}, n, kThreads, n / kThreads,
                        [=](const Thread& t, std::int64_t round) {
                          const std::uint64_t col = t.threadIdx.x + round * kThreads;
                          return At<float>(std::uint64_t{t.blockIdx.x} * n + col);
                        });
  reference.Add({kBlockStoreLine, "block_per_row", "store", 4}, n, kThreads, [](const Thread& t) {
    return t.threadIdx.x == 0 ? Offset(At<float>(t.blockIdx.x)) : std::nullopt;
  });
}

void CountAccesses(const Arguments& arguments, Reference& reference) {
  const unsigned n = static_cast<unsigned>(arguments.n);
  if (arguments.Wants("thread_per_row")) CountThreadPerRow(n, reference);
  if (arguments.Wants("block_per_row")) CountBlockPerRow(n, reference);
}

}  // namespace

int main(int argc, char** argv) {
  return Main(argc, argv,
              {.name = "row_sums",
               .summary = "sums the rows of an n x n matrix, with a thread or a block per row",
               .source = __FILE__,
               .size = {"rows and columns", 4096, kThreads, 32768},
               .run = Run,
               .count = CountAccesses,
               .kernels = {"thread_per_row", "block_per_row"}});
}
