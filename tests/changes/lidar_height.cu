// SPDX-License-Identifier: Apache-2.0
//
// Airborne laser scanning: the height of each return above a fitted ground surface; returns that
// are classified as noise get no height.
#include "harness.h"

// As in the LAS files, point format 8, scaled.
struct LasPoint {
  double gps_time;
  float x, y, z;
  float intensity;
  uint16_t scan_angle, source;
  uint8_t return_no, returns, classification, flags;
  uint16_t red, green, blue, nir;
};

struct Surface {
  float c, cx, cy, cxx, cxy, cyy;
  __device__ float operator()(float x, float y) const {
    return c + x * (cx + cxx * x + cxy * y) + y * (cy + cyy * y);
  }
};

constexpr float kNoHeight = -9999.f;

__host__ __device__ inline bool is_noise(uint8_t classification) {
  return classification == 7 || classification == 18;
}

__global__ void lidar_height_naive(const LasPoint* __restrict__ points, float* __restrict__ height,
                                   int n, Surface ground) {
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) {
    const LasPoint& p = points[i];
    float h = p.z - ground(p.x, p.y);
    if (is_noise(p.classification)) h = kNoHeight;
    height[i] = h;
  }
}

struct PointArrays {
  const float *x, *y, *z;
  const uint8_t* classification;
};

__global__ void lidar_height_repaired(PointArrays points, float* __restrict__ height, int n,
                                      Surface ground) {
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) {
    float h = points.z[i] - ground(points.x[i], points.y[i]);
    if (is_noise(points.classification[i])) h = kNoHeight;
    height[i] = h;
  }
}

int main(int argc, char** argv) {
  const int n = 6000000;
  Random rnd{21};
  const auto points = Generate(n, [&](int i) {
    LasPoint p{};
    p.gps_time = 1e5 + i * 2e-6;
    p.x = 400.f * Unit(rnd()) - 200.f;
    p.y = 400.f * Unit(rnd()) - 200.f;
    p.z = 100.f + 30.f * Unit(rnd());
    p.intensity = Unit(rnd());
    p.returns = p.return_no = 1;
    p.classification = (rnd() >> 16) % 19;
    p.red = p.green = p.blue = p.nir = (uint16_t)(rnd() >> 16);
    return p;
  });
  const auto aos = Upload(points);
  const auto x = Upload(Generate(n, [&](int i) { return points[i].x; }));
  const auto y = Upload(Generate(n, [&](int i) { return points[i].y; }));
  const auto z = Upload(Generate(n, [&](int i) { return points[i].z; }));
  const auto c = Upload(Generate(n, [&](int i) { return points[i].classification; }));
  const PointArrays soa{x, y, z, c};
  const Surface ground{95.f, 0.02f, -0.03f, 1e-4f, 2e-5f, -1e-4f};
  const auto a = Allocate<float>(n), b = Allocate<float>(n);

  const int threads = 256, blocks = 132 * 16;
  const auto naive = [&] { lidar_height_naive<<<blocks, threads>>>(aos, a, n, ground); };
  const auto repaired = [&] { lidar_height_repaired<<<blocks, threads>>>(soa, b, n, ground); };
  return Run(argc, argv, naive, repaired, [&] { return Near(a, b, 1e-3, 1e-5); });
}
