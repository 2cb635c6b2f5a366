// SPDX-License-Identifier: Apache-2.0
//
// D2Q9 lattice Boltzmann: pull streaming, BGK collision with a body force, bounce-back walls.
#include <cuda_runtime.h>

template <typename T>
struct Lat {
  static constexpr int Q = 9;
};
__constant__ int c_ex[9] = {0, 1, 0, -1, 0, 1, -1, -1, 1};
__constant__ int c_ey[9] = {0, 0, 1, 0, -1, 1, 1, -1, -1};
__constant__ int c_opp[9] = {0, 3, 4, 1, 2, 7, 8, 5, 6};
__constant__ float c_w[9] = {4.f / 9,  1.f / 9,  1.f / 9,  1.f / 9, 1.f / 9,
                             1.f / 36, 1.f / 36, 1.f / 36, 1.f / 36};

__device__ __forceinline__ int wrap(int i, int n) { return i < 0 ? i + n : (i >= n ? i - n : i); }

template <typename T, bool FORCE>
__global__ void lbm_step(const T* __restrict__ src, T* __restrict__ dst,
                         const unsigned char* __restrict__ solid, T* __restrict__ rho_out,
                         T* __restrict__ speed, int nx, int ny, T omega, T gx) {
  constexpr int Q = Lat<T>::Q;
  int x = blockIdx.x * blockDim.x + threadIdx.x;
  int y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x >= nx || y >= ny) return;
  size_t cell = (size_t)y * nx + x;

  T f[Q], rho = 0, mx = 0, my = 0;
#pragma unroll
  for (int q = 0; q < Q; ++q) {
    int xs = wrap(x - c_ex[q], nx), ys = wrap(y - c_ey[q], ny);
    f[q] = src[((size_t)ys * nx + xs) * Q + q];
    rho += f[q];
    mx += f[q] * c_ex[q];
    my += f[q] * c_ey[q];
  }
  if (solid[cell]) {
    for (int q = 0; q < Q; ++q) dst[cell * Q + c_opp[q]] = f[q];
    return;
  }
  T inv = T(1) / rho, ux = mx * inv, uy = my * inv;
  if (FORCE) ux += T(0.5) * gx * inv;
  T usq = T(1.5) * (ux * ux + uy * uy);
#pragma unroll
  for (int q = 0; q < Q; ++q) {
    T eu = T(3) * (c_ex[q] * ux + c_ey[q] * uy);
    T feq = T(c_w[q]) * rho * (T(1) + eu + T(0.5) * eu * eu - usq);
    T s = FORCE ? T(3) * T(c_w[q]) * c_ex[q] * gx : T(0);
    dst[cell * Q + q] = f[q] + omega * (feq - f[q]) + s;
  }
  rho_out[cell] = rho;
  speed[cell] = sqrtf(ux * ux + uy * uy);
}

template __global__ void lbm_step<float, true>(const float*, float*, const unsigned char*, float*,
                                               float*, int, int, float, float);
