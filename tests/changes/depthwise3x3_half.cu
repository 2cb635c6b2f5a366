// SPDX-License-Identifier: Apache-2.0
//
// Depthwise 3x3 convolution with zero padding, bias and ReLU6 on an NCHW half-precision
// feature map (4 x 256 x 96 x 128), accumulating in float.
#include "harness.h"

struct MapShape {
  int channels, height, width;
};

struct DwParams {
  const __half* __restrict__ taps;  // [channel][9]
  const float* __restrict__ bias;   // [channel]
};

__device__ __forceinline__ float fetch_or_zero(const __half* __restrict__ plane, MapShape s, int y,
                                               int x) {
  const bool inside = (unsigned)y < (unsigned)s.height && (unsigned)x < (unsigned)s.width;
  return inside ? __half2float(plane[y * s.width + x]) : 0.f;
}

__global__ void depthwise3x3_half_naive(const __half* __restrict__ in, __half* __restrict__ out,
                                        DwParams p, MapShape s) {
  const int ox = blockIdx.x * blockDim.x + threadIdx.x;
  const int oy = blockIdx.y * blockDim.y + threadIdx.y;
  if (ox >= s.width || oy >= s.height) return;
  const int c = blockIdx.z % s.channels;
  const size_t base = (size_t)blockIdx.z * s.height * s.width;
  float acc = p.bias[c];
#pragma unroll
  for (int dy = 0; dy < 3; ++dy)
#pragma unroll
    for (int dx = 0; dx < 3; ++dx)
      acc += __half2float(p.taps[c * 9 + dy * 3 + dx]) *
             fetch_or_zero(in + base, s, oy + dy - 1, ox + dx - 1);
  out[base + oy * s.width + ox] = __float2half(fminf(fmaxf(acc, 0.f), 6.f));
}

__global__ void depthwise3x3_half_repaired(const __half* __restrict__ in, __half* __restrict__ out,
                                           DwParams p, MapShape s) {
  const int ox = blockIdx.x * blockDim.x + threadIdx.x;
  const int oy = blockIdx.y * blockDim.y + threadIdx.y;
  if (ox >= s.width || oy >= s.height) return;
  const int c = blockIdx.z % s.channels;
  const size_t base = (size_t)blockIdx.z * s.height * s.width;
  float acc = p.bias[c];
#pragma unroll
  for (int dy = 0; dy < 3; ++dy)
#pragma unroll
    for (int dx = 0; dx < 3; ++dx)
      acc += __half2float(p.taps[c * 9 + dy * 3 + dx]) *
             fetch_or_zero(in + base, s, oy + dy - 1, ox + dx - 1);
  out[base + oy * s.width + ox] = __float2half(fminf(fmaxf(acc, 0.f), 6.f));
}

int main(int argc, char** argv) {
  const int batch = 4;
  const MapShape s{256, 96, 128};
  const size_t total = (size_t)batch * s.channels * s.height * s.width;
  Random rnd{99};
  auto value = [&](int) { return __float2half(2.f * Unit(rnd()) - 1.f); };
  const auto in = Upload(Generate(total, value));
  const auto taps = Upload(Generate(s.channels * 9, value));
  const auto bias =
      Upload(Generate(s.channels, [&](int) { return 2.f * Unit(rnd()) - 1.f + 0.5f; }));
  const DwParams p{taps, bias};
  const auto a = Allocate<__half>(total), b = Allocate<__half>(total);

  auto grid = [&](dim3 block) {
    return dim3((s.width + block.x - 1) / block.x, (s.height + block.y - 1) / block.y,
                batch * s.channels);
  };
  const dim3 narrow(8, 16), wide(32, 4);
  const auto naive = [&] { depthwise3x3_half_naive<<<grid(narrow), narrow>>>(in, a, p, s); };
  const auto repaired = [&] { depthwise3x3_half_repaired<<<grid(wide), wide>>>(in, b, p, s); };
  return Run(argc, argv, naive, repaired, [&] { return Near(a, b, 5e-3); });
}
