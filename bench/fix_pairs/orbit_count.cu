// SPDX-License-Identifier: Apache-2.0
//
// Escape times of orbits, much arithmetic to a seed: of a seed's 16 bytes half are read, which
// hardly matters. The repair keeps the seeds' two coordinates in arrays of their own.
#include "bench/fix_pairs/pair.h"

using namespace fix_pairs;

constexpr unsigned kSide = 1408;
constexpr unsigned kCount = kSide * kSide;
constexpr unsigned kBlock = 256;
constexpr int kSteps = 1000;

struct Seed {
  float re, im;
  int label;
  float weight;
};

// Fused by hand, so that both kernels round alike.
__device__ int Orbit(float re, float im) {
  float x = 0;
  float y = 0;
  for (int step = 0; step < kSteps; ++step) {
    const float yy = __fmul_rn(y, y);
    if (__fmaf_rn(x, x, yy) > 4) return step;
    const float next = __fadd_rn(__fmaf_rn(x, x, -yy), re);
    y = __fmaf_rn(__fmul_rn(2, x), y, im);
    x = next;
  }
  return kSteps;
}

__global__ void orbit_count_bad(const Seed* seeds, int* out) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  out[i] = Orbit(seeds[i].re, seeds[i].im);
}

__global__ void orbit_count_good(const float* re, const float* im, int* out) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  out[i] = Orbit(re[i], im[i]);
}

Seed SeedAt(unsigned i) {
  constexpr float kStep = 2.5F / kSide;
  return {static_cast<float>(i % kSide) * kStep - 2, static_cast<float>(i / kSide) * kStep - 1.25F,
          static_cast<int>(i), 1};
}

Side Bad() {
  std::vector<Seed> all(kCount);
  for (unsigned i = 0; i < kCount; ++i) all[i] = SeedAt(i);
  const auto seeds = std::make_shared<DeviceArray<Seed>>(all);
  const auto out = MakeArray<int>(kCount);
  return {[=] { orbit_count_bad<<<kCount / kBlock, kBlock>>>(seeds->data(), out->data()); },
          [=] { return Values(*out); }};
}

Side Good() {
  std::vector<float> all_re(kCount);
  std::vector<float> all_im(kCount);
  for (unsigned i = 0; i < kCount; ++i) {
    all_re[i] = SeedAt(i).re;
    all_im[i] = SeedAt(i).im;
  }
  const auto re = std::make_shared<DeviceArray<float>>(all_re);
  const auto im = std::make_shared<DeviceArray<float>>(all_im);
  const auto out = MakeArray<int>(kCount);
  return {
      [=] { orbit_count_good<<<kCount / kBlock, kBlock>>>(re->data(), im->data(), out->data()); },
      [=] { return Values(*out); }};
}

int main(int argc, char** argv) { return Main(argc, argv, {"orbit_count", Bad, Good}); }
