// SPDX-License-Identifier: Apache-2.0
//
// Attention logits: S = scale * Q K^T + ALiBi slope, 64x64 tiles, 256 threads, one (batch, head) a
// grid plane.
#include <cuda_fp16.h>

#define TM 64
#define TK 16

extern "C" __global__ void attn_qk(const __half* __restrict__ q, const __half* __restrict__ k,
                                   float* __restrict__ s, const float* __restrict__ slope, int sq,
                                   int sk, int hd, int nhead, float scale) {
  __shared__ float qs[TK][TM];
  __shared__ float ks[TK][TM];
  const int tid = threadIdx.x;
  const int bh = blockIdx.z;
  const int row0 = blockIdx.y * TM, col0 = blockIdx.x * TM;
  const __half* qb = q + (size_t)bh * sq * hd;
  const __half* kb = k + (size_t)bh * sk * hd;

  const int lr = tid % TM, lc = tid / TM;  // loader: row, first column
  const int tx = tid & 15, ty = tid >> 4;  // compute: 4x4 a thread
  float acc[4][4] = {};

  for (int d0 = 0; d0 < hd; d0 += TK) {
#pragma unroll
    for (int c = 0; c < TK; c += 4) {
      qs[lc + c][lr] = __half2float(qb[(size_t)(row0 + lr) * hd + d0 + lc + c]);
      ks[lc + c][lr] = __half2float(kb[(size_t)(col0 + lr) * hd + d0 + lc + c]);
    }
    __syncthreads();
#pragma unroll
    for (int d = 0; d < TK; ++d) {
      float a[4], b[4];
#pragma unroll
      for (int i = 0; i < 4; ++i) {
        a[i] = qs[d][ty * 4 + i];
        b[i] = ks[d][tx + 16 * i];
      }
#pragma unroll
      for (int i = 0; i < 4; ++i)
#pragma unroll
        for (int j = 0; j < 4; ++j) acc[i][j] = fmaf(a[i], b[j], acc[i][j]);
    }
    __syncthreads();
  }

  const float m = slope[bh % nhead];
  float* sb = s + (size_t)bh * sq * sk;
  for (int i = 0; i < 4; ++i) {
    int r = row0 + ty * 4 + i;
    for (int j = 0; j < 4; ++j) {
      int c = col0 + tx + 16 * j;
      sb[(size_t)r * sk + c] = c <= r ? acc[i][j] * scale - m * (float)(r - c) : -1e30f;
    }
  }
}
