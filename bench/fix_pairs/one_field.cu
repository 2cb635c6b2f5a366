// SPDX-License-Identifier: Apache-2.0
//
// One field of an array of structures, and the same field in an array of its own.
#include "bench/fix_pairs/pair.h"

using namespace fix_pairs;

constexpr unsigned kCount = 1 << 24;
constexpr unsigned kBlock = 256;

struct Body {
  float mass;
  float rest[7];
};

__global__ void one_field_bad(const Body* bodies, float* out) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  out[i] = 2 * bodies[i].mass;
}

__global__ void one_field_good(const float* masses, float* out) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  out[i] = 2 * masses[i];
}

Side Bad() {
  std::vector<Body> some(samples::kPatternLength);
  for (std::size_t i = 0; i < some.size(); ++i) some[i].mass = samples::PatternAt<float>(i);
  const auto bodies = MakeArray<Body>(kCount);
  bodies->FillRepeating(some);
  const auto out = MakeArray<float>(kCount);
  return {[=] { one_field_bad<<<kCount / kBlock, kBlock>>>(bodies->data(), out->data()); },
          [=] { return Values(*out); }};
}

Side Good() {
  const auto masses = MakeArray<float>(kCount);
  masses->FillWithPattern();
  const auto out = MakeArray<float>(kCount);
  return {[=] { one_field_good<<<kCount / kBlock, kBlock>>>(masses->data(), out->data()); },
          [=] { return Values(*out); }};
}

int main(int argc, char** argv) { return Main(argc, argv, {"one_field", Bad, Good}); }
