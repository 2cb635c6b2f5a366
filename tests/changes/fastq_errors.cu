// SPDX-License-Identifier: Apache-2.0
//
// Genomics: the expected number of errors of each sequencing read from its Phred qualities, where
// bases that could not be called count as wrong. Reads of 151 cycles lie one after another.
#include "harness.h"

constexpr int kCycles = 151;

struct ReadSet {
  const uint8_t *bases, *quals;  // [read][cycle]
  int count;
};

__device__ __forceinline__ float error_probability(uint8_t base, uint8_t qual) {
  // Phred+33; 10^(-q/10) = 2^(-q/10 log2 10)
  return base == 'N' ? 1.f : exp2f(-0.33219281f * (float)(qual - 33));
}

__global__ void fastq_errors_naive(ReadSet reads, float* __restrict__ expected) {
  const int r = blockIdx.x * blockDim.x + threadIdx.x;
  if (r >= reads.count) return;
  const uint8_t* base = reads.bases + (size_t)r * kCycles;
  const uint8_t* qual = reads.quals + (size_t)r * kCycles;
  float sum = 0.f;
  for (int c = 0; c < kCycles; ++c) {
    sum += error_probability(base[c], qual[c]);
  }
  expected[r] = sum;
}

__global__ void fastq_errors_repaired(ReadSet reads, float* __restrict__ expected) {
  const int r = (blockIdx.x * blockDim.x + threadIdx.x) / 32;
  const int lane = threadIdx.x % 32;
  if (r >= reads.count) return;
  const uint8_t* base = reads.bases + (size_t)r * kCycles;
  const uint8_t* qual = reads.quals + (size_t)r * kCycles;
  float sum = 0.f;
  for (int c = lane; c < kCycles; c += 32) sum += error_probability(base[c], qual[c]);
  for (int d = 16; d > 0; d /= 2) sum += __shfl_xor_sync(~0u, sum, d);
  if (lane == 0) expected[r] = sum;
}

int main(int argc, char** argv) {
  const int n = 200000;
  Random rnd{11};
  const auto bases = Upload(Generate(
      (size_t)n * kCycles, [&](int) { return (uint8_t) "ACGTACGTACGTACGN"[rnd() >> 28]; }));
  const auto quals = Upload(
      Generate((size_t)n * kCycles, [&](int) { return (uint8_t)(33 + 2 + (rnd() >> 16) % 39); }));
  const ReadSet reads{bases, quals, n};
  const auto a = Allocate<float>(n), b = Allocate<float>(n);

  const int threads = 128;
  const auto naive = [&] {
    fastq_errors_naive<<<(n + threads - 1) / threads, threads>>>(reads, a);
  };
  const auto repaired = [&] {
    const int per_block = threads / 32;
    fastq_errors_repaired<<<(n + per_block - 1) / per_block, threads>>>(reads, b);
  };
  return Run(argc, argv, naive, repaired, [&] { return Near(a, b, 1e-3, 1e-4); });
}
