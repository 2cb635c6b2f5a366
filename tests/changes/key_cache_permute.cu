// SPDX-License-Identifier: Apache-2.0
//
// Attention preprocessing: the key tensor [batch][seq][head][dim] (half) is brought
// into [batch][head][dim][seq] for the score product; keys are scaled per head and
// positions past the length of a sequence become zero.
#include "harness.h"

template <int DIM>
struct KeyLayout {
  int seq, heads;
  __device__ size_t src(int b, int s, int h, int d) const {
    return (((size_t)b * seq + s) * heads + h) * DIM + d;
  }
  __device__ size_t dst(int b, int s, int h, int d) const {
    return (((size_t)b * heads + h) * DIM + d) * seq + s;
  }
};

__device__ __forceinline__ __half prepared(__half k, float scale, bool live) {
  return live ? __float2half(__half2float(k) * scale) : __float2half(0.f);
}

// block: (DIM, 2); grid: (seq / 2, heads, batch)
template <int DIM>
__global__ void key_cache_permute_naive(const __half* __restrict__ k, __half* __restrict__ kt,
                                        const float* __restrict__ head_scale,
                                        const int* __restrict__ length, KeyLayout<DIM> lay) {
  const int d = threadIdx.x;
  const int s = blockIdx.x * blockDim.y + threadIdx.y;
  const int h = blockIdx.y;
  const int b = blockIdx.z;
  if (s >= lay.seq) return;

  const bool live = s < length[b];
  const __half v = k[lay.src(b, s, h, d)];
  kt[lay.dst(b, s, h, d)] = prepared(v, head_scale[h], live);
}

// block: (32, 8); grid: (seq / 32 * DIM / 32, heads, batch)
template <int DIM>
__global__ void key_cache_permute_repaired(const __half* __restrict__ k, __half* __restrict__ kt,
                                           const float* __restrict__ head_scale,
                                           const int* __restrict__ length, KeyLayout<DIM> lay) {
  __shared__ __half tile[32][34];
  const int d0 = (blockIdx.x % (DIM / 32)) * 32;
  const int s0 = (blockIdx.x / (DIM / 32)) * 32;
  const int h = blockIdx.y;
  const int b = blockIdx.z;
  const int len = length[b];
  const float scale = head_scale[h];

  for (int r = threadIdx.y; r < 32; r += 8) {
    const int s = s0 + r;
    if (s < lay.seq)
      tile[r][threadIdx.x] = prepared(k[lay.src(b, s, h, d0 + threadIdx.x)], scale, s < len);
  }
  __syncthreads();
  const int s = s0 + threadIdx.x;
  if (s >= lay.seq) return;
  for (int r = threadIdx.y; r < 32; r += 8) kt[lay.dst(b, s, h, d0 + r)] = tile[threadIdx.x][r];
}

int main(int argc, char** argv) {
  constexpr int DIM = 128;
  const int batch = 4, seq = 1536, heads = 16;
  const size_t n = (size_t)batch * seq * heads * DIM;
  Random rnd{2024};
  const auto k =
      Upload(Generate(n, [&](int) { return __float2half(((int)(rnd() >> 21) - 1024) / 256.f); }));
  const auto scale = Upload(Generate(heads, [](int i) { return 0.08f + 0.002f * i; }));
  const auto length = Upload(std::vector<int>{1536, 1201, 900, 1500});
  const auto a = Allocate<__half>(n), b = Allocate<__half>(n);

  const KeyLayout<DIM> lay{seq, heads};
  const dim3 grid_a((seq + 1) / 2, heads, batch), block_a(DIM, 2);
  const dim3 grid_b((seq + 31) / 32 * (DIM / 32), heads, batch), block_b(32, 8);
  const auto naive = [&] {
    key_cache_permute_naive<DIM><<<grid_a, block_a>>>(k, a, scale, length, lay);
  };
  const auto repaired = [&] {
    key_cache_permute_repaired<DIM><<<grid_b, block_b>>>(k, b, scale, length, lay);
  };
  return Run(argc, argv, naive, repaired, [&] { return Near(a, b); });
}
