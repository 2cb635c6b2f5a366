// SPDX-License-Identifier: Apache-2.0
//
// Robotics: a layer of a costmap: cost from the distance to the next obstacle (in cells),
// merged with the static map by the maximum; unknown cells of the static map stay unknown.
#include "harness.h"

constexpr int kLethal = 254, kInscribed = 253, kUnknown = 255;

__device__ __forceinline__ uint8_t merge(uint8_t fixed, uint8_t distance, int radius, float slope) {
  if (fixed == kUnknown) return kUnknown;
  int cost = kLethal;
  if (distance > 0) {
    cost = distance <= radius ? kInscribed
                              : (int)((kInscribed - 1) * __expf(-slope * (distance - radius)));
  }
  return (uint8_t)max((int)fixed, cost);
}

__global__ void costmap_merge_naive(const uint8_t* __restrict__ fixed,
                                    const uint8_t* __restrict__ distance,
                                    uint8_t* __restrict__ master, int width, int height, int radius,
                                    float slope) {
  const int x = blockIdx.x * blockDim.x + threadIdx.x;
  const int y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x >= width || y >= height) return;
  const int cell = y * width + x;
  master[cell] = merge(fixed[cell], distance[cell], radius, slope);
}

// The same, for blocks a warp or more wide.
__global__ void costmap_merge_repaired(const uint8_t* __restrict__ fixed,
                                       const uint8_t* __restrict__ distance,
                                       uint8_t* __restrict__ master, int width, int height,
                                       int radius, float slope) {
  const int x = blockIdx.x * blockDim.x + threadIdx.x;
  const int y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x >= width || y >= height) return;
  const int cell = y * width + x;
  master[cell] = merge(fixed[cell], distance[cell], radius, slope);
}

int main(int argc, char** argv) {
  const int width = 6144, height = 4000;
  const size_t n = (size_t)width * height;
  Random rnd{61};
  const auto fixed = Upload(Generate(n, [&](int) {
    const uint32_t r = rnd() >> 16;
    return (uint8_t)(r % 16 == 0 ? kUnknown : r % 5 == 0 ? kLethal : 0);
  }));
  const auto distance = Upload(Generate(n, [&](int) { return (uint8_t)((rnd() >> 16) % 60); }));
  const auto a = Allocate<uint8_t>(n), b = Allocate<uint8_t>(n);

  const auto blocks = [&](dim3 block) {
    return dim3((width + block.x - 1) / block.x, (height + block.y - 1) / block.y);
  };
  const dim3 square(8, 8), wide(64, 4);
  const auto naive = [&] {
    costmap_merge_naive<<<blocks(square), square>>>(fixed, distance, a, width, height, 6, 0.15f);
  };
  const auto repaired = [&] {
    costmap_merge_repaired<<<blocks(wide), wide>>>(fixed, distance, b, width, height, 6, 0.15f);
  };
  return Run(argc, argv, naive, repaired, [&] { return Near(a, b); });
}
