// SPDX-License-Identifier: Apache-2.0
//
// Upsweep of an LSD radix sort of signed 64-bit keys: for each tile of 4096 keys, the
// number of keys per 8-bit digit at a given bit position (ascending or descending).
#include "harness.h"

constexpr int THREADS = 256;
constexpr int ITEMS = 16;
constexpr int TILE = THREADS * ITEMS;
constexpr int BINS = 256;

struct DigitSpec {
  int shift;
  bool descending;
};

__device__ __forceinline__ unsigned digit_of(int64_t key, DigitSpec spec) {
  uint64_t bits = (uint64_t)key ^ 0x8000000000000000ull;
  if (spec.descending) bits = ~bits;
  return (unsigned)(bits >> spec.shift) & (BINS - 1);
}

__global__ void __launch_bounds__(THREADS)
    radix_digit_count_naive(const int64_t* __restrict__ keys, size_t n, DigitSpec spec,
                            uint32_t* __restrict__ tile_counts) {
  __shared__ uint32_t hist[BINS];
  hist[threadIdx.x] = 0;
  __syncthreads();

  const size_t tile_begin = (size_t)blockIdx.x * TILE;
  const size_t mine = tile_begin + threadIdx.x * ITEMS;
  int64_t item[ITEMS];
  bool live[ITEMS];
#pragma unroll
  for (int j = 0; j < ITEMS; ++j) {
    live[j] = mine + j < n;
    item[j] = live[j] ? keys[mine + j] : 0;
  }
#pragma unroll
  for (int j = 0; j < ITEMS; ++j)
    if (live[j]) atomicAdd(&hist[digit_of(item[j], spec)], 1u);
  __syncthreads();

  tile_counts[(size_t)blockIdx.x * BINS + threadIdx.x] = hist[threadIdx.x];
}

__global__ void __launch_bounds__(THREADS)
    radix_digit_count_repaired(const int64_t* __restrict__ keys, size_t n, DigitSpec spec,
                               uint32_t* __restrict__ tile_counts) {
  __shared__ uint32_t hist[BINS];
  hist[threadIdx.x] = 0;
  __syncthreads();

  const size_t tile_begin = (size_t)blockIdx.x * TILE;
  const size_t mine = tile_begin + threadIdx.x;
  int64_t item[ITEMS];
  bool live[ITEMS];
#pragma unroll
  for (int j = 0; j < ITEMS; ++j) {
    live[j] = mine + (size_t)j * THREADS < n;
    item[j] = live[j] ? keys[mine + (size_t)j * THREADS] : 0;
  }
#pragma unroll
  for (int j = 0; j < ITEMS; ++j)
    if (live[j]) atomicAdd(&hist[digit_of(item[j], spec)], 1u);
  __syncthreads();

  tile_counts[(size_t)blockIdx.x * BINS + threadIdx.x] = hist[threadIdx.x];
}

int main(int argc, char** argv) {
  const size_t n = (size_t)6 * 1024 * 1024 - 777;
  const int tiles = (int)((n + TILE - 1) / TILE);
  const DigitSpec spec{24, true};
  Xorshift<uint64_t, 13, 7, 17> rnd{0x9E3779B97F4A7C15ull};
  const auto keys = Upload(Generate(n, [&](int) { return (int64_t)rnd(); }));
  const auto a = Allocate<uint32_t>(tiles * BINS), b = Allocate<uint32_t>(tiles * BINS);

  const auto naive = [&] { radix_digit_count_naive<<<tiles, THREADS>>>(keys, n, spec, a); };
  const auto repaired = [&] { radix_digit_count_repaired<<<tiles, THREADS>>>(keys, n, spec, b); };
  return Run(argc, argv, naive, repaired, [&] {
    const auto counts = Host(a);
    return Near(a, b) && std::accumulate(counts.begin(), counts.end(), (size_t)0) == n;
  });
}
