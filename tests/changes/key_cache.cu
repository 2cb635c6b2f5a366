// SPDX-License-Identifier: Apache-2.0
//
// Machine learning inference: the keys of a prompt, [token][head][channel], go scaled into
// the cache of the attention, [head][channel][token].
#include "harness.h"

constexpr int kChannels = 128;

__global__ void key_cache_naive(const __half* __restrict__ keys, __half* __restrict__ cache,
                                int tokens, int heads, float scale) {
  const int token = blockIdx.x;
  const int head = blockIdx.y;
  const int c = threadIdx.x;
  const float key = __half2float(keys[((size_t)token * heads + head) * kChannels + c]);
  cache[((size_t)head * kChannels + c) * tokens + token] = __float2half(key * scale);
}

constexpr int kTile = 64;

__global__ void key_cache_repaired(const __half* __restrict__ keys, __half* __restrict__ cache,
                                   int tokens, int heads, float scale) {
  __shared__ __half tile[kTile][kTile + 2];
  const int token0 = blockIdx.x * kTile;
  const int head = blockIdx.y;
  const int c0 = blockIdx.z * kTile;
  for (int y = threadIdx.y; y < kTile; y += blockDim.y) {
    const int token = token0 + y;
    if (token < tokens) {
      tile[y][threadIdx.x] = keys[((size_t)token * heads + head) * kChannels + c0 + threadIdx.x];
    }
  }
  __syncthreads();
  const int token = token0 + threadIdx.x;
  if (token >= tokens) return;
  for (int y = threadIdx.y; y < kTile; y += blockDim.y) {
    const float key = __half2float(tile[threadIdx.x][y]);
    cache[((size_t)head * kChannels + c0 + y) * tokens + token] = __float2half(key * scale);
  }
}

int main(int argc, char** argv) {
  const int tokens = 4096, heads = 32;
  const size_t n = (size_t)tokens * heads * kChannels;
  Random rnd{3};
  const auto keys = Upload(Generate(n, [&](int) { return __float2half(Unit(rnd()) - 0.5f); }));
  const auto a = Allocate<__half>(n), b = Allocate<__half>(n);

  const float scale = 0.08838835f;
  const dim3 tiles((tokens + kTile - 1) / kTile, heads, kChannels / kTile);
  const auto naive = [&] {
    key_cache_naive<<<dim3(tokens, heads), kChannels>>>(keys, a, tokens, heads, scale);
  };
  const auto repaired = [&] {
    key_cache_repaired<<<tiles, dim3(kTile, 4)>>>(keys, b, tokens, heads, scale);
  };
  return Run(argc, argv, naive, repaired, [&] { return Near(a, b, 1e-4); });
}
