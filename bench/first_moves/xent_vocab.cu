// SPDX-License-Identifier: Apache-2.0
//
// Cross-entropy of a language-model head: one block for each token's row of half logits.
#include <cuda_fp16.h>
__device__ inline float block_reduce(float v, bool is_max, float* sh) {
  for (int o = 16; o; o >>= 1) {
    float w = __shfl_xor_sync(0xffffffffu, v, o);
    v = is_max ? fmaxf(v, w) : v + w;
  }
  if ((threadIdx.x & 31) == 0) sh[threadIdx.x >> 5] = v;
  __syncthreads();
  v = sh[0];
  for (int k = 1; k < (int)(blockDim.x >> 5); ++k) v = is_max ? fmaxf(v, sh[k]) : v + sh[k];
  __syncthreads();
  return v;
}

extern "C" __global__ void xent_fwd_bwd(__half* logits, const int* __restrict__ target,
                                        float* __restrict__ loss, int vocab, int ignore_index,
                                        float scale) {
  __shared__ float sh[32];
  int row = blockIdx.x;
  int tgt = target[row];
  __half* l = logits + (size_t)row * vocab;
  if (tgt == ignore_index) {
    for (int j = threadIdx.x; j < vocab; j += blockDim.x) l[j] = __float2half(0.f);
    if (threadIdx.x == 0) loss[row] = 0.f;
    return;
  }
  float m = -1e30f;
  for (int j = threadIdx.x; j < vocab; j += blockDim.x) m = fmaxf(m, __half2float(l[j]));
  m = block_reduce(m, true, sh);
  float s = 0.f;
  for (int j = threadIdx.x; j < vocab; j += blockDim.x) s += __expf(__half2float(l[j]) - m);
  s = block_reduce(s, false, sh);
  if (threadIdx.x == 0) loss[row] = __logf(s) + m - __half2float(l[tgt]);
  __syncthreads();
  float inv = scale / s;
  for (int j = threadIdx.x; j < vocab; j += blockDim.x) {
    float g = __expf(__half2float(l[j]) - m) * inv - (j == tgt ? scale : 0.f);
    l[j] = __float2half(g);
  }
}
