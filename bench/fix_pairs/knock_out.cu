// SPDX-License-Identifier: Apache-2.0
//
// Options that lapse when the price falls too low: the prices of a path side by side, or those of
// one day.
#include "bench/fix_pairs/pair.h"

using namespace fix_pairs;

constexpr int kPaths = 1 << 17;
constexpr int kDays = 250;
constexpr int kBlock = 256;

__global__ void knock_out_bad(const float* shocks, float* payoffs, int paths, int days) {
  const int path = blockIdx.x * blockDim.x + threadIdx.x;
  if (path >= paths) return;
  float price = 100;
  float lowest = price;
  for (int day = 0; day < days; ++day) {
    price += shocks[path * days + day] - 3;
    lowest = fminf(lowest, price);
  }
  payoffs[path] = lowest < 98 ? 0 : price;
}

__global__ void knock_out_good(const float* shocks, float* payoffs, int paths, int days) {
  const int path = blockIdx.x * blockDim.x + threadIdx.x;
  if (path >= paths) return;
  float price = 100;
  float lowest = price;
  for (int day = 0; day < days; ++day) {
    price += shocks[day * paths + path] - 3;
    lowest = fminf(lowest, price);
  }
  payoffs[path] = lowest < 98 ? 0 : price;
}

template <typename Kernel>
Side Make(Kernel kernel, bool is_by_day) {
  std::vector<float> all(std::size_t{kPaths} * kDays);
  for (std::size_t i = 0; i < all.size(); ++i) {
    all[is_by_day ? i % kDays * kPaths + i / kDays : i] = static_cast<float>(i * 5 % 7);
  }
  const auto shocks = std::make_shared<DeviceArray<float>>(all);
  const auto payoffs = MakeArray<float>(kPaths);
  return {
      [=] { kernel<<<kPaths / kBlock, kBlock>>>(shocks->data(), payoffs->data(), kPaths, kDays); },
      [=] { return Values(*payoffs); }};
}

int main(int argc, char** argv) {
  return Main(argc, argv,
              {"knock_out", [] { return Make(knock_out_bad, false); },
               [] { return Make(knock_out_good, true); }});
}
