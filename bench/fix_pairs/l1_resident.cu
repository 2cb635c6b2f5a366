// SPDX-License-Identifier: Apache-2.0
//
// A table of 16 KB that every warp sums up: lanes far apart, or side by side. L1 holds it either
// way.
#include "bench/fix_pairs/pair.h"

using namespace fix_pairs;

constexpr unsigned kTable = 4096;
constexpr unsigned kEach = kTable / 32;
constexpr unsigned kThreads = 1 << 20;
constexpr unsigned kBlock = 256;

__device__ float SumOfWarp(float sum) {
  for (int offset = 16; offset > 0; offset /= 2) sum += __shfl_down_sync(~0U, sum, offset);
  return sum;
}

__global__ void l1_resident_bad(const float* table, float* out) {
  const unsigned t = blockIdx.x * blockDim.x + threadIdx.x;
  float sum = 0;
  for (unsigned k = 0; k < kEach; ++k) sum += table[t % 32 * kEach + k];
  sum = SumOfWarp(sum);
  if (t % 32 == 0) out[t / 32] = sum;
}

__global__ void l1_resident_good(const float* table, float* out) {
  const unsigned t = blockIdx.x * blockDim.x + threadIdx.x;
  float sum = 0;
  for (unsigned k = 0; k < kEach; ++k) sum += table[k * 32 + t % 32];
  sum = SumOfWarp(sum);
  if (t % 32 == 0) out[t / 32] = sum;
}

template <typename Kernel>
Side Make(Kernel kernel) {
  const auto table = MakeArray<float>(kTable);
  table->FillWithSmallPattern();
  const auto out = MakeArray<float>(kThreads / 32);
  return {[=] { kernel<<<kThreads / kBlock, kBlock>>>(table->data(), out->data()); },
          [=] { return Values(*out); }};
}

int main(int argc, char** argv) {
  return Main(
      argc, argv,
      {"l1_resident", [] { return Make(l1_resident_bad); }, [] { return Make(l1_resident_good); }});
}
