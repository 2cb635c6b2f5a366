// SPDX-License-Identifier: Apache-2.0
//
// CFD: vertical component of the vorticity on a regular grid, central differences,
// zero on the lateral boundary.
#include "harness.h"

template <class T>
struct Grid3 {
  T* data;
  int nx, ny, nz;
  __device__ __forceinline__ T& operator()(int i, int j, int k) const {
    return data[((size_t)k * ny + j) * nx + i];
  }
};

__global__ void vorticity_naive(Grid3<const double> u, Grid3<const double> v, Grid3<double> w,
                                double rdx, double rdy) {
  const int k = blockIdx.x * blockDim.x + threadIdx.x;
  const int j = blockIdx.y * blockDim.y + threadIdx.y;
  const int i = blockIdx.z * blockDim.z + threadIdx.z;
  if (i >= w.nx || j >= w.ny || k >= w.nz) return;
  double curl = 0;
  if (i > 0 && i < w.nx - 1 && j > 0 && j < w.ny - 1) {
    const double dvdx = (v(i + 1, j, k) - v(i - 1, j, k)) * (0.5 * rdx);
    const double dudy = (u(i, j + 1, k) - u(i, j - 1, k)) * (0.5 * rdy);
    curl = dvdx - dudy;
  }
  w(i, j, k) = curl;
}

__global__ void vorticity_repaired(Grid3<const double> u, Grid3<const double> v, Grid3<double> w,
                                   double rdx, double rdy) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  const int j = blockIdx.y * blockDim.y + threadIdx.y;
  const int k = blockIdx.z * blockDim.z + threadIdx.z;
  if (i >= w.nx || j >= w.ny || k >= w.nz) return;
  double curl = 0;
  if (i > 0 && i < w.nx - 1 && j > 0 && j < w.ny - 1) {
    const double dvdx = (v(i + 1, j, k) - v(i - 1, j, k)) * (0.5 * rdx);
    const double dudy = (u(i, j + 1, k) - u(i, j - 1, k)) * (0.5 * rdy);
    curl = dvdx - dudy;
  }
  w(i, j, k) = curl;
}

int main(int argc, char** argv) {
  const int nx = 192, ny = 176, nz = 160;
  const size_t n = (size_t)nx * ny * nz;
  Xorshift<uint64_t, 13, 7, 17> rnd{88172645463325252ull};
  const auto u = Upload(Generate(n, [&](int) { return Unit(rnd()) - 0.5; }));
  const auto v = Upload(Generate(n, [&](int) { return Unit(rnd()) - 0.5; }));
  const auto a = Allocate<double>(n), b = Allocate<double>(n);

  const Grid3<const double> gu{u, nx, ny, nz}, gv{v, nx, ny, nz};
  const Grid3<double> ga{a, nx, ny, nz}, gb{b, nx, ny, nz};
  const dim3 block(32, 4, 2);
  const auto blocks = [&](int x, int y, int z) {
    return dim3((x + block.x - 1) / block.x, (y + block.y - 1) / block.y,
                (z + block.z - 1) / block.z);
  };
  const auto naive = [&] {
    vorticity_naive<<<blocks(nz, ny, nx), block>>>(gu, gv, ga, 64.0, 48.0);
  };
  const auto repaired = [&] {
    vorticity_repaired<<<blocks(nx, ny, nz), block>>>(gu, gv, gb, 64.0, 48.0);
  };
  return Run(argc, argv, naive, repaired, [&] { return Near(a, b, 1e-9); });
}
