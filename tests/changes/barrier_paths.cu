// SPDX-License-Identifier: Apache-2.0
//
// Finance: payoff of an up-and-in call over simulated daily prices, with the volatility
// that the desk estimates along the path by an exponentially weighted average.
#include "harness.h"

struct Contract {
  float strike, barrier, decay, rate;
};

struct PathState {
  float last, var, peak;

  __device__ void Step(float price, float decay) {
    const float r = __fdividef(price, last) - 1.f;
    var = decay * var + (1.f - decay) * r * r;
    peak = fmaxf(peak, price);
    last = price;
  }
  __device__ float Payoff(const Contract& c, int steps) const {
    const float charge = 1.f - 0.1f * sqrtf(var * 252.f);
    const float value = peak >= c.barrier ? fmaxf(last - c.strike, 0.f) : 0.f;
    return value * charge * expf(-c.rate * steps / 252.f);
  }
};

__global__ void barrier_paths_naive(const float* __restrict__ prices, float* __restrict__ payoff,
                                    int paths, int steps, Contract contract) {
  const int p = blockIdx.x * blockDim.x + threadIdx.x;
  if (p >= paths) return;
  const float* path = prices + (size_t)p * steps;
  PathState state{path[0], 1e-4f, path[0]};
  for (int t = 1; t < steps; ++t) {
    state.Step(path[t], contract.decay);
  }
  payoff[p] = state.Payoff(contract, steps);
}

// prices come by days: all paths of a day side by side.
__global__ void barrier_paths_repaired(const float* __restrict__ prices, float* __restrict__ payoff,
                                       int paths, int steps, Contract contract) {
  const int p = blockIdx.x * blockDim.x + threadIdx.x;
  if (p >= paths) return;
  const float* path = prices + p;
  PathState state{path[0], 1e-4f, path[0]};
  for (int t = 1; t < steps; ++t) {
    state.Step(path[(size_t)t * paths], contract.decay);
  }
  payoff[p] = state.Payoff(contract, steps);
}

int main(int argc, char** argv) {
  const int paths = 120000, steps = 252;
  const Contract contract{100.f, 112.f, 0.94f, 0.03f};
  Random rnd{17};
  float price = 100.f;
  const auto prices = Generate((size_t)paths * steps, [&](int i) {
    price = i % steps == 0 ? 100.f : price * (1.f + 0.03f * (Unit(rnd()) - 0.497f));
    return price;
  });
  const auto rows = Upload(prices), days = Upload(Transposed(prices, paths, steps));
  const auto a = Allocate<float>(paths), b = Allocate<float>(paths);

  const int threads = 128, blocks = (paths + threads - 1) / threads;
  const auto naive = [&] {
    barrier_paths_naive<<<blocks, threads>>>(rows, a, paths, steps, contract);
  };
  const auto repaired = [&] {
    barrier_paths_repaired<<<blocks, threads>>>(days, b, paths, steps, contract);
  };
  return Run(argc, argv, naive, repaired, [&] { return Near(a, b, 1e-3, 1e-4); });
}
