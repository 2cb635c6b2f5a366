// SPDX-License-Identifier: Apache-2.0
//
// Seismic forward modelling: one time step of the constant-density acoustic wave
// equation on a 3D grid, second order in time and fourth order in space, with a
// variable velocity model and a sponge factor near the boundaries.
#include <cuda_runtime.h>

#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <vector>

#define CK(call)                                                                  \
  do {                                                                            \
    cudaError_t e_ = (call);                                                      \
    if (e_ != cudaSuccess) {                                                      \
      fprintf(stderr, "%s:%d: %s\n", __FILE__, __LINE__, cudaGetErrorString(e_)); \
      exit(2);                                                                    \
    }                                                                             \
  } while (0)

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

template <class F>
static float time_launches(F launch) {
  cudaEvent_t t0, t1;
  CK(cudaEventCreate(&t0));
  CK(cudaEventCreate(&t1));
  launch();
  CK(cudaGetLastError());
  CK(cudaDeviceSynchronize());
  CK(cudaEventRecord(t0));
  for (int i = 0; i < 5; ++i) launch();
  CK(cudaEventRecord(t1));
  CK(cudaGetLastError());
  CK(cudaEventSynchronize(t1));
  float ms = 0.f;
  CK(cudaEventElapsedTime(&ms, t0, t1));
  return ms / 5;
}

int main(int argc, char** argv) {
  const char* mode = argc > 1 ? argv[1] : "both";
  const bool do_naive = !strcmp(mode, "naive") || !strcmp(mode, "both");
  const bool do_rep = !strcmp(mode, "repaired") || !strcmp(mode, "both");
  if (!do_naive && !do_rep) return 1;

  const Dims d{256, 160, 128};
  const size_t n = d.count(), bytes = n * sizeof(float);
  std::vector<float> cur(n), prev(n), vel(n), sponge(d.nz);
  unsigned s = 5u;
  for (size_t i = 0; i < n; ++i) {
    s = s * 1664525u + 1013904223u;
    cur[i] = (float)(s >> 8) * (1.f / 16777216.f) - 0.5f;
    prev[i] = 0.98f * cur[i];
    vel[i] = 0.05f + 0.1f * (float)((s >> 4) & 255) / 255.f;
  }
  for (int k = 0; k < d.nz; ++k) sponge[k] = 1.f - 0.0001f * std::abs(k - d.nz / 2);

  float *dc, *dp, *dv, *ds, *out[2] = {nullptr, nullptr};
  CK(cudaMalloc(&dc, bytes));
  CK(cudaMalloc(&dp, bytes));
  CK(cudaMalloc(&dv, bytes));
  CK(cudaMalloc(&ds, d.nz * sizeof(float)));
  CK(cudaMemcpy(dc, cur.data(), bytes, cudaMemcpyHostToDevice));
  CK(cudaMemcpy(dp, prev.data(), bytes, cudaMemcpyHostToDevice));
  CK(cudaMemcpy(dv, vel.data(), bytes, cudaMemcpyHostToDevice));
  CK(cudaMemcpy(ds, sponge.data(), d.nz * sizeof(float), cudaMemcpyHostToDevice));
  for (auto& o : out) {
    CK(cudaMalloc(&o, bytes));
    CK(cudaMemset(o, 0, bytes));
  }

  using TileA = BlockTile<4, 8, 8>;
  using TileB = BlockTile<32, 4, 2>;
  if (do_naive)
    printf("naive    %.4f ms\n", time_launches([&] {
             acoustic_step3d_naive<TileA>
                 <<<TileA::grid(d), TileA::block()>>>(dc, dp, dv, ds, out[0], d);
           }));
  if (do_rep)
    printf("repaired %.4f ms\n", time_launches([&] {
             acoustic_step3d_repaired<TileB>
                 <<<TileB::grid(d), TileB::block()>>>(dc, dp, dv, ds, out[1], d);
           }));
  if (do_naive && do_rep) {
    std::vector<float> a(n), b(n);
    CK(cudaMemcpy(a.data(), out[0], bytes, cudaMemcpyDeviceToHost));
    CK(cudaMemcpy(b.data(), out[1], bytes, cudaMemcpyDeviceToHost));
    for (size_t i = 0; i < n; ++i)
      if (!(std::fabs(a[i] - b[i]) <= 1e-5f)) {
        fprintf(stderr, "mismatch at %zu: %g %g\n", i, a[i], b[i]);
        return 3;
      }
    printf("results agree\n");
  }
  CK(cudaFree(dc));
  CK(cudaFree(dp));
  CK(cudaFree(dv));
  CK(cudaFree(ds));
  CK(cudaFree(out[0]));
  CK(cudaFree(out[1]));
  return 0;
}
