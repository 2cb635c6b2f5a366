// SPDX-License-Identifier: Apache-2.0
//
// Mixture-of-experts router: softmax over the expert logits of a token, two best experts, load
// counts.
#include <cuda_fp16.h>

#define MAXE 128

extern "C" __global__ void moe_route(const __half* __restrict__ logits,
                                     const float* __restrict__ bias, int* __restrict__ expert,
                                     float* __restrict__ weight, float* __restrict__ lse,
                                     int* __restrict__ load, int ntok, int nexp, float temp) {
  __shared__ int cnt[MAXE];
  for (int e = threadIdx.x; e < nexp; e += blockDim.x) cnt[e] = 0;
  __syncthreads();

  int t = blockIdx.x * blockDim.x + threadIdx.x;
  if (t < ntok) {
    const __half* row = logits + (size_t)t * nexp;
    float m = -1e30f, sum = 0.f, v1 = -1e30f, v2 = -1e30f;
    int e1 = 0, e2 = 0;
    for (int e = 0; e < nexp; ++e) {
      float z = __half2float(row[e]) * temp;
      float nm = fmaxf(m, z);
      sum = sum * __expf(m - nm) + __expf(z - nm);
      m = nm;
      float key = z + bias[e];
      if (key > v1) {
        v2 = v1;
        e2 = e1;
        v1 = key;
        e1 = e;
      } else if (key > v2) {
        v2 = key;
        e2 = e;
      }
    }
    float w1 = __expf(v1 - bias[e1] - m) / sum, w2 = __expf(v2 - bias[e2] - m) / sum;
    float inv = 1.f / (w1 + w2);
    expert[2 * t] = e1;
    expert[2 * t + 1] = e2;
    weight[2 * t] = w1 * inv;
    weight[2 * t + 1] = w2 * inv;
    lse[t] = m + __logf(sum);
    atomicAdd(&cnt[e1], 1);
    atomicAdd(&cnt[e2], 1);
  }
  __syncthreads();
  for (int e = threadIdx.x; e < nexp; e += blockDim.x)
    if (cnt[e]) atomicAdd(load + e, cnt[e]);
}
