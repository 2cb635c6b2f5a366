// SPDX-License-Identifier: Apache-2.0
//
// Vessel enhancement in CT angiography: Hessian by finite differences, tube measure for each voxel.
#include <cuda_runtime.h>

struct Sym3 {
  float xx, yy, zz, xy, xz, yz;
};

__device__ float tube_measure(const Sym3& h, float c) {
  float q = (h.xx + h.yy + h.zz) * (1.f / 3.f);
  float p1 = h.xy * h.xy + h.xz * h.xz + h.yz * h.yz;
  float a = h.xx - q, b = h.yy - q, d = h.zz - q;
  float p = sqrtf((a * a + b * b + d * d + 2.f * p1) * (1.f / 6.f)) + 1e-12f;
  float det =
      a * (b * d - h.yz * h.yz) - h.xy * (h.xy * d - h.yz * h.xz) + h.xz * (h.xy * h.yz - b * h.xz);
  float r = fminf(fmaxf(det / (2.f * p * p * p), -1.f), 1.f);
  float phi = acosf(r) * (1.f / 3.f);
  float l1 = q + 2.f * p * cosf(phi);
  float l3 = q + 2.f * p * cosf(phi + 2.0943951f);
  float l2 = 3.f * q - l1 - l3;
  if (l2 >= 0.f || l3 >= 0.f) return 0.f;
  float s = l1 * l1 + l2 * l2 + l3 * l3;
  return (1.f - expf(-s / (2.f * c * c))) * expf(-l1 * l1 / (2.f * fabsf(l2 * l3) + 1e-6f));
}

extern "C" __global__ void vesselness3d(const short* __restrict__ vol, float* __restrict__ out,
                                        int nx, int ny, int nz, float c, float hu_min) {
  int z = blockIdx.x * blockDim.x + threadIdx.x;
  int y = blockIdx.y * blockDim.y + threadIdx.y;
  int x = blockIdx.z * blockDim.z + threadIdx.z;
  if (x < 1 || y < 1 || z < 1 || x >= nx - 1 || y >= ny - 1 || z >= nz - 1) return;

  const long long sy = nx, sz = (long long)nx * ny;
  const short* p = vol + z * sz + y * sy + x;
  float m = p[0];
  if (m < hu_min) {
    out[z * sz + y * sy + x] = 0.f;
    return;
  }
  Sym3 h;
  h.xx = p[1] - 2.f * m + p[-1];
  h.yy = p[sy] - 2.f * m + p[-sy];
  h.zz = p[sz] - 2.f * m + p[-sz];
  h.xy = 0.25f * (p[sy + 1] - p[sy - 1] - p[-sy + 1] + p[-sy - 1]);
  h.xz = 0.25f * (p[sz + 1] - p[sz - 1] - p[-sz + 1] + p[-sz - 1]);
  h.yz = 0.25f * (p[sz + sy] - p[sz - sy] - p[-sz + sy] + p[-sz - sy]);
  out[z * sz + y * sy + x] = tube_measure(h, c);
}
