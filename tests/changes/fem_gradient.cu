// SPDX-License-Identifier: Apache-2.0
//
// Finite elements: the heat flux of each linear tetrahedron from the temperatures at its nodes.
// The mesh comes as the mesher numbered it, in no useful order.
#include "harness.h"

struct Mesh {
  const int4* tets;
  const float4* nodes;  // x, y, z, temperature
  int count;
};

struct Vec3 {
  float x, y, z;
};
__device__ inline Vec3 edge(float4 a, float4 b) { return {b.x - a.x, b.y - a.y, b.z - a.z}; }
__device__ inline Vec3 cross(Vec3 a, Vec3 b) {
  return {a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}
__device__ inline float dot(Vec3 a, Vec3 b) { return a.x * b.x + a.y * b.y + a.z * b.z; }

__device__ inline float4 flux(const float4 (&p)[4], float conductivity) {
  const Vec3 a = edge(p[0], p[1]), b = edge(p[0], p[2]), c = edge(p[0], p[3]);
  const Vec3 bc = cross(b, c), ca = cross(c, a), ab = cross(a, b);
  const float det = dot(a, bc), s = -conductivity / det;
  const float ta = p[1].w - p[0].w, tb = p[2].w - p[0].w, tc = p[3].w - p[0].w;
  return make_float4(s * (ta * bc.x + tb * ca.x + tc * ab.x),
                     s * (ta * bc.y + tb * ca.y + tc * ab.y),
                     s * (ta * bc.z + tb * ca.z + tc * ab.z), fabsf(det) / 6.f);
}

__global__ void fem_gradient_naive(Mesh mesh, float4* __restrict__ out, float conductivity) {
  const int e = blockIdx.x * blockDim.x + threadIdx.x;
  if (e >= mesh.count) return;
  const int4 t = mesh.tets[e];
  const int corner[4] = {t.x, t.y, t.z, t.w};
  float4 p[4];
#pragma unroll
  for (int k = 0; k < 4; ++k) {
    p[k] = mesh.nodes[corner[k]];
  }
  out[e] = flux(p, conductivity);
}

// Nodes are numbered along the axes, elements in the order of their lowest node.
__global__ void fem_gradient_repaired(Mesh mesh, float4* __restrict__ out, float conductivity) {
  const int e = blockIdx.x * blockDim.x + threadIdx.x;
  if (e >= mesh.count) return;
  const int4 t = mesh.tets[e];
  const int corner[4] = {t.x, t.y, t.z, t.w};
  float4 p[4];
#pragma unroll
  for (int k = 0; k < 4; ++k) {
    p[k] = mesh.nodes[corner[k]];
  }
  out[e] = flux(p, conductivity);
}

// A random permutation.
std::vector<int> Shuffled(int n, Random& rnd) {
  return OrderOf(Generate(n, [&](int) { return (int)(rnd() >> 1); }));
}

int main(int argc, char** argv) {
  const int cells = 56, side = cells + 1, nodes = side * side * side;
  Random rnd{41};
  // Node i of the lattice, i = x + side (y + side z).
  const auto lattice = Generate(nodes, [&](int i) {
    const float x = i % side + 0.2f * Unit(rnd()), y = i / side % side + 0.2f * Unit(rnd()),
                z = i / (side * side) + 0.2f * Unit(rnd());
    return make_float4(x, y, z, 300.f + x - 0.5f * y + 0.02f * z * z);
  });
  // Each cube is cut into six tetrahedra along its diagonal from corner 0 to corner 7.
  const int paths[6][2] = {{1, 3}, {1, 5}, {2, 3}, {2, 6}, {4, 5}, {4, 6}};
  const int count = cells * cells * cells * 6;
  const auto sorted = Generate(count, [&](int e) {
    const int cube = e / 6, x = cube % cells, y = cube / cells % cells, z = cube / (cells * cells);
    const auto corner = [&](int c) {
      return x + (c & 1) + side * (y + (c >> 1 & 1) + side * (z + (c >> 2)));
    };
    return make_int4(corner(0), corner(paths[e % 6][0]), corner(paths[e % 6][1]), corner(7));
  });
  // What the mesher wrote: node i of the file is node_of[i] of the lattice, and so on.
  const auto node_of = Shuffled(nodes, rnd), tet_of = Shuffled(count, rnd);
  std::vector<int> file_of(nodes);
  for (int i = 0; i < nodes; ++i) file_of[node_of[i]] = i;
  const auto shuffled = Generate(count, [&](int e) {
    const int4 t = sorted[tet_of[e]];
    return make_int4(file_of[t.x], file_of[t.y], file_of[t.z], file_of[t.w]);
  });
  const auto tets_a = Upload(shuffled), tets_b = Upload(sorted);
  const auto nodes_a = Upload(InOrder(lattice, node_of)), nodes_b = Upload(lattice);
  const Mesh mesh_a{tets_a, nodes_a, count}, mesh_b{tets_b, nodes_b, count};
  const auto a = Allocate<float4>(count), b = Allocate<float4>(count);

  const int threads = 256, blocks = (count + threads - 1) / threads;
  const auto naive = [&] { fem_gradient_naive<<<blocks, threads>>>(mesh_a, a, 1.5f); };
  const auto repaired = [&] { fem_gradient_repaired<<<blocks, threads>>>(mesh_b, b, 1.5f); };
  return Run(argc, argv, naive, repaired, [&] {
    const auto x = Host(a), y = InOrder(Host(b), tet_of);
    return All(x.size(), [&](size_t i) {
      return Close(x[i].x, y[i].x, 1e-3, 1e-4) && Close(x[i].y, y[i].y, 1e-3, 1e-4) &&
             Close(x[i].z, y[i].z, 1e-3, 1e-4) && Close(x[i].w, y[i].w, 1e-3, 1e-4);
    });
  });
}
