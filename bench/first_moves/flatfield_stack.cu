// SPDX-License-Identifier: Apache-2.0
//
// Fluorescence camera: dark/flat correction of a stack of raw frames, running mean, hot-pixel veto.
#include <cuda_runtime.h>

__device__ __forceinline__ float correct(unsigned short raw, float dark, float gain, float bias) {
  return ((float)raw - dark - bias) * gain;
}

extern "C" __global__ void flatfield_stack(const unsigned short* __restrict__ raw,
                                           const float* __restrict__ dark,
                                           const float* __restrict__ gain,
                                           const float* __restrict__ rowbias,
                                           const unsigned char* __restrict__ hot,
                                           float* __restrict__ mean, float* __restrict__ var,
                                           int width, int height, int nframe, float sat) {
  const int x = blockIdx.x * blockDim.x + threadIdx.x;
  const int y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x >= width || y >= height) return;
  const int p = y * width + x;
  const size_t frame = (size_t)width * height;

  const float d = dark[p], g = gain[p];
  const bool dead = hot[p] != 0;
  float mu = 0.f, m2 = 0.f;
  int cnt = 0;
  const unsigned short* src = raw + p;
  for (int f = 0; f < nframe; ++f, src += frame) {
    float v = correct(*src, d, g, rowbias[f * height + y]);
    if (v < sat) {
      ++cnt;
      float delta = v - mu;
      mu += delta / cnt;
      m2 += delta * (v - mu);
    }
  }
  mean[p] = dead ? -1.f : mu;
  var[p] = (dead || cnt < 2) ? 0.f : m2 / (cnt - 1);
}
