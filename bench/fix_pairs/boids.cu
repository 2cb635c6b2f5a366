// SPDX-License-Identifier: Apache-2.0
//
// Bodies of ten floats of which four are used: as structures, or an array for each field.
#include "bench/fix_pairs/pair.h"

using namespace fix_pairs;

constexpr int kBoids = 1 << 21;
constexpr int kBlock = 256;

struct Boid {
  float x, y, z, vx, vy, vz, age, mass, hue, pad;
};

__global__ void boids_bad(Boid* boids, int n, float dt) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  boids[i].x += boids[i].vx * dt / boids[i].mass;
  boids[i].age += dt;
}

struct Boids {
  float *x, *vx, *mass, *age;
};

__global__ void boids_good(Boids boids, int n, float dt) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  boids.x[i] += boids.vx[i] * dt / boids.mass[i];
  boids.age[i] += dt;
}

float XOf(int i) { return static_cast<float>(i % 1000); }
float SpeedOf(int i) { return static_cast<float>(i % 77); }
float MassOf(int i) { return static_cast<float>(1 + i % 5); }

Side MakeBad() {
  std::vector<Boid> all(kBoids);
  for (int i = 0; i < kBoids; ++i) all[i] = {XOf(i), 0, 0, SpeedOf(i), 0, 0, 1, MassOf(i), 0, 0};
  const auto boids = std::make_shared<DeviceArray<Boid>>(all);
  return {[=] { boids_bad<<<kBoids / kBlock, kBlock>>>(boids->data(), kBoids, 0.25F); },
          [=] {
            std::vector<double> values;
            for (const Boid& one : boids->Slice(0, kBoids)) values.push_back(one.x);
            return values;
          }};
}

Side MakeGood() {
  const auto fill = [](float (*value)(int)) {
    std::vector<float> values(kBoids);
    for (int i = 0; i < kBoids; ++i) values[i] = value(i);
    return std::make_shared<DeviceArray<float>>(values);
  };
  const auto x = fill(XOf);
  const auto speed = fill(SpeedOf);
  const auto mass = fill(MassOf);
  const auto age = std::make_shared<DeviceArray<float>>(std::vector<float>(kBoids, 1));
  return {[=] {
            boids_good<<<kBoids / kBlock, kBlock>>>(
                {x->data(), speed->data(), mass->data(), age->data()}, kBoids, 0.25F);
          },
          [=] {
            const std::vector<float> all = x->Slice(0, kBoids);
            return std::vector<double>(all.begin(), all.end());
          }};
}

int main(int argc, char** argv) {
  return Main(argc, argv, {"boids", [] { return MakeBad(); }, [] { return MakeGood(); }});
}
