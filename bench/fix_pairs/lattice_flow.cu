// SPDX-License-Identifier: Apache-2.0
//
// A step of a lattice gas with nine populations to a cell: side by side, or an array for each.
#include "bench/fix_pairs/pair.h"

using namespace fix_pairs;

constexpr int kCells = 1 << 20;
constexpr int kWays = 9;
constexpr int kBlock = 128;

struct Cell {
  float f[kWays];
};

__global__ void lattice_flow_bad(const Cell* before, Cell* after, int cells) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= cells) return;
  float density = 0;
  for (int k = 0; k < kWays; ++k) density += before[i].f[k];
  for (int k = 0; k < kWays; ++k) after[i].f[k] = 2 * before[i].f[k] + density;
}

__global__ void lattice_flow_good(const float* before, float* after, int cells) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= cells) return;
  float density = 0;
  for (int k = 0; k < kWays; ++k) density += before[k * cells + i];
  for (int k = 0; k < kWays; ++k) after[k * cells + i] = 2 * before[k * cells + i] + density;
}

std::vector<float> Start(bool is_split) {
  std::vector<float> all(std::size_t{kCells} * kWays);
  for (std::size_t i = 0; i < all.size(); ++i) {
    const std::size_t at = is_split ? i % kWays * kCells + i / kWays : i;
    all[at] = static_cast<float>(i % 11);
  }
  return all;
}

std::vector<double> Ordered(const std::vector<float>& all, bool is_split) {
  std::vector<double> values;
  for (std::size_t i = 0; i < all.size(); ++i) {
    values.push_back(all[is_split ? i % kWays * kCells + i / kWays : i]);
  }
  return values;
}

Side MakeBad() {
  const auto before = std::make_shared<DeviceArray<float>>(Start(false));
  const auto after = MakeArray<float>(before->size());
  return {[=] {
            lattice_flow_bad<<<kCells / kBlock, kBlock>>>(
                reinterpret_cast<const Cell*>(before->data()),
                reinterpret_cast<Cell*>(after->data()), kCells);
          },
          [=] { return Ordered(after->Slice(0, after->size()), false); }};
}

Side MakeGood() {
  const auto before = std::make_shared<DeviceArray<float>>(Start(true));
  const auto after = MakeArray<float>(before->size());
  return {[=] {
            lattice_flow_good<<<kCells / kBlock, kBlock>>>(before->data(), after->data(), kCells);
          },
          [=] { return Ordered(after->Slice(0, after->size()), true); }};
}

int main(int argc, char** argv) { return Main(argc, argv, {"lattice_flow", MakeBad, MakeGood}); }
