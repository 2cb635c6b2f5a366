// SPDX-License-Identifier: Apache-2.0
//
// Chemistry: Lennard-Jones forces on the atoms of a periodic box from a neighbour list
// (neighbour k of all atoms side by side).
#include "harness.h"

constexpr int kNeighbours = 26;

__device__ __forceinline__ float nearest(float d, float box) { return d - box * rintf(d / box); }

__global__ void pair_forces_naive(const float4* __restrict__ atoms, const int* __restrict__ list,
                                  float4* __restrict__ force, int n, float box) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  const float4 me = atoms[i];
  float4 f = make_float4(0.f, 0.f, 0.f, 0.f);
  for (int k = 0; k < kNeighbours; ++k) {
    const int j = list[(size_t)k * n + i];
    const float4 other = atoms[j];
    const float dx = nearest(me.x - other.x, box);
    const float dy = nearest(me.y - other.y, box);
    const float dz = nearest(me.z - other.z, box);
    const float s2 = me.w * other.w / (dx * dx + dy * dy + dz * dz);
    const float s6 = s2 * s2 * s2;
    const float scale = 24.f * s6 * (2.f * s6 - 1.f) * s2;
    f.x += scale * dx;
    f.y += scale * dy;
    f.z += scale * dz;
    f.w += 2.f * s6 * (s6 - 1.f);
  }
  force[i] = f;
}

// The atoms, and with them the list, are numbered along the cells of the box.
__global__ void pair_forces_repaired(const float4* __restrict__ atoms, const int* __restrict__ list,
                                     float4* __restrict__ force, int n, float box) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  const float4 me = atoms[i];
  float4 f = make_float4(0.f, 0.f, 0.f, 0.f);
  for (int k = 0; k < kNeighbours; ++k) {
    const int j = list[(size_t)k * n + i];
    const float4 other = atoms[j];
    const float dx = nearest(me.x - other.x, box);
    const float dy = nearest(me.y - other.y, box);
    const float dz = nearest(me.z - other.z, box);
    const float s2 = me.w * other.w / (dx * dx + dy * dy + dz * dz);
    const float s6 = s2 * s2 * s2;
    const float scale = 24.f * s6 * (2.f * s6 - 1.f) * s2;
    f.x += scale * dx;
    f.y += scale * dy;
    f.z += scale * dz;
    f.w += 2.f * s6 * (s6 - 1.f);
  }
  force[i] = f;
}

int main(int argc, char** argv) {
  const int side = 80, n = side * side * side;
  Random rnd{12};
  // The atoms by cells, one near the middle of each.
  const auto by_cell = Generate(n, [&](int cell) {
    const auto jitter = [&] { return 0.3f + 0.4f * Unit(rnd()); };
    const float x = cell % side + jitter();
    const float y = cell / side % side + jitter();
    const float z = cell / (side * side) + jitter();
    return make_float4(x, y, z, 0.8f);
  });
  std::vector<int> list((size_t)kNeighbours * n);
  for (int cell = 0; cell < n; ++cell) {
    const int x = cell % side, y = cell / side % side, z = cell / (side * side);
    int k = 0;
    for (int dz = -1; dz <= 1; ++dz)
      for (int dy = -1; dy <= 1; ++dy)
        for (int dx = -1; dx <= 1; ++dx) {
          if (dx == 0 && dy == 0 && dz == 0) continue;
          const auto wrap = [&](int c) { return (c + side) % side; };
          list[(size_t)k++ * n + cell] = (wrap(z + dz) * side + wrap(y + dy)) * side + wrap(x + dx);
        }
  }
  // The same as the simulation numbers them after a while: mixed. number[cell] is the atom there.
  const auto cell_of = OrderOf(Generate(n, [&](int) { return (int)(rnd() >> 4); }));
  std::vector<int> number(n);
  for (int i = 0; i < n; ++i) number[cell_of[i]] = i;
  const auto mixed = InOrder(by_cell, cell_of);
  const auto mixed_list = Generate(list.size(), [&](int e) {
    const int k = e / n, i = e % n;
    return number[list[(size_t)k * n + cell_of[i]]];
  });

  const auto atoms_a = Upload(mixed), atoms_b = Upload(by_cell);
  const auto list_a = Upload(mixed_list), list_b = Upload(list);
  const auto a = Allocate<float4>(n), b = Allocate<float4>(n);

  const int threads = 128, blocks = (n + threads - 1) / threads;
  const float box = side;
  const auto naive = [&] { pair_forces_naive<<<blocks, threads>>>(atoms_a, list_a, a, n, box); };
  const auto repaired = [&] {
    pair_forces_repaired<<<blocks, threads>>>(atoms_b, list_b, b, n, box);
  };
  return Run(argc, argv, naive, repaired, [&] {
    const auto x = InOrder(Host(a), number), y = Host(b);
    return All(x.size(), [&](size_t i) {
      return Close(x[i].x, y[i].x, 1e-2, 1e-3) && Close(x[i].y, y[i].y, 1e-2, 1e-3) &&
             Close(x[i].z, y[i].z, 1e-2, 1e-3) && Close(x[i].w, y[i].w, 1e-2, 1e-3);
    });
  });
}
