// SPDX-License-Identifier: Apache-2.0
//
// Weighted mean aggregation of a graph neural network layer: for each vertex, the
// weighted mean of its neighbours' 64 features plus a scaled copy of its own, with
// the graph in CSR form.
// Usage: graph_mean_aggregate naive|repaired|both
#include <cuda_runtime.h>

#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <vector>

#define CK(call)                                                            \
  do {                                                                      \
    cudaError_t err_ = (call);                                              \
    if (err_ != cudaSuccess) {                                              \
      fprintf(stderr, "line %d: %s\n", __LINE__, cudaGetErrorString(err_)); \
      exit(2);                                                              \
    }                                                                       \
  } while (0)

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

template <class F>
static float time_ms(F launch) {
  launch();
  CK(cudaGetLastError());
  CK(cudaDeviceSynchronize());
  cudaEvent_t a, b;
  CK(cudaEventCreate(&a));
  CK(cudaEventCreate(&b));
  CK(cudaEventRecord(a));
  for (int r = 0; r < 5; ++r) launch();
  CK(cudaEventRecord(b));
  CK(cudaEventSynchronize(b));
  CK(cudaGetLastError());
  float ms = 0.f;
  CK(cudaEventElapsedTime(&ms, a, b));
  return ms / 5.f;
}

template <typename T>
static T* upload(const std::vector<T>& h) {
  T* d = nullptr;
  CK(cudaMalloc(&d, h.size() * sizeof(T)));
  CK(cudaMemcpy(d, h.data(), h.size() * sizeof(T), cudaMemcpyHostToDevice));
  return d;
}

int main(int argc, char** argv) {
  const std::string mode = argc > 1 ? argv[1] : "both";
  constexpr int DIM = 64;
  const int nv = 65536;

  uint32_t s = 2463534242u;
  auto rnd = [&] {
    s ^= s << 13;
    s ^= s >> 17;
    s ^= s << 5;
    return s;
  };
  std::vector<int> row(nv + 1), col;
  std::vector<float> weight;
  row[0] = 0;
  for (int v = 0; v < nv; ++v) {
    const int deg = 4 + (int)(rnd() % 17);
    for (int e = 0; e < deg; ++e) {
      const bool near = rnd() % 4 != 0;
      const int span = near ? 2048 : nv;
      const int nb = (v + (int)(rnd() % span) - span / 2 + nv) % nv;
      col.push_back(nb);
      weight.push_back(0.25f + (rnd() >> 8) * (1.f / 16777216.f));
    }
    row[v + 1] = (int)col.size();
  }
  std::vector<float> x((size_t)nv * DIM), self(nv);
  for (auto& f : x) f = (rnd() >> 8) * (2.f / 16777216.f) - 1.f;
  for (auto& f : self) f = (rnd() >> 8) * (1.f / 16777216.f);

  const Csr g{nv, upload(row), upload(col), upload(weight)};
  const FeatureView<DIM> view{upload(x)};
  float *d_self = upload(self), *d_y = nullptr;
  int* d_deg = nullptr;
  CK(cudaMalloc(&d_y, x.size() * sizeof(float)));
  CK(cudaMalloc(&d_deg, nv * sizeof(int)));

  std::vector<float> y0(x.size()), y1(x.size());
  std::vector<int> g0(nv), g1(nv);
  if (mode != "repaired") {
    CK(cudaMemset(d_y, 0xff, x.size() * sizeof(float)));
    const float ms = time_ms(
        [&] { graph_mean_aggregate_naive<DIM><<<nv / 128, 128>>>(g, view, d_self, d_y, d_deg); });
    printf("naive    %.4f ms\n", ms);
    CK(cudaMemcpy(y0.data(), d_y, x.size() * sizeof(float), cudaMemcpyDeviceToHost));
    CK(cudaMemcpy(g0.data(), d_deg, nv * sizeof(int), cudaMemcpyDeviceToHost));
  }
  if (mode != "naive") {
    CK(cudaMemset(d_y, 0xff, x.size() * sizeof(float)));
    const float ms = time_ms(
        [&] { graph_mean_aggregate_repaired<DIM><<<nv / 4, 128>>>(g, view, d_self, d_y, d_deg); });
    printf("repaired %.4f ms\n", ms);
    CK(cudaMemcpy(y1.data(), d_y, x.size() * sizeof(float), cudaMemcpyDeviceToHost));
    CK(cudaMemcpy(g1.data(), d_deg, nv * sizeof(int), cudaMemcpyDeviceToHost));
  }
  if (mode == "both") {
    for (size_t i = 0; i < y0.size(); ++i)
      if (!(fabsf(y0[i] - y1[i]) <= 1e-5f * (1.f + fabsf(y0[i])))) {
        fprintf(stderr, "mismatch at %zu: %g %g\n", i, y0[i], y1[i]);
        return 1;
      }
    if (g0 != g1) {
      fprintf(stderr, "degree mismatch\n");
      return 1;
    }
    printf("match\n");
  }
  return 0;
}
