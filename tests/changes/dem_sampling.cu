// SPDX-License-Identifier: Apache-2.0
//
// Geospatial: heights of a digital elevation model at a list of (lon, lat) points
// by bilinear interpolation, with clamping at the edge of the map and a geoid
// correction that depends on the latitude only.
#include <cuda_runtime.h>

#include <cmath>
#include <cstdint>
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

struct RasterInfo {
  int cols, rows;
  float lon0, lat0;  // centre of cell (0, 0)
  float inv_dlon, inv_dlat;
};

struct CellPos {
  int c, r;
  float fc, fr;
};

__host__ __device__ inline CellPos locate(const RasterInfo& g, float lon, float lat) {
  float u = (lon - g.lon0) * g.inv_dlon;
  float v = (lat - g.lat0) * g.inv_dlat;
  u = fminf(fmaxf(u, 0.f), (float)(g.cols - 1) - 1e-3f);
  v = fminf(fmaxf(v, 0.f), (float)(g.rows - 1) - 1e-3f);
  CellPos p;
  p.c = (int)u;
  p.r = (int)v;
  if (p.c > g.cols - 2) p.c = g.cols - 2;
  if (p.r > g.rows - 2) p.r = g.rows - 2;
  p.fc = u - p.c;
  p.fr = v - p.r;
  return p;
}

__device__ __forceinline__ float geoid(float lat) {
  return 17.f - 0.31f * lat + 0.002f * lat * lat;
}

__global__ void dem_sampling_naive(const float* __restrict__ dem, const float2* __restrict__ pts,
                                   float* __restrict__ height, int n, RasterInfo g) {
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) {
    const float2 ll = pts[i];
    const CellPos p = locate(g, ll.x, ll.y);
    const float* cell = dem + (size_t)p.r * g.cols + p.c;
    const float h00 = __ldg(cell);
    const float h01 = __ldg(cell + 1);
    const float h10 = __ldg(cell + g.cols);
    const float h11 = __ldg(cell + g.cols + 1);
    const float top = h00 + p.fc * (h01 - h00);
    const float bottom = h10 + p.fc * (h11 - h10);
    height[i] = top + p.fr * (bottom - top) - geoid(ll.y);
  }
}

// pts come in the order of the raster cells that they fall into.
__global__ void dem_sampling_repaired(const float* __restrict__ dem, const float2* __restrict__ pts,
                                      float* __restrict__ height, int n, RasterInfo g) {
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) {
    const float2 ll = pts[i];
    const CellPos p = locate(g, ll.x, ll.y);
    const float* cell = dem + (size_t)p.r * g.cols + p.c;
    const float h00 = __ldg(cell);
    const float h01 = __ldg(cell + 1);
    const float h10 = __ldg(cell + g.cols);
    const float h11 = __ldg(cell + g.cols + 1);
    const float top = h00 + p.fc * (h01 - h00);
    const float bottom = h10 + p.fc * (h11 - h10);
    height[i] = top + p.fr * (bottom - top) - geoid(ll.y);
  }
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

// order[k]: index of the point that comes k-th when points are ordered by cell
static std::vector<int> order_by_cell(const std::vector<float2>& pts, const RasterInfo& g) {
  const size_t n = pts.size();
  std::vector<int> key(n), order(n), start((size_t)g.cols * g.rows + 1, 0);
  for (size_t i = 0; i < n; ++i) {
    const CellPos p = locate(g, pts[i].x, pts[i].y);
    key[i] = p.r * g.cols + p.c;
    ++start[(size_t)key[i] + 1];
  }
  for (size_t c = 1; c < start.size(); ++c) start[c] += start[c - 1];
  for (size_t i = 0; i < n; ++i) order[start[key[i]]++] = (int)i;
  return order;
}

int main(int argc, char** argv) {
  const char* mode = argc > 1 ? argv[1] : "both";
  const bool do_naive = !strcmp(mode, "naive") || !strcmp(mode, "both");
  const bool do_rep = !strcmp(mode, "repaired") || !strcmp(mode, "both");
  if (!do_naive && !do_rep) return 1;

  const RasterInfo g{2048, 1536, 5.f, 45.f, 256.f, 256.f};
  const int n = 3000000;
  const size_t cells = (size_t)g.cols * g.rows;
  std::vector<float> dem(cells);
  for (int r = 0; r < g.rows; ++r)
    for (int c = 0; c < g.cols; ++c)
      dem[(size_t)r * g.cols + c] =
          500.f + (float)((r * 37 + c * 11) % 257) + 0.25f * ((r ^ c) & 63);
  std::vector<float2> pts(n);
  uint32_t s = 8u;
  for (auto& p : pts) {
    s = s * 1664525u + 1013904223u;
    p.x = 5.f + 8.f * ((s >> 8) * (1.f / 16777216.f));
    s = s * 1664525u + 1013904223u;
    p.y = 45.f + 6.f * ((s >> 8) * (1.f / 16777216.f));
  }

  float *ddem, *dh;
  float2* dpts;
  CK(cudaMalloc(&ddem, cells * sizeof(float)));
  CK(cudaMalloc(&dh, n * sizeof(float)));
  CK(cudaMalloc(&dpts, n * sizeof(float2)));
  CK(cudaMemcpy(ddem, dem.data(), cells * sizeof(float), cudaMemcpyHostToDevice));

  const int threads = 256, blocks = 4096;
  std::vector<float> ra, rb;
  std::vector<int> order;
  if (do_naive) {
    CK(cudaMemcpy(dpts, pts.data(), n * sizeof(float2), cudaMemcpyHostToDevice));
    printf("naive    %.4f ms\n",
           time_launches([&] { dem_sampling_naive<<<blocks, threads>>>(ddem, dpts, dh, n, g); }));
    ra.resize(n);
    CK(cudaMemcpy(ra.data(), dh, n * sizeof(float), cudaMemcpyDeviceToHost));
  }
  if (do_rep) {
    order = order_by_cell(pts, g);
    std::vector<float2> sorted(n);
    for (int k = 0; k < n; ++k) sorted[k] = pts[order[k]];
    CK(cudaMemcpy(dpts, sorted.data(), n * sizeof(float2), cudaMemcpyHostToDevice));
    printf("repaired %.4f ms\n", time_launches([&] {
             dem_sampling_repaired<<<blocks, threads>>>(ddem, dpts, dh, n, g);
           }));
    rb.resize(n);
    CK(cudaMemcpy(rb.data(), dh, n * sizeof(float), cudaMemcpyDeviceToHost));
  }
  if (do_naive && do_rep) {
    for (int k = 0; k < n; ++k) {
      const float a = ra[order[k]], b = rb[k];
      if (!(std::fabs(a - b) <= 1e-2f)) {
        fprintf(stderr, "mismatch at point %d: %g %g\n", order[k], a, b);
        return 3;
      }
    }
    printf("results agree\n");
  }
  CK(cudaFree(ddem));
  CK(cudaFree(dh));
  CK(cudaFree(dpts));
  return 0;
}
