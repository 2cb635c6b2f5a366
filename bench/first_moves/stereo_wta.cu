// SPDX-License-Identifier: Apache-2.0
//
// Stereo matching: winner takes all over an aggregated cost volume, uniqueness test, sub-pixel fit.
#include <cuda_runtime.h>

struct Best {
  int cost;
  int d;
};

__device__ __forceinline__ void keep(Best& b1, int& second, int c, int d) {
  if (c < b1.cost) {
    if (d - b1.d > 1) second = b1.cost;
    b1.cost = c;
    b1.d = d;
  } else if (c < second && d - b1.d > 1) {
    second = c;
  }
}

extern "C" __global__ void stereo_wta(const unsigned short* __restrict__ cost,
                                      const unsigned char* __restrict__ valid,
                                      unsigned short* __restrict__ disp,
                                      unsigned char* __restrict__ conf, int width, int height,
                                      int ndisp, float ratio) {
  int u = blockIdx.x * blockDim.x + threadIdx.x;
  int v = blockIdx.y * blockDim.y + threadIdx.y;
  if (u >= width || v >= height) return;

  const long long plane = (long long)width * height;
  const long long at = (long long)v * width + u;
  Best b = {1 << 20, -4};
  int second = 1 << 20, prev = 0, left = 0, right = 0;
  for (int d = 0; d < ndisp; ++d) {
    int c = cost[d * plane + at];
    if (d - 1 == b.d) right = c;
    int before = b.d;
    keep(b, second, c, d);
    if (b.d != before) left = prev;
    prev = c;
  }
  int den = left + right - 2 * b.cost;
  float off = den > 0 ? 0.5f * (left - right) / den : 0.f;
  bool ok = valid[at] && b.cost < ratio * second;
  disp[at] = ok ? (unsigned short)((b.d + off) * 16.f + 0.5f) : 0xFFFF;
  conf[at] = (unsigned char)min(255, max(0, second - b.cost));
}
