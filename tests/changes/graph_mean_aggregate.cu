// SPDX-License-Identifier: Apache-2.0
//
// Weighted mean aggregation of a graph neural network layer: for each vertex, the
// weighted mean of its neighbours' 64 features plus a scaled copy of its own, with
// the graph in CSR form.
#include "harness.h"

struct Csr {
  int nv;
  const int* __restrict__ row;
  const int* __restrict__ col;
  const float* __restrict__ weight;
};

template <int DIM>
struct FeatureView {
  const float* __restrict__ data;
  __device__ float operator()(int v, int c) const { return data[(size_t)v * DIM + c]; }
};

template <int DIM>
__global__ void graph_mean_aggregate_naive(Csr g, FeatureView<DIM> x,
                                           const float* __restrict__ self_scale,
                                           float* __restrict__ y, int* __restrict__ degree) {
  for (int v = blockIdx.x * blockDim.x + threadIdx.x; v < g.nv; v += gridDim.x * blockDim.x) {
    const int first = g.row[v], last = g.row[v + 1];
    const float self = self_scale[v];
    float wsum = 0.f;
    for (int e = first; e < last; ++e) wsum += g.weight[e];
    const float norm = wsum > 0.f ? 1.f / wsum : 0.f;
    for (int c = 0; c < DIM; ++c) {
      float acc = 0.f;
      for (int e = first; e < last; ++e) acc += g.weight[e] * x(g.col[e], c);
      y[(size_t)v * DIM + c] = acc * norm + self * x(v, c);
    }
    degree[v] = last - first;
  }
}

template <int DIM>
__global__ void graph_mean_aggregate_repaired(Csr g, FeatureView<DIM> x,
                                              const float* __restrict__ self_scale,
                                              float* __restrict__ y, int* __restrict__ degree) {
  const int lane = threadIdx.x & 31;
  const int warps = (gridDim.x * blockDim.x) >> 5;
  for (int v = (blockIdx.x * blockDim.x + threadIdx.x) >> 5; v < g.nv; v += warps) {
    const int first = g.row[v], last = g.row[v + 1];
    const float self = self_scale[v];
    float wsum = 0.f;
    for (int e = first; e < last; ++e) wsum += g.weight[e];
    const float norm = wsum > 0.f ? 1.f / wsum : 0.f;
    for (int c = lane; c < DIM; c += 32) {
      float acc = 0.f;
      for (int e = first; e < last; ++e) acc += g.weight[e] * x(g.col[e], c);
      y[(size_t)v * DIM + c] = acc * norm + self * x(v, c);
    }
    if (lane == 0) degree[v] = last - first;
  }
}

int main(int argc, char** argv) {
  constexpr int DIM = 64;
  const int nv = 65536;
  Xorshift<uint32_t, 13, 17, 5> rnd{2463534242u};
  std::vector<int> row{0}, col;
  std::vector<float> weight;
  for (int v = 0; v < nv; ++v) {
    const int deg = 4 + (int)(rnd() % 17);
    for (int e = 0; e < deg; ++e) {
      const int span = rnd() % 4 != 0 ? 2048 : nv;
      col.push_back((v + (int)(rnd() % span) - span / 2 + nv) % nv);
      weight.push_back(0.25f + Unit(rnd()));
    }
    row.push_back((int)col.size());
  }
  const size_t n = (size_t)nv * DIM;
  const auto x = Upload(Generate(n, [&](int) { return 2.f * Unit(rnd()) - 1.f; }));
  const auto self = Upload(Generate(nv, [&](int) { return Unit(rnd()); }));
  const Csr g{nv, Upload(row), Upload(col), Upload(weight)};
  const FeatureView<DIM> view{x};
  const auto ya = Allocate<float>(n), yb = Allocate<float>(n);
  const auto da = Allocate<int>(nv), db = Allocate<int>(nv);

  const auto naive = [&] {
    graph_mean_aggregate_naive<DIM><<<nv / 128, 128>>>(g, view, self, ya, da);
  };
  const auto repaired = [&] {
    graph_mean_aggregate_repaired<DIM><<<nv / 4, 128>>>(g, view, self, yb, db);
  };
  return Run(argc, argv, naive, repaired, [&] { return Near(ya, yb, 1e-5, 1e-5) && Near(da, db); });
}
