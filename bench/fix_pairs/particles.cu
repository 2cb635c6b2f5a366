// SPDX-License-Identifier: Apache-2.0
//
// Particles of 12 bytes that are moved: all fields are read and written. Three arrays instead.
#include "bench/fix_pairs/pair.h"

using namespace fix_pairs;

constexpr unsigned kCount = 1 << 24;
constexpr unsigned kBlock = 256;

struct Particle {
  float x, y, z;
};

__global__ void particles_bad(const Particle* in, Particle* out) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  out[i].x = in[i].x + 1;
  out[i].y = in[i].y + 2;
  out[i].z = in[i].z + 3;
}

__global__ void particles_good(const float* in, float* out) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  out[i] = in[i] + 1;
  out[kCount + i] = in[kCount + i] + 2;
  out[2 * kCount + i] = in[2 * kCount + i] + 3;
}

Side Bad() {
  std::vector<Particle> some(samples::kPatternLength);
  for (std::size_t i = 0; i < some.size(); ++i) {
    const auto value = samples::PatternAt<float>(i);
    some[i] = {value, value, value};
  }
  const auto in = MakeArray<Particle>(kCount);
  in->FillRepeating(some);
  const auto out = MakeArray<Particle>(kCount);
  const auto result = [=] {
    std::vector<double> values;
    for (const Particle& one : out->Slice(0, out->size())) {
      values.insert(values.end(), {one.x, one.y, one.z});
    }
    return values;
  };
  return {[=] { particles_bad<<<kCount / kBlock, kBlock>>>(in->data(), out->data()); }, result};
}

Side Good() {
  std::vector<float> pattern(kCount);
  for (std::size_t i = 0; i < kCount; ++i) pattern[i] = samples::PatternAt<float>(i);
  const auto in = MakeArray<float>(3 * kCount);
  in->FillRepeating(pattern);
  const auto out = MakeArray<float>(3 * kCount);
  const auto result = [=] {
    const std::vector<float> all = out->Slice(0, out->size());
    std::vector<double> values;
    for (std::size_t i = 0; i < kCount; ++i) {
      values.insert(values.end(), {all[i], all[kCount + i], all[2 * kCount + i]});
    }
    return values;
  };
  return {[=] { particles_good<<<kCount / kBlock, kBlock>>>(in->data(), out->data()); }, result};
}

int main(int argc, char** argv) { return Main(argc, argv, {"particles", Bad, Good}); }
