// SPDX-License-Identifier: Apache-2.0
//
// Genomics: expected number of wrong bases of each sequencing read from its Phred
// qualities, which lie as in a FASTQ file: characters, one read after the other.
#include "harness.h"

__device__ __forceinline__ float error_probability(char c) {
  return exp2f(-0.33219281f * (float)(c - 33));
}

__global__ void expected_errors_naive(const char* __restrict__ quality,
                                      const int* __restrict__ offset, float* __restrict__ errors,
                                      int reads) {
  const int r = blockIdx.x * blockDim.x + threadIdx.x;
  if (r >= reads) return;
  const int begin = offset[r], end = offset[r + 1];
  float sum = 0.f;
  for (int i = begin; i < end; ++i) {
    sum += error_probability(quality[i]);
  }
  errors[r] = sum;
}

__global__ void expected_errors_repaired(const char* __restrict__ quality,
                                         const int* __restrict__ offset, float* __restrict__ errors,
                                         int reads) {
  const int r = (blockIdx.x * blockDim.x + threadIdx.x) / 32;
  const int lane = threadIdx.x % 32;
  if (r >= reads) return;
  const int begin = offset[r], end = offset[r + 1];
  float sum = 0.f;
  for (int i = begin + lane; i < end; i += 32) {
    sum += error_probability(quality[i]);
  }
  for (int d = 16; d > 0; d /= 2) sum += __shfl_down_sync(0xffffffffu, sum, d);
  if (lane == 0) errors[r] = sum;
}

int main(int argc, char** argv) {
  const int reads = 300000;
  Random rnd{5};
  std::vector<int> offset(reads + 1, 0);
  for (int r = 0; r < reads; ++r) offset[r + 1] = offset[r] + 180 + (int)(rnd() >> 16) % 122;
  const auto quality =
      Upload(Generate(offset[reads], [&](int) { return (char)(33 + 2 + (rnd() >> 16) % 39); }));
  const auto offsets = Upload(offset);
  const auto a = Allocate<float>(reads), b = Allocate<float>(reads);

  const int threads = 256;
  const auto naive = [&] {
    expected_errors_naive<<<(reads + threads - 1) / threads, threads>>>(quality, offsets, a, reads);
  };
  const auto repaired = [&] {
    expected_errors_repaired<<<(reads * 32 + threads - 1) / threads, threads>>>(quality, offsets, b,
                                                                                reads);
  };
  return Run(argc, argv, naive, repaired, [&] { return Near(a, b, 1e-3, 1e-4); });
}
