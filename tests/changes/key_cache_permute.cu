// SPDX-License-Identifier: Apache-2.0
//
// Attention preprocessing: the key tensor [batch][seq][head][dim] (half) is brought
// into [batch][head][dim][seq] for the score product; keys are scaled per head and
// positions past the length of a sequence become zero.
#include <cuda_fp16.h>
#include <cuda_runtime.h>

#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <vector>

#define CK(call)                                                                  \
  do {                                                                            \
    cudaError_t e_ = (call);                                                      \
    if (e_ != cudaSuccess) {                                                      \
      fprintf(stderr, "%s:%d: %s\n", __FILE__, __LINE__, cudaGetErrorString(e_)); \
      exit(2);                                                                    \
    }                                                                             \
  } while (0)

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

template <class F>
static float time_launches(F launch) {
  cudaEvent_t t0, t1;
  CK(cudaEventCreate(&t0));
  CK(cudaEventCreate(&t1));
  launch();
  CK(cudaGetLastError());
  CK(cudaDeviceSynchronize());
  CK(cudaEventRecord(t0));
  for (int i = 0; i < 5; ++i) launch();
  CK(cudaEventRecord(t1));
  CK(cudaGetLastError());
  CK(cudaEventSynchronize(t1));
  float ms = 0.f;
  CK(cudaEventElapsedTime(&ms, t0, t1));
  return ms / 5;
}

int main(int argc, char** argv) {
  const char* mode = argc > 1 ? argv[1] : "both";
  const bool do_naive = !strcmp(mode, "naive") || !strcmp(mode, "both");
  const bool do_rep = !strcmp(mode, "repaired") || !strcmp(mode, "both");
  if (!do_naive && !do_rep) return 1;

  constexpr int DIM = 128;
  const int batch = 4, seq = 1536, heads = 16;
  const size_t n = (size_t)batch * seq * heads * DIM;
  std::vector<__half> h(n), palette(2048);
  for (int i = 0; i < 2048; ++i) palette[i] = __float2half((i - 1024) / 256.f);
  unsigned s = 2024u;
  for (size_t i = 0; i < n; ++i) {
    s = s * 1664525u + 1013904223u;
    h[i] = palette[s >> 21];
  }
  std::vector<float> scale(heads);
  for (int i = 0; i < heads; ++i) scale[i] = 0.08f + 0.002f * i;
  const int len[4] = {1536, 1201, 900, 1500};

  __half *dk, *dt[2];
  float* dscale;
  int* dlen;
  CK(cudaMalloc(&dk, n * sizeof(__half)));
  CK(cudaMalloc(&dt[0], n * sizeof(__half)));
  CK(cudaMalloc(&dt[1], n * sizeof(__half)));
  CK(cudaMalloc(&dscale, heads * sizeof(float)));
  CK(cudaMalloc(&dlen, sizeof(len)));
  CK(cudaMemcpy(dk, h.data(), n * sizeof(__half), cudaMemcpyHostToDevice));
  CK(cudaMemcpy(dscale, scale.data(), heads * sizeof(float), cudaMemcpyHostToDevice));
  CK(cudaMemcpy(dlen, len, sizeof(len), cudaMemcpyHostToDevice));

  const KeyLayout<DIM> lay{seq, heads};
  if (do_naive)
    printf("naive    %.4f ms\n", time_launches([&] {
             key_cache_permute_naive<DIM><<<dim3((seq + 1) / 2, heads, batch), dim3(DIM, 2)>>>(
                 dk, dt[0], dscale, dlen, lay);
           }));
  if (do_rep)
    printf("repaired %.4f ms\n", time_launches([&] {
             key_cache_permute_repaired<DIM>
                 <<<dim3((seq + 31) / 32 * (DIM / 32), heads, batch), dim3(32, 8)>>>(
                     dk, dt[1], dscale, dlen, lay);
           }));
  if (do_naive && do_rep) {
    std::vector<__half> a(n), b(n);
    CK(cudaMemcpy(a.data(), dt[0], n * sizeof(__half), cudaMemcpyDeviceToHost));
    CK(cudaMemcpy(b.data(), dt[1], n * sizeof(__half), cudaMemcpyDeviceToHost));
    if (memcmp(a.data(), b.data(), n * sizeof(__half)) != 0) {
      fprintf(stderr, "results differ\n");
      return 3;
    }
    printf("results agree\n");
  }
  CK(cudaFree(dk));
  CK(cudaFree(dt[0]));
  CK(cudaFree(dt[1]));
  CK(cudaFree(dscale));
  CK(cudaFree(dlen));
  return 0;
}
