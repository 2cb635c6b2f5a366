// SPDX-License-Identifier: Apache-2.0
//
// Geospatial: heights of a digital elevation model at a list of (lon, lat) points
// by bilinear interpolation, with clamping at the edge of the map and a geoid
// correction that depends on the latitude only.
#include "harness.h"

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

int main(int argc, char** argv) {
  const RasterInfo g{2048, 1536, 5.f, 45.f, 256.f, 256.f};
  const int n = 3000000;
  const auto dem = Upload(Generate((size_t)g.cols * g.rows, [&](int i) {
    const int r = i / g.cols, c = i % g.cols;
    return 500.f + (float)((r * 37 + c * 11) % 257) + 0.25f * ((r ^ c) & 63);
  }));
  Random rnd{8};
  const auto pts = Generate(n, [&](int) {
    return float2{5.f + 8.f * Unit(rnd()), 45.f + 6.f * Unit(rnd())};
  });
  const auto order = OrderOf(Generate(n, [&](int i) {
    const CellPos p = locate(g, pts[i].x, pts[i].y);
    return p.r * g.cols + p.c;
  }));
  const auto pa = Upload(pts), pb = Upload(InOrder(pts, order));
  const auto a = Allocate<float>(n), b = Allocate<float>(n);

  const int threads = 256, blocks = 4096;
  const auto naive = [&] { dem_sampling_naive<<<blocks, threads>>>(dem, pa, a, n, g); };
  const auto repaired = [&] { dem_sampling_repaired<<<blocks, threads>>>(dem, pb, b, n, g); };
  return Run(argc, argv, naive, repaired, [&] { return Near(InOrder(Host(a), order), b, 1e-2); });
}
