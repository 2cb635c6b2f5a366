// SPDX-License-Identifier: Apache-2.0
//
// Prefill: normalise the keys (QK norm), append them to the key cache kept as
// [head][dim][position], values beside.
#include <cuda_fp16.h>

template <int HD>
__device__ __forceinline__ float block_sum(float v, float* sh) {
  for (int d = 16; d; d >>= 1) v += __shfl_xor_sync(0xffffffffu, v, d);
  if ((threadIdx.x & 31) == 0) sh[threadIdx.x >> 5] = v;
  __syncthreads();
  float s = 0.f;
#pragma unroll
  for (int i = 0; i < HD / 32; ++i) s += sh[i];
  return s;
}

template <int HD>
__global__ void kv_append(const __half* __restrict__ qkv, const __half* __restrict__ gain,
                          __half* __restrict__ kcache, __half* __restrict__ vcache, int nq, int nkv,
                          int start, int maxlen, float eps) {
  __shared__ float sh[HD / 32];
  const int tok = blockIdx.x, h = blockIdx.y, d = threadIdx.x;
  const long long row = (long long)(nq + 2 * nkv) * HD;
  const __half* src = qkv + tok * row + (long long)nq * HD;

  float k = __half2float(src[h * HD + d]);
  __half v = src[(nkv + h) * HD + d];

  float ss = block_sum<HD>(k * k, sh);
  k *= rsqrtf(ss / HD + eps) * __half2float(gain[d]);

  const int pos = start + tok;
  kcache[((long long)h * HD + d) * maxlen + pos] = __float2half_rn(k);
  vcache[((long long)h * maxlen + pos) * HD + d] = v;
}

template __global__ void kv_append<128>(const __half*, const __half*, __half*, __half*, int, int,
                                        int, int, float);
