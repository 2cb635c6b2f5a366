// SPDX-License-Identifier: Apache-2.0
//
// Cloth: area-weighted vertex normals and face pressure forces, accumulated from the triangles.
#include <cuda_runtime.h>

__device__ __forceinline__ float3 load3(const float* p, int v) {
  return make_float3(p[3 * v], p[3 * v + 1], p[3 * v + 2]);
}

__device__ __forceinline__ void add3(float* p, int v, float3 a) {
  atomicAdd(p + 3 * v, a.x);
  atomicAdd(p + 3 * v + 1, a.y);
  atomicAdd(p + 3 * v + 2, a.z);
}

extern "C" __global__ void mesh_normals(const int* __restrict__ tri, const float* __restrict__ pos,
                                        float* __restrict__ nrm, float* __restrict__ force,
                                        float* __restrict__ area, int nface, float pressure) {
  int f = blockIdx.x * blockDim.x + threadIdx.x;
  if (f >= nface) return;
  int i = tri[3 * f], j = tri[3 * f + 1], k = tri[3 * f + 2];

  float3 a = load3(pos, i), b = load3(pos, j), c = load3(pos, k);
  float3 u = make_float3(b.x - a.x, b.y - a.y, b.z - a.z);
  float3 v = make_float3(c.x - a.x, c.y - a.y, c.z - a.z);
  float3 n = make_float3(u.y * v.z - u.z * v.y, u.z * v.x - u.x * v.z, u.x * v.y - u.y * v.x);

  float len = sqrtf(n.x * n.x + n.y * n.y + n.z * n.z);
  area[f] = 0.5f * len;
  float w = pressure * (1.f / 6.f);
  float3 p = make_float3(w * n.x, w * n.y, w * n.z);
  add3(nrm, i, n);
  add3(nrm, j, n);
  add3(nrm, k, n);
  add3(force, i, p);
  add3(force, j, p);
  add3(force, k, p);
}
