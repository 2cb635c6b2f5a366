// SPDX-License-Identifier: Apache-2.0
//
// Seismics: one step of the acoustic wave equation in a velocity model whose samples lie
// depth first, as the processing packages write them (trace after trace).
#include "harness.h"

struct Volume {
  int nx, ny, nz;  // inline, crossline, depth
  int sx, sy;      // strides of x and y; that of z is 1
  __host__ __device__ int at(int x, int y, int z) const { return x * sx + y * sy + z; }
  __host__ __device__ bool border(int x, int y, int z) const {
    return x == 0 || y == 0 || z == 0 || x == nx - 1 || y == ny - 1 || z == nz - 1;
  }
};

__global__ void seismic_step_naive(Volume v, const float* __restrict__ prev,
                                   const float* __restrict__ cur, const float* __restrict__ c2,
                                   float* __restrict__ next) {
  const int ix = blockIdx.x * blockDim.x + threadIdx.x;
  const int iy = blockIdx.y * blockDim.y + threadIdx.y;
  const int iz = blockIdx.z * blockDim.z + threadIdx.z;
  if (ix >= v.nx || iy >= v.ny || iz >= v.nz) return;
  const int o = v.at(ix, iy, iz);
  if (v.border(ix, iy, iz)) {
    next[o] = 0.f;
    return;
  }
  const float centre = cur[o];
  float lap = -6.f * centre;
  lap += cur[o - v.sx] + cur[o + v.sx];
  lap += cur[o - v.sy] + cur[o + v.sy];
  lap += cur[o - 1] + cur[o + 1];
  next[o] = 2.f * centre - prev[o] + c2[o] * lap;
}

__global__ void seismic_step_repaired(Volume v, const float* __restrict__ prev,
                                      const float* __restrict__ cur, const float* __restrict__ c2,
                                      float* __restrict__ next) {
  const int iz = blockIdx.x * blockDim.x + threadIdx.x;
  const int iy = blockIdx.y * blockDim.y + threadIdx.y;
  const int ix = blockIdx.z * blockDim.z + threadIdx.z;
  if (ix >= v.nx || iy >= v.ny || iz >= v.nz) return;
  const int o = v.at(ix, iy, iz);
  if (v.border(ix, iy, iz)) {
    next[o] = 0.f;
    return;
  }
  const float centre = cur[o];
  float lap = -6.f * centre;
  lap += cur[o - v.sx] + cur[o + v.sx];
  lap += cur[o - v.sy] + cur[o + v.sy];
  lap += cur[o - 1] + cur[o + 1];
  next[o] = 2.f * centre - prev[o] + c2[o] * lap;
}

int main(int argc, char** argv) {
  const int nx = 192, ny = 160, nz = 224;
  const Volume v{nx, ny, nz, ny * nz, nz};
  const int n = nx * ny * nz;
  Random rnd{3};
  const auto noise = [&](int) { return Unit(rnd()) - 0.5f; };
  const auto prev = Upload(Generate(n, noise)), cur = Upload(Generate(n, noise));
  const auto c2 = Upload(Generate(n, [&](int i) { return 0.05f + 0.0005f * (i % nz); }));
  const auto a = Allocate<float>(n), b = Allocate<float>(n);

  const dim3 block(32, 4, 2);
  const auto blocks = [&](int x, int y, int z) {
    return dim3((x + block.x - 1) / block.x, (y + block.y - 1) / block.y,
                (z + block.z - 1) / block.z);
  };
  const auto naive = [&] {
    seismic_step_naive<<<blocks(nx, ny, nz), block>>>(v, prev, cur, c2, a);
  };
  const auto repaired = [&] {
    seismic_step_repaired<<<blocks(nz, ny, nx), block>>>(v, prev, cur, c2, b);
  };
  return Run(argc, argv, naive, repaired, [&] { return Near(a, b, 1e-5, 1e-5); });
}
