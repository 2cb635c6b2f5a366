// SPDX-License-Identifier: Apache-2.0
//
// After a hash join: fetch the build side's columns for each matched pair and compute the line
// value.
#include <cuda_runtime.h>

__device__ __forceinline__ bool is_valid(const unsigned* bitmap, int row) {
  return (bitmap[row >> 5] >> (row & 31)) & 1u;
}

extern "C" __global__ void join_materialize(
    const int* __restrict__ probe_row, const int* __restrict__ build_row,
    const int* __restrict__ qty, const double* __restrict__ price,
    const float* __restrict__ discount, const unsigned* __restrict__ price_valid,
    const unsigned char* __restrict__ region, double* __restrict__ value,
    unsigned char* __restrict__ out_region, long long nmatch, double fx) {
  long long step = (long long)gridDim.x * blockDim.x;
  for (long long m = blockIdx.x * (long long)blockDim.x + threadIdx.x; m < nmatch; m += step) {
    int l = probe_row[m];
    int r = build_row[m];
    double v = 0.0;
    if (is_valid(price_valid, r)) v = qty[l] * price[r] * fx * (1.0 - (double)discount[r]);
    value[m] = v;
    out_region[m] = region[r];
  }
}
