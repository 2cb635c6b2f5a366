// SPDX-License-Identifier: Apache-2.0
//
// Upsweep of an LSD radix sort of signed 64-bit keys: for each tile of 4096 keys, the
// number of keys per 8-bit digit at a given bit position (ascending or descending).
// Usage: radix_digit_count naive|repaired|both
#include <cuda_runtime.h>

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <vector>

#define CK(call)                                                            \
  do {                                                                      \
    cudaError_t err_ = (call);                                              \
    if (err_ != cudaSuccess) {                                              \
      fprintf(stderr, "line %d: %s\n", __LINE__, cudaGetErrorString(err_)); \
      exit(2);                                                              \
    }                                                                       \
  } while (0)

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

template <class F>
static float time_ms(F launch) {
  launch();
  CK(cudaGetLastError());
  CK(cudaDeviceSynchronize());
  cudaEvent_t a, b;
  CK(cudaEventCreate(&a));
  CK(cudaEventCreate(&b));
  CK(cudaEventRecord(a));
  for (int r = 0; r < 5; ++r) launch();
  CK(cudaEventRecord(b));
  CK(cudaEventSynchronize(b));
  CK(cudaGetLastError());
  float ms = 0.f;
  CK(cudaEventElapsedTime(&ms, a, b));
  return ms / 5.f;
}

int main(int argc, char** argv) {
  const std::string mode = argc > 1 ? argv[1] : "both";
  const size_t n = (size_t)6 * 1024 * 1024 - 777;
  const int tiles = (int)((n + TILE - 1) / TILE);
  const DigitSpec spec{24, true};

  std::vector<int64_t> keys(n);
  uint64_t s = 0x9E3779B97F4A7C15ull;
  for (auto& k : keys) {
    s ^= s << 13;
    s ^= s >> 7;
    s ^= s << 17;
    k = (int64_t)s;
  }
  int64_t* d_keys = nullptr;
  uint32_t* d_counts = nullptr;
  const size_t count_bytes = (size_t)tiles * BINS * sizeof(uint32_t);
  CK(cudaMalloc(&d_keys, n * sizeof(int64_t)));
  CK(cudaMalloc(&d_counts, count_bytes));
  CK(cudaMemcpy(d_keys, keys.data(), n * sizeof(int64_t), cudaMemcpyHostToDevice));

  std::vector<uint32_t> c0((size_t)tiles * BINS), c1((size_t)tiles * BINS);
  if (mode != "repaired") {
    CK(cudaMemset(d_counts, 0xff, count_bytes));
    const float ms =
        time_ms([&] { radix_digit_count_naive<<<tiles, THREADS>>>(d_keys, n, spec, d_counts); });
    printf("naive    %.4f ms\n", ms);
    CK(cudaMemcpy(c0.data(), d_counts, count_bytes, cudaMemcpyDeviceToHost));
  }
  if (mode != "naive") {
    CK(cudaMemset(d_counts, 0xff, count_bytes));
    const float ms =
        time_ms([&] { radix_digit_count_repaired<<<tiles, THREADS>>>(d_keys, n, spec, d_counts); });
    printf("repaired %.4f ms\n", ms);
    CK(cudaMemcpy(c1.data(), d_counts, count_bytes, cudaMemcpyDeviceToHost));
  }
  if (mode == "both") {
    uint64_t total = 0;
    for (size_t i = 0; i < c0.size(); ++i) {
      total += c0[i];
      if (c0[i] != c1[i]) {
        fprintf(stderr, "mismatch at %zu: %u %u\n", i, c0[i], c1[i]);
        return 1;
      }
    }
    if (total != n) {
      fprintf(stderr, "counts add up to %llu, not %zu\n", (unsigned long long)total, n);
      return 1;
    }
    printf("match\n");
  }
  CK(cudaFree(d_keys));
  CK(cudaFree(d_counts));
  return 0;
}
