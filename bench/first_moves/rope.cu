// SPDX-License-Identifier: Apache-2.0
//
// Rotary position embedding (half-split form), in place on q[token][head][dim].
#include <cuda_fp16.h>
extern "C" __global__ void rope_inplace(
    __half* q, const int* __restrict__ pos_ids,
    const float2* __restrict__ cos_sin,  // [max_pos][head_dim/2]
    int n_tok, int n_head, int head_dim) {
  const int half_dim = head_dim / 2;
  long long i = (long long)blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= (long long)n_tok * n_head * half_dim) return;
  int head = (int)(i % n_head);
  int d = (int)((i / n_head) % half_dim);
  int tok = (int)(i / ((long long)n_head * half_dim));

  float2 cs = cos_sin[(size_t)pos_ids[tok] * half_dim + d];
  __half* v = q + ((size_t)tok * n_head + head) * head_dim;
  float a = __half2float(v[d]), b = __half2float(v[d + half_dim]);
  v[d] = __float2half(a * cs.x - b * cs.y);
  v[d + half_dim] = __float2half(b * cs.x + a * cs.y);
}
