// SPDX-License-Identifier: Apache-2.0
//
// One radix-2 stage of a number-theoretic transform over the Goldilocks prime, for a batch of
// polynomials.
#include <cuda_runtime.h>
typedef unsigned long long u64;

#define GP 0xFFFFFFFF00000001ull

__device__ __forceinline__ u64 add_m(u64 a, u64 b) {
  u64 s = a + b;
  if (s < a || s >= GP) s -= GP;
  return s;
}

__device__ __forceinline__ u64 sub_m(u64 a, u64 b) { return a >= b ? a - b : a + (GP - b); }

__device__ __forceinline__ u64 mul_m(u64 a, u64 b) {
  u64 lo = a * b, hi = __umul64hi(a, b);
  u64 hh = hi >> 32, hl = hi & 0xFFFFFFFFull;
  u64 t = lo - hh;
  if (lo < hh) t -= 0xFFFFFFFFull;
  u64 m = hl * 0xFFFFFFFFull;
  u64 r = t + m;
  if (r < m) r += 0xFFFFFFFFull;
  return r >= GP ? r - GP : r;
}

extern "C" __global__ void ntt_stage(u64* __restrict__ a, const u64* __restrict__ tw, int n,
                                     int half, int batch) {
  const int pairs = n >> 1;
  const long long total = (long long)batch * pairs;
  for (long long id = blockIdx.x * (long long)blockDim.x + threadIdx.x; id < total;
       id += (long long)gridDim.x * blockDim.x) {
    int poly = (int)(id / pairs);
    int j = (int)(id % pairs);
    int grp = j / half, k = j % half;
    u64* p = a + (long long)poly * n + (long long)grp * 2 * half + k;
    u64 u = p[0];
    u64 v = mul_m(p[half], tw[half + k]);
    p[0] = add_m(u, v);
    p[half] = sub_m(u, v);
  }
}
