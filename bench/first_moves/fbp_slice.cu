// SPDX-License-Identifier: Apache-2.0
//
// Filtered back-projection of one slice, parallel beam; the filtered sinogram as read out, detector
// by detector.
#include <cuda_runtime.h>

__device__ __forceinline__ float lerp_at(const float* col, int stride, int n, float u) {
  float fl = floorf(u);
  int i = (int)fl;
  if (i < 0 || i + 1 >= n) return 0.f;
  float a = u - fl;
  float s0 = col[(size_t)i * stride];
  float s1 = col[(size_t)(i + 1) * stride];
  return fmaf(a, s1 - s0, s0);
}

extern "C" __global__ void fbp_slice(const float* __restrict__ sino, const float* __restrict__ cosv,
                                     const float* __restrict__ sinv, float* __restrict__ img,
                                     int ndet, int nang, int size, float pixel, float centre) {
  int ix = blockIdx.x * blockDim.x + threadIdx.x;
  int iy = blockIdx.y * blockDim.y + threadIdx.y;
  if (ix >= size || iy >= size) return;
  float x = (ix - 0.5f * (size - 1)) * pixel;
  float y = (iy - 0.5f * (size - 1)) * pixel;
  if (x * x + y * y > 0.25f * size * size * pixel * pixel) {
    img[iy * size + ix] = 0.f;
    return;
  }
  float acc = 0.f;
  for (int a = 0; a < nang; ++a) {
    float u = x * cosv[a] + y * sinv[a] + centre;
    acc += lerp_at(sino + a, nang, ndet, u);
  }
  img[iy * size + ix] = acc * 3.14159265f / nang;
}
