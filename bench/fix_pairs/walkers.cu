// SPDX-License-Identifier: Apache-2.0
//
// Histories of walkers: the steps of one side by side, or the walkers of one step.
#include "bench/fix_pairs/pair.h"

using namespace fix_pairs;

constexpr int kWalkers = 1 << 17;
constexpr int kSteps = 64;
constexpr int kBlock = 256;

__global__ void walkers_bad(float* history, const float* kick, int n, int steps) {
  const int w = blockIdx.x * blockDim.x + threadIdx.x;
  if (w >= n) return;
  float x = 0;
  for (int s = 0; s < steps; ++s) {
    x = 0.5F * x + kick[s] * (w & 7);
    history[w * steps + s] = x;
  }
}

__global__ void walkers_good(float* history, const float* kick, int n, int steps) {
  const int w = blockIdx.x * blockDim.x + threadIdx.x;
  if (w >= n) return;
  float x = 0;
  for (int s = 0; s < steps; ++s) {
    x = 0.5F * x + kick[s] * (w & 7);
    history[s * n + w] = x;
  }
}

template <typename Kernel>
Side Make(Kernel kernel, bool interleaved) {
  const auto kick = MakeArray<float>(kSteps);
  kick->FillWithSmallPattern();
  const auto history = MakeArray<float>(std::size_t{kWalkers} * kSteps);
  return {[=] {
            kernel<<<kWalkers / kBlock, kBlock>>>(history->data(), kick->data(), kWalkers, kSteps);
          },
          [=] {
            const std::vector<float> all = history->Slice(0, history->size());
            std::vector<double> values;
            for (int w = 0; w < kWalkers; ++w) {
              for (int s = 0; s < kSteps; ++s) {
                values.push_back(all[interleaved ? s * kWalkers + w : w * kSteps + s]);
              }
            }
            return values;
          }};
}

int main(int argc, char** argv) {
  return Main(argc, argv,
              {"walkers", [] { return Make(walkers_bad, false); },
               [] { return Make(walkers_good, true); }});
}
