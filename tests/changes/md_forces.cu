// SPDX-License-Identifier: Apache-2.0
//
// Molecular dynamics: Lennard-Jones forces from neighbour lists in a periodic box. Each atom has
// room for kMaxNeighbours; the lists are built elsewhere every few steps.
#include "harness.h"

constexpr int kMaxNeighbours = 64;

struct Box {
  float3 length, inverse;
};

__device__ __forceinline__ float3 minimum_image(float4 a, float4 b, const Box& box) {
  float3 d = make_float3(a.x - b.x, a.y - b.y, a.z - b.z);
  d.x -= box.length.x * rintf(d.x * box.inverse.x);
  d.y -= box.length.y * rintf(d.y * box.inverse.y);
  d.z -= box.length.z * rintf(d.z * box.inverse.z);
  return d;
}

__device__ __forceinline__ void add_pair(float4& f, float3 d, float cutoff2) {
  const float r2 = d.x * d.x + d.y * d.y + d.z * d.z;
  if (r2 >= cutoff2) return;
  const float i2 = 1.f / r2, i6 = i2 * i2 * i2;
  const float s = 24.f * i2 * i6 * (2.f * i6 - 1.f);
  f.x += s * d.x;
  f.y += s * d.y;
  f.z += s * d.z;
  f.w += 2.f * i6 * (i6 - 1.f);
}

__global__ void md_forces_naive(const float4* __restrict__ pos, const int* __restrict__ list,
                                const int* __restrict__ count, float4* __restrict__ force,
                                int atoms, Box box, float cutoff2) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= atoms) return;
  const float4 me = pos[i];
  const int* mine = list + i * kMaxNeighbours;
  const int neighbours = count[i];
  float4 f = make_float4(0.f, 0.f, 0.f, 0.f);
  for (int k = 0; k < neighbours; ++k) {
    const int j = mine[k];
    add_pair(f, minimum_image(me, pos[j], box), cutoff2);
  }
  force[i] = f;
}

// list: [neighbour][atom]
__global__ void md_forces_repaired(const float4* __restrict__ pos, const int* __restrict__ list,
                                   const int* __restrict__ count, float4* __restrict__ force,
                                   int atoms, Box box, float cutoff2) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= atoms) return;
  const float4 me = pos[i];
  const int neighbours = count[i];
  float4 f = make_float4(0.f, 0.f, 0.f, 0.f);
  for (int k = 0; k < neighbours; ++k) {
    const int j = list[k * atoms + i];
    add_pair(f, minimum_image(me, pos[j], box), cutoff2);
  }
  force[i] = f;
}

int main(int argc, char** argv) {
  const int nx = 64, ny = 64, nz = 48, atoms = nx * ny * nz;
  const float a0 = 1.2f;
  const float3 length = make_float3(nx * a0, ny * a0, nz * a0);
  const Box box{length, make_float3(1.f / length.x, 1.f / length.y, 1.f / length.z)};
  Random rnd{77};
  const auto pos = Upload(Generate(atoms, [&](int i) {
    const float jx = Unit(rnd()), jy = Unit(rnd()), jz = Unit(rnd());
    return make_float4((i % nx + 0.1f * jx) * a0, (i / nx % ny + 0.1f * jy) * a0,
                       (i / (nx * ny) + 0.1f * jz) * a0, 0.f);
  }));
  // Atoms up to sqrt(5) lattice constants away, some of them missing.
  std::vector<int> list((size_t)atoms * kMaxNeighbours, 0), count(atoms, 0);
  for (int i = 0; i < atoms; ++i) {
    const int x = i % nx, y = i / nx % ny, z = i / (nx * ny);
    for (int dz = -2; dz <= 2; ++dz)
      for (int dy = -2; dy <= 2; ++dy)
        for (int dx = -2; dx <= 2; ++dx) {
          const int d2 = dx * dx + dy * dy + dz * dz;
          if (d2 == 0 || d2 > 5 || (d2 == 5 && (rnd() >> 28) == 0)) continue;
          const int j = (x + dx + nx) % nx + nx * ((y + dy + ny) % ny + ny * ((z + dz + nz) % nz));
          list[(size_t)i * kMaxNeighbours + count[i]++] = j;
        }
  }
  const auto counts = Upload(count), rows = Upload(list),
             columns = Upload(Transposed(list, atoms, kMaxNeighbours));
  const auto a = Allocate<float4>(atoms), b = Allocate<float4>(atoms);

  const int threads = 128, blocks = (atoms + threads - 1) / threads;
  const float cutoff2 = 3.f * 3.f;
  const auto naive = [&] {
    md_forces_naive<<<blocks, threads>>>(pos, rows, counts, a, atoms, box, cutoff2);
  };
  const auto repaired = [&] {
    md_forces_repaired<<<blocks, threads>>>(pos, columns, counts, b, atoms, box, cutoff2);
  };
  return Run(argc, argv, naive, repaired, [&] {
    const auto x = Host(a), y = Host(b);
    return All(x.size(), [&](size_t i) {
      return Close(x[i].x, y[i].x, 1e-2, 1e-3) && Close(x[i].y, y[i].y, 1e-2, 1e-3) &&
             Close(x[i].z, y[i].z, 1e-2, 1e-3) && Close(x[i].w, y[i].w, 1e-2, 1e-3);
    });
  });
}
