// SPDX-License-Identifier: Apache-2.0
//
// Bodies of four float4, of which two are used: a position is moved by a velocity that is not next
// to it. Two arrays instead.
#include "bench/fix_pairs/pair.h"

using namespace fix_pairs;

constexpr unsigned kCount = 7 << 20;
constexpr unsigned kBlock = 256;
constexpr std::size_t kStep = 5;  // of the bodies that are compared

struct Body {
  float4 position, orientation, velocity, spin;
};

__device__ float4 Moved(float4 from, float4 by) {
  return make_float4(from.x + by.x, from.y + by.y, from.z + by.z, from.w + by.w);
}

__global__ void two_fields_bad(Body* bodies) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  bodies[i].position = Moved(bodies[i].position, bodies[i].velocity);
}

__global__ void two_fields_good(float4* positions, const float4* velocities) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  positions[i] = Moved(positions[i], velocities[i]);
}

float4 PositionAt(std::size_t i) {
  const auto value = samples::SmallPatternAt<float>(i);
  return {value, value + 1, value + 2, value + 3};
}
float4 VelocityAt(std::size_t i) {
  const auto value = samples::SmallPatternAt<float>(i);
  return {1, 2, 3, value};
}

void Add(std::vector<double>& values, const float4& four) {
  values.insert(values.end(), {four.x, four.y, four.z, four.w});
}

Side Bad() {
  std::vector<Body> some(samples::kSmallPatternLength);
  for (std::size_t i = 0; i < some.size(); ++i) some[i] = {PositionAt(i), {}, VelocityAt(i), {}};
  const auto bodies = MakeArray<Body>(kCount);
  bodies->FillRepeating(some);
  const auto result = [=] {
    const std::vector<Body> all = bodies->Slice(0, kCount);
    std::vector<double> values;
    for (std::size_t i = 0; i < kCount; i += kStep) Add(values, all[i].position);
    return values;
  };
  return {[=] { two_fields_bad<<<kCount / kBlock, kBlock>>>(bodies->data()); }, result};
}

Side Good() {
  std::vector<float4> some[2];
  for (std::size_t i = 0; i < samples::kSmallPatternLength; ++i) {
    some[0].push_back(PositionAt(i));
    some[1].push_back(VelocityAt(i));
  }
  const auto positions = MakeArray<float4>(kCount);
  positions->FillRepeating(some[0]);
  const auto velocities = MakeArray<float4>(kCount);
  velocities->FillRepeating(some[1]);
  const auto result = [=] {
    const std::vector<float4> all = positions->Slice(0, kCount);
    std::vector<double> values;
    for (std::size_t i = 0; i < kCount; i += kStep) Add(values, all[i]);
    return values;
  };
  return {
      [=] { two_fields_good<<<kCount / kBlock, kBlock>>>(positions->data(), velocities->data()); },
      result};
}

int main(int argc, char** argv) { return Main(argc, argv, {"two_fields", Bad, Good}); }
