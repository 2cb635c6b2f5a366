// SPDX-License-Identifier: Apache-2.0
//
// Points of a laser scanner, structures of five floats, of which the height and the intensity are
// read and the rest is dragged along. The repair keeps those two in arrays of their own.
#include "bench/fix_pairs/pair.h"

using namespace fix_pairs;

constexpr unsigned kCount = 12 << 20;
constexpr unsigned kBlock = 256;

struct Point {
  float x, y, height, intensity, time;
};

__global__ void lidar_points_bad(const Point* points, float* out) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  out[i] = points[i].intensity + 2 * points[i].height;
}

__global__ void lidar_points_good(const float* heights, const float* intensities, float* out) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  out[i] = intensities[i] + 2 * heights[i];
}

float Height(std::size_t i) { return samples::PatternAt<float>(i); }

float Intensity(std::size_t i) { return samples::PatternAt<float>(3 * i + 1); }

Side Bad() {
  std::vector<Point> some(samples::kPatternLength);
  for (std::size_t i = 0; i < some.size(); ++i) some[i] = {1, 2, Height(i), Intensity(i), 3};
  const auto points = MakeArray<Point>(kCount);
  points->FillRepeating(some);
  const auto out = MakeArray<float>(kCount);
  return {[=] { lidar_points_bad<<<kCount / kBlock, kBlock>>>(points->data(), out->data()); },
          [=] { return Values(*out); }};
}

Side Good() {
  std::vector<float> some_heights(samples::kPatternLength);
  std::vector<float> some_intensities(samples::kPatternLength);
  for (std::size_t i = 0; i < samples::kPatternLength; ++i) {
    some_heights[i] = Height(i);
    some_intensities[i] = Intensity(i);
  }
  const auto heights = MakeArray<float>(kCount);
  heights->FillRepeating(some_heights);
  const auto intensities = MakeArray<float>(kCount);
  intensities->FillRepeating(some_intensities);
  const auto out = MakeArray<float>(kCount);
  return {[=] {
            lidar_points_good<<<kCount / kBlock, kBlock>>>(heights->data(), intensities->data(),
                                                           out->data());
          },
          [=] { return Values(*out); }};
}

int main(int argc, char** argv) { return Main(argc, argv, {"lidar_points", Bad, Good}); }
