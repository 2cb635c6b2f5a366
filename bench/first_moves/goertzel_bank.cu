// SPDX-License-Identifier: Apache-2.0
//
// Tone detection for a telephony gateway: one Goertzel bank for each line.
#include <cuda_runtime.h>

#define NTONE 8
__constant__ float c_coef[NTONE];

__device__ __forceinline__ int pick(const float* p, int lo, int hi, float* best) {
  int k = lo;
  *best = p[lo];
  for (int i = lo + 1; i < hi; ++i)
    if (p[i] > *best) {
      *best = p[i];
      k = i;
    }
  return k;
}

extern "C" __global__ void goertzel_bank(const short* __restrict__ pcm, float* __restrict__ power,
                                         unsigned char* __restrict__ digit, int nline, int pitch,
                                         int nsamp, float gain, float thresh) {
  int line = blockIdx.x * blockDim.x + threadIdx.x;
  if (line >= nline) return;
  const short* x = pcm + (size_t)line * pitch;

  float s1[NTONE], s2[NTONE];
#pragma unroll
  for (int k = 0; k < NTONE; ++k) s1[k] = s2[k] = 0.f;

  float energy = 0.f;
  for (int t = 0; t < nsamp; ++t) {
    float v = gain * (float)x[t];
    energy = fmaf(v, v, energy);
#pragma unroll
    for (int k = 0; k < NTONE; ++k) {
      float s0 = fmaf(c_coef[k], s1[k], v - s2[k]);
      s2[k] = s1[k];
      s1[k] = s0;
    }
  }

  float p[NTONE];
#pragma unroll
  for (int k = 0; k < NTONE; ++k) {
    p[k] = s1[k] * s1[k] + s2[k] * s2[k] - c_coef[k] * s1[k] * s2[k];
    power[(size_t)k * nline + line] = p[k];
  }
  float bl, bh;
  int lo = pick(p, 0, 4, &bl), hi = pick(p, 4, 8, &bh);
  bool ok = (bl + bh) > thresh * energy * nsamp;
  digit[line] = ok ? (unsigned char)(lo * 4 + (hi - 4)) : 0xFF;
}
