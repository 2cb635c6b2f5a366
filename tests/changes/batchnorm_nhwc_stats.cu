// SPDX-License-Identifier: Apache-2.0
//
// Training-time batch normalisation, first stage: for an NHWC activation tensor
// in half precision, the partial sum and partial sum of squares of every channel
// are accumulated over a slab of pixels. The partials are combined later.
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

struct ActShape {
  int pixels;    // N * H * W
  int channels;  // C
  int slab;      // pixels per slab
};

struct Moments {
  float s, ss;
};

__device__ __forceinline__ Moments operator+(Moments a, Moments b) {
  return {a.s + b.s, a.ss + b.ss};
}

__device__ __forceinline__ Moments warp_sum(Moments m) {
  for (int o = 16; o > 0; o >>= 1) {
    m.s += __shfl_down_sync(0xffffffffu, m.s, o);
    m.ss += __shfl_down_sync(0xffffffffu, m.ss, o);
  }
  return m;
}

// grid: (channels, slabs), block: 256
__global__ void batchnorm_nhwc_stats_naive(const __half* __restrict__ act,
                                           Moments* __restrict__ partial,
                                           const float* __restrict__ pivot, ActShape sh) {
  __shared__ Moments warp_part[32];
  const int c = blockIdx.x;
  const int first = blockIdx.y * sh.slab;
  const int last = min(first + sh.slab, sh.pixels);
  const float k = pivot[c];

  Moments m{0.f, 0.f};
  for (int p = first + threadIdx.x; p < last; p += blockDim.x) {
    const float v = __half2float(act[(size_t)p * sh.channels + c]) - k;
    m.s += v;
    m.ss += v * v;
  }

  m = warp_sum(m);
  const int lane = threadIdx.x & 31, warp = threadIdx.x >> 5;
  if (lane == 0) warp_part[warp] = m;
  __syncthreads();
  if (warp == 0) {
    const int nw = blockDim.x >> 5;
    m = lane < nw ? warp_part[lane] : Moments{0.f, 0.f};
    m = warp_sum(m);
    if (lane == 0) partial[(size_t)blockIdx.y * sh.channels + c] = m;
  }
}

// grid: (channels / 32, slabs), block: (32, 8)
__global__ void batchnorm_nhwc_stats_repaired(const __half* __restrict__ act,
                                              Moments* __restrict__ partial,
                                              const float* __restrict__ pivot, ActShape sh) {
  __shared__ Moments part[8][32];
  const int c = blockIdx.x * 32 + threadIdx.x;
  const int first = blockIdx.y * sh.slab;
  const int last = min(first + sh.slab, sh.pixels);

  Moments m{0.f, 0.f};
  if (c < sh.channels) {
    const float k = pivot[c];
    for (int p = first + threadIdx.y; p < last; p += blockDim.y) {
      const float v = __half2float(act[(size_t)p * sh.channels + c]) - k;
      m.s += v;
      m.ss += v * v;
    }
  }
  part[threadIdx.y][threadIdx.x] = m;
  __syncthreads();
  if (threadIdx.y == 0 && c < sh.channels) {
    for (int r = 1; r < 8; ++r) m = m + part[r][threadIdx.x];
    partial[(size_t)blockIdx.y * sh.channels + c] = m;
  }
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

  ActShape sh;
  sh.pixels = 32 * 56 * 56;
  sh.channels = 192;
  const int slabs = 64;
  sh.slab = (sh.pixels + slabs - 1) / slabs;

  const size_t n = (size_t)sh.pixels * sh.channels;
  std::vector<__half> h(n);
  std::vector<__half> palette(1024);
  for (int i = 0; i < 1024; ++i) palette[i] = __float2half((float)(i - 400) / 512.f);
  unsigned s = 12345u;
  for (size_t i = 0; i < n; ++i) {
    s = s * 1664525u + 1013904223u;
    h[i] = palette[s >> 22];
  }
  std::vector<float> piv(sh.channels);
  for (int c = 0; c < sh.channels; ++c) piv[c] = 0.001f * c;

  __half* act;
  Moments *pa, *pb;
  float* dpiv;
  const size_t np = (size_t)slabs * sh.channels;
  CK(cudaMalloc(&act, n * sizeof(__half)));
  CK(cudaMalloc(&pa, np * sizeof(Moments)));
  CK(cudaMalloc(&pb, np * sizeof(Moments)));
  CK(cudaMalloc(&dpiv, sh.channels * sizeof(float)));
  CK(cudaMemcpy(act, h.data(), n * sizeof(__half), cudaMemcpyHostToDevice));
  CK(cudaMemcpy(dpiv, piv.data(), sh.channels * sizeof(float), cudaMemcpyHostToDevice));

  if (do_naive)
    printf("naive    %.4f ms\n", time_launches([&] {
             batchnorm_nhwc_stats_naive<<<dim3(sh.channels, slabs), 256>>>(act, pa, dpiv, sh);
           }));
  if (do_rep)
    printf("repaired %.4f ms\n", time_launches([&] {
             batchnorm_nhwc_stats_repaired<<<dim3((sh.channels + 31) / 32, slabs), dim3(32, 8)>>>(
                 act, pb, dpiv, sh);
           }));

  if (do_naive && do_rep) {
    std::vector<Moments> a(np), b(np);
    CK(cudaMemcpy(a.data(), pa, np * sizeof(Moments), cudaMemcpyDeviceToHost));
    CK(cudaMemcpy(b.data(), pb, np * sizeof(Moments), cudaMemcpyDeviceToHost));
    for (size_t i = 0; i < np; ++i) {
      if (!(std::fabs(a[i].s - b[i].s) <= 0.05f) ||
          !(std::fabs(a[i].ss - b[i].ss) <= 1e-3f * (1.f + std::fabs(a[i].ss)))) {
        fprintf(stderr, "mismatch at %zu: %g %g / %g %g\n", i, a[i].s, b[i].s, a[i].ss, b[i].ss);
        return 3;
      }
    }
    printf("results agree\n");
  }
  CK(cudaFree(act));
  CK(cudaFree(pa));
  CK(cudaFree(pb));
  CK(cudaFree(dpiv));
  return 0;
}
