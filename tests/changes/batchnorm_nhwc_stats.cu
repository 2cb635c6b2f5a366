// SPDX-License-Identifier: Apache-2.0
//
// Training-time batch normalisation, first stage: for an NHWC activation tensor
// in half precision, the partial sum and partial sum of squares of every channel
// are accumulated over a slab of pixels. The partials are combined later.
#include "harness.h"

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

int main(int argc, char** argv) {
  const int pixels = 32 * 56 * 56, channels = 192, slabs = 64;
  const ActShape sh{pixels, channels, (pixels + slabs - 1) / slabs};
  Random rnd{12345};
  const auto act = Upload(Generate((size_t)pixels * channels, [&](int) {
    return __float2half((float)((int)(rnd() >> 22) - 400) / 512.f);
  }));
  const auto pivot = Upload(Generate(channels, [](int c) { return 0.001f * c; }));
  const auto pa = Allocate<Moments>(slabs * channels), pb = Allocate<Moments>(slabs * channels);

  const dim3 grid_a(channels, slabs), grid_b((channels + 31) / 32, slabs);
  const auto naive = [&] { batchnorm_nhwc_stats_naive<<<grid_a, 256>>>(act, pa, pivot, sh); };
  const auto repaired = [&] {
    batchnorm_nhwc_stats_repaired<<<grid_b, dim3(32, 8)>>>(act, pb, pivot, sh);
  };
  return Run(argc, argv, naive, repaired, [&] {
    const auto a = Host(pa), b = Host(pb);
    return All(a.size(), [&](size_t i) {
      return Close(a[i].s, b[i].s, 0.05) && Close(a[i].ss, b[i].ss, 1e-3, 1e-3);
    });
  });
}
