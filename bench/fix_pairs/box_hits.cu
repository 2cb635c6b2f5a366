// SPDX-License-Identifier: Apache-2.0
//
// Bounding boxes of two float4, all of which is used: each load leaves half of every sector to its
// sibling. The repair keeps lower and upper corners in two arrays, and moves the same bytes.
#include "bench/fix_pairs/pair.h"

using namespace fix_pairs;

constexpr unsigned kCount = 6 << 20;
constexpr unsigned kBlock = 256;

struct Box {
  float4 low;   // its fourth number is a margin around the box
  float4 high;  // its fourth number is what the box weighs
};

// The weight of a box if it overlaps a cube around the origin.
__device__ float Hit(float4 low, float4 high, float reach) {
  const float margin = low.w;
  const bool is_hit = low.x - margin <= reach && low.y - margin <= reach &&
                      low.z - margin <= reach && high.x + margin >= -reach &&
                      high.y + margin >= -reach && high.z + margin >= -reach;
  return is_hit ? high.w : 0;
}

__global__ void box_hits_bad(const Box* boxes, float* out, float reach) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  out[i] = Hit(boxes[i].low, boxes[i].high, reach);
}

__global__ void box_hits_good(const float4* lows, const float4* highs, float* out, float reach) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  out[i] = Hit(lows[i], highs[i], reach);
}

constexpr float kReach = 40;

Box BoxAt(std::size_t i) {
  const auto x = static_cast<float>(i % 211) - 105;
  const auto y = static_cast<float>(i % 197) - 98;
  const auto z = static_cast<float>(i % 193) - 96;
  const auto size = static_cast<float>(i % 13);
  return {make_float4(x, y, z, static_cast<float>(i % 3)),
          make_float4(x + size, y + size, z + size, samples::PatternAt<float>(i + 1))};
}

Side Bad() {
  std::vector<Box> all(kCount);
  for (std::size_t i = 0; i < kCount; ++i) all[i] = BoxAt(i);
  const auto boxes = std::make_shared<DeviceArray<Box>>(all);
  const auto out = MakeArray<float>(kCount);
  return {[=] { box_hits_bad<<<kCount / kBlock, kBlock>>>(boxes->data(), out->data(), kReach); },
          [=] { return Values(*out); }};
}

Side Good() {
  std::vector<float4> all_lows(kCount);
  std::vector<float4> all_highs(kCount);
  for (std::size_t i = 0; i < kCount; ++i) {
    all_lows[i] = BoxAt(i).low;
    all_highs[i] = BoxAt(i).high;
  }
  const auto lows = std::make_shared<DeviceArray<float4>>(all_lows);
  const auto highs = std::make_shared<DeviceArray<float4>>(all_highs);
  const auto out = MakeArray<float>(kCount);
  return {[=] {
            box_hits_good<<<kCount / kBlock, kBlock>>>(lows->data(), highs->data(), out->data(),
                                                       kReach);
          },
          [=] { return Values(*out); }};
}

int main(int argc, char** argv) { return Main(argc, argv, {"box_hits", Bad, Good}); }
