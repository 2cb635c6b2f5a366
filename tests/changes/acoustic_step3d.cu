// SPDX-License-Identifier: Apache-2.0
//
// Seismic forward modelling: one time step of the constant-density acoustic wave
// equation on a 3D grid, second order in time and fourth order in space, with a
// variable velocity model and a sponge factor near the boundaries.
#include "harness.h"

constexpr int HALO = 2;

struct Dims {
  int nx, ny, nz;
  __host__ __device__ size_t count() const { return (size_t)nx * ny * nz; }
  __device__ bool interior(int i, int j, int k) const {
    return i >= HALO && i < nx - HALO && j >= HALO && j < ny - HALO && k >= HALO && k < nz - HALO;
  }
};

// Tile of points that a thread block updates.
template <int X, int Y, int Z>
struct BlockTile {
  static constexpr int x = X, y = Y, z = Z;
  static dim3 block() { return dim3(X, Y, Z); }
  static dim3 grid(Dims d) {
    return dim3((d.nx + X - 1) / X, (d.ny + Y - 1) / Y, (d.nz + Z - 1) / Z);
  }
};

template <class Tile>
__global__ void __launch_bounds__(Tile::x* Tile::y* Tile::z)
    acoustic_step3d_naive(const float* __restrict__ cur, const float* __restrict__ prev,
                          const float* __restrict__ vel2, const float* __restrict__ sponge_z,
                          float* __restrict__ next, Dims d) {
  const int i = blockIdx.x * Tile::x + threadIdx.x;
  const int j = blockIdx.y * Tile::y + threadIdx.y;
  const int k = blockIdx.z * Tile::z + threadIdx.z;
  if (!d.interior(i, j, k)) return;

  const size_t sy = d.nx;
  const size_t sz = sy * d.ny;
  const size_t at = k * sz + j * sy + i;
  const float c = cur[at];
  const float near =
      cur[at - 1] + cur[at + 1] + cur[at - sy] + cur[at + sy] + cur[at - sz] + cur[at + sz];
  const float far = cur[at - 2] + cur[at + 2] + cur[at - 2 * sy] + cur[at + 2 * sy] +
                    cur[at - 2 * sz] + cur[at + 2 * sz];
  const float lap = -7.5f * c + 1.3333334f * near - 0.083333336f * far;
  next[at] = sponge_z[k] * (2.f * c - prev[at] + vel2[at] * lap);
}

template <class Tile>
__global__ void __launch_bounds__(Tile::x* Tile::y* Tile::z)
    acoustic_step3d_repaired(const float* __restrict__ cur, const float* __restrict__ prev,
                             const float* __restrict__ vel2, const float* __restrict__ sponge_z,
                             float* __restrict__ next, Dims d) {
  const int i = blockIdx.x * Tile::x + threadIdx.x;
  const int j = blockIdx.y * Tile::y + threadIdx.y;
  const int k = blockIdx.z * Tile::z + threadIdx.z;
  if (!d.interior(i, j, k)) return;

  const size_t sy = d.nx;
  const size_t sz = sy * d.ny;
  const size_t at = k * sz + j * sy + i;
  const float c = cur[at];
  const float near =
      cur[at - 1] + cur[at + 1] + cur[at - sy] + cur[at + sy] + cur[at - sz] + cur[at + sz];
  const float far = cur[at - 2] + cur[at + 2] + cur[at - 2 * sy] + cur[at + 2 * sy] +
                    cur[at - 2 * sz] + cur[at + 2 * sz];
  const float lap = -7.5f * c + 1.3333334f * near - 0.083333336f * far;
  next[at] = sponge_z[k] * (2.f * c - prev[at] + vel2[at] * lap);
}

int main(int argc, char** argv) {
  const Dims d{256, 160, 128};
  const size_t n = d.count();
  std::vector<float> cur(n), prev(n), vel(n);
  Random rnd{5};
  for (size_t i = 0; i < n; ++i) {
    cur[i] = Unit(rnd()) - 0.5f;
    prev[i] = 0.98f * cur[i];
    vel[i] = 0.05f + 0.1f * (float)((rnd.state >> 4) & 255) / 255.f;
  }
  const auto dc = Upload(cur), dp = Upload(prev), dv = Upload(vel);
  const auto ds =
      Upload(Generate(d.nz, [&](int k) { return 1.f - 0.0001f * std::abs(k - d.nz / 2); }));
  const std::vector<float> zeros(n);  // the halo stays so
  const auto a = Upload(zeros), b = Upload(zeros);

  using TileA = BlockTile<4, 8, 8>;
  using TileB = BlockTile<32, 4, 2>;
  const auto naive = [&] {
    acoustic_step3d_naive<TileA><<<TileA::grid(d), TileA::block()>>>(dc, dp, dv, ds, a, d);
  };
  const auto repaired = [&] {
    acoustic_step3d_repaired<TileB><<<TileB::grid(d), TileB::block()>>>(dc, dp, dv, ds, b, d);
  };
  return Run(argc, argv, naive, repaired, [&] { return Near(a, b, 1e-5); });
}
