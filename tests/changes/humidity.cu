// SPDX-License-Identifier: Apache-2.0
//
// Climate: relative humidity of an ensemble on hybrid levels from temperature and specific
// humidity, both [member][level][latitude][longitude].
#include "harness.h"

struct Shape {
  int members, levels, lats, lons;
};

__device__ __forceinline__ float relative_humidity(float t, float q, float p) {
  const float es = 611.2f * expf(17.67f * (t - 273.15f) / (t - 29.65f));
  const float e = q * p / (0.622f + 0.378f * q);
  return fminf(fmaxf(100.f * e / es, 0.f), 100.f);
}

__global__ void humidity_naive(const float* __restrict__ temp, const float* __restrict__ spec,
                               const float* __restrict__ surface, const float2* __restrict__ hybrid,
                               float* __restrict__ rh, Shape s, int n) {
  const int stride = gridDim.x * blockDim.x;
  for (int id = blockIdx.x * blockDim.x + threadIdx.x; id < n; id += stride) {
    // By columns of the atmosphere: the levels of a place follow each other.
    const int level = id % s.levels;
    const int column = id / s.levels;
    const int lon = column % s.lons;
    const int lat = column / s.lons % s.lats;
    const int member = column / (s.lons * s.lats);
    const float2 ab = hybrid[level];
    const float p = ab.x + ab.y * surface[(member * s.lats + lat) * s.lons + lon];
    const int cell = ((member * s.levels + level) * s.lats + lat) * s.lons + lon;
    const float t = temp[cell];
    const float q = spec[cell];
    rh[cell] = relative_humidity(t, q, p);
  }
}

__global__ void humidity_repaired(const float* __restrict__ temp, const float* __restrict__ spec,
                                  const float* __restrict__ surface,
                                  const float2* __restrict__ hybrid, float* __restrict__ rh,
                                  Shape s, int n) {
  const int stride = gridDim.x * blockDim.x;
  for (int id = blockIdx.x * blockDim.x + threadIdx.x; id < n; id += stride) {
    const int lon = id % s.lons;
    const int lat = id / s.lons % s.lats;
    const int level = id / (s.lons * s.lats) % s.levels;
    const int member = id / (s.lons * s.lats * s.levels);
    const float2 ab = hybrid[level];
    const float p = ab.x + ab.y * surface[(member * s.lats + lat) * s.lons + lon];
    const int cell = ((member * s.levels + level) * s.lats + lat) * s.lons + lon;
    const float t = temp[cell];
    const float q = spec[cell];
    rh[cell] = relative_humidity(t, q, p);
  }
}

int main(int argc, char** argv) {
  const Shape s{3, 60, 181, 360};
  const int n = s.members * s.levels * s.lats * s.lons;
  Random rnd{30};
  const auto temp = Upload(Generate(n, [&](int) { return 230.f + 70.f * Unit(rnd()); }));
  const auto spec = Upload(Generate(n, [&](int) { return 0.015f * Unit(rnd()); }));
  const auto surface = Upload(Generate((size_t)s.members * s.lats * s.lons,
                                       [&](int) { return 96000.f + 7000.f * Unit(rnd()); }));
  const auto hybrid = Upload(Generate(s.levels, [&](int k) {
    const float eta = (k + 0.5f) / s.levels;
    return float2{20000.f * eta * (1.f - eta), eta * eta};
  }));
  const auto a = Allocate<float>(n), b = Allocate<float>(n);

  const int threads = 256, blocks = 2112;
  const auto naive = [&] {
    humidity_naive<<<blocks, threads>>>(temp, spec, surface, hybrid, a, s, n);
  };
  const auto repaired = [&] {
    humidity_repaired<<<blocks, threads>>>(temp, spec, surface, hybrid, b, s, n);
  };
  return Run(argc, argv, naive, repaired, [&] { return Near(a, b, 1e-3, 1e-4); });
}
