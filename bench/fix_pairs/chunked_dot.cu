// SPDX-License-Identifier: Apache-2.0
//
// A dot product whose threads take eight neighbouring elements each, and whose threads take turns
// within the same part of the vectors.
#include "bench/fix_pairs/pair.h"

using namespace fix_pairs;

constexpr unsigned kEach = 8;
constexpr unsigned kBlock = 256;
constexpr unsigned kBlocks = 1 << 15;
constexpr unsigned kCount = kBlocks * kBlock * kEach;

__device__ float SumOfWarp(float sum) {
  for (int offset = 16; offset > 0; offset /= 2) sum += __shfl_down_sync(~0U, sum, offset);
  return sum;
}

__device__ void StoreSumOfBlock(float sum, float* out) {
  __shared__ float sums[kBlock / 32];
  sum = SumOfWarp(sum);
  if (threadIdx.x % 32 == 0) sums[threadIdx.x / 32] = sum;
  __syncthreads();
  if (threadIdx.x != 0) return;
  sum = 0;
  for (const float one : sums) sum += one;
  out[blockIdx.x] = sum;
}

__global__ void chunked_dot_bad(const float* a, const float* b, float* out) {
  const unsigned begin = (blockIdx.x * kBlock + threadIdx.x) * kEach;
  float sum = 0;
  for (unsigned k = 0; k < kEach; ++k) sum += a[begin + k] * b[begin + k];
  StoreSumOfBlock(sum, out);
}

__global__ void chunked_dot_good(const float* a, const float* b, float* out) {
  const unsigned begin = blockIdx.x * kBlock * kEach + threadIdx.x;
  float sum = 0;
  for (unsigned k = 0; k < kEach; ++k) sum += a[begin + k * kBlock] * b[begin + k * kBlock];
  StoreSumOfBlock(sum, out);
}

template <typename Kernel>
Side Make(Kernel kernel) {
  const auto a = MakeArray<float>(kCount);
  a->FillWithSmallPattern();  // sums are exact in any order
  const auto b = MakeArray<float>(kCount);
  b->FillRepeating({1, 2, 3, 4, 5});
  const auto out = MakeArray<float>(kBlocks);
  return {[=] { kernel<<<kBlocks, kBlock>>>(a->data(), b->data(), out->data()); },
          [=] { return Values(*out); }};
}

int main(int argc, char** argv) {
  return Main(
      argc, argv,
      {"chunked_dot", [] { return Make(chunked_dot_bad); }, [] { return Make(chunked_dot_good); }});
}
