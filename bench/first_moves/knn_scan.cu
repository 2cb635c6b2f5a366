// SPDX-License-Identifier: Apache-2.0
//
// Brute-force nearest descriptors: four best of the reference set for each query; query descriptors
// in registers.
#include <cuda_runtime.h>

#define DIM 16
#define TOP 4

__device__ __forceinline__ void insert(float* d, int* id, float v, int j) {
  if (v >= d[TOP - 1]) return;
  d[TOP - 1] = v;
  id[TOP - 1] = j;
#pragma unroll
  for (int k = TOP - 1; k > 0; --k)
    if (d[k] < d[k - 1]) {
      float t = d[k];
      d[k] = d[k - 1];
      d[k - 1] = t;
      int u = id[k];
      id[k] = id[k - 1];
      id[k - 1] = u;
    }
}

extern "C" __global__ void knn_scan(const float* __restrict__ query, const float* __restrict__ ref,
                                    float* __restrict__ dist, int* __restrict__ index, int nquery,
                                    int nref, int qpitch, float cutoff) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= nquery) return;

  float q[DIM];
#pragma unroll
  for (int d = 0; d < DIM; ++d) q[d] = query[(size_t)d * qpitch + i];

  float best[TOP];
  int id[TOP];
#pragma unroll
  for (int k = 0; k < TOP; ++k) {
    best[k] = cutoff;
    id[k] = -1;
  }

  for (int j = 0; j < nref; ++j) {
    const float* r = ref + (size_t)j * DIM;
    float acc = 0.f;
#pragma unroll
    for (int d = 0; d < DIM; ++d) {
      float e = q[d] - r[d];
      acc = fmaf(e, e, acc);
    }
    insert(best, id, acc, j);
  }

#pragma unroll
  for (int k = 0; k < TOP; ++k) {
    dist[(size_t)k * qpitch + i] = best[k];
    index[(size_t)k * qpitch + i] = id[k];
  }
}
