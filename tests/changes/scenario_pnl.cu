// SPDX-License-Identifier: Apache-2.0
//
// Delta-gamma profit and loss of a trading book under 65536 market scenarios: each
// position refers to one of 96 risk factors; also the worst single position.
#include "harness.h"

struct Book {
  int positions;
  const int* __restrict__ factor;
  const double* __restrict__ delta;
  const double* __restrict__ gamma;
};

struct ShockTable {
  const double* __restrict__ value;
  int scenarios, factors;
};

__global__ void scenario_pnl_naive(Book book, ShockTable shocks, const double* __restrict__ carry,
                                   double* __restrict__ pnl, float* __restrict__ worst) {
  const int s = blockIdx.x * blockDim.x + threadIdx.x;
  if (s >= shocks.scenarios) return;
  const double* my = shocks.value + (size_t)s * shocks.factors;
  double sum = carry[s], low = 0.0;
  for (int p = 0; p < book.positions; ++p) {
    const double x = my[book.factor[p]];
    const double v = book.delta[p] * x + 0.5 * book.gamma[p] * x * x;
    sum += v;
    low = fmin(low, v);
  }
  pnl[s] = sum;
  worst[s] = (float)low;
}

__global__ void scenario_pnl_repaired(Book book, ShockTable shocks,
                                      const double* __restrict__ carry, double* __restrict__ pnl,
                                      float* __restrict__ worst) {
  const int s = blockIdx.x * blockDim.x + threadIdx.x;
  if (s >= shocks.scenarios) return;
  double sum = carry[s], low = 0.0;
  for (int p = 0; p < book.positions; ++p) {
    const double x = shocks.value[(size_t)book.factor[p] * shocks.scenarios + s];
    const double v = book.delta[p] * x + 0.5 * book.gamma[p] * x * x;
    sum += v;
    low = fmin(low, v);
  }
  pnl[s] = sum;
  worst[s] = (float)low;
}

int main(int argc, char** argv) {
  const int scenarios = 65536, factors = 96, positions = 240;
  uint64_t st = 1234567ull;
  auto rnd = [&] { return Unit(st = st * 6364136223846793005ull + 1442695040888963407ull); };
  const auto table =
      Generate((size_t)scenarios * factors, [&](int) { return 0.1 * (rnd() - 0.5); });
  const auto carry = Upload(Generate(scenarios, [&](int) { return rnd(); }));
  std::vector<double> delta(positions), gamma(positions);
  std::vector<int> factor(positions);
  for (int p = 0; p < positions; ++p) {
    factor[p] = (int)(rnd() * factors);
    delta[p] = 200.0 * (rnd() - 0.5);
    gamma[p] = 30.0 * (rnd() - 0.5);
  }
  const Book book{positions, Upload(factor), Upload(delta), Upload(gamma)};
  const ShockTable ta{Upload(table), scenarios, factors};
  const ShockTable tb{Upload(Transposed(table, scenarios, factors)), scenarios, factors};
  const auto pa = Allocate<double>(scenarios), pb = Allocate<double>(scenarios);
  const auto wa = Allocate<float>(scenarios), wb = Allocate<float>(scenarios);

  const int threads = 128, blocks = (scenarios + threads - 1) / threads;
  const auto naive = [&] { scenario_pnl_naive<<<blocks, threads>>>(book, ta, carry, pa, wa); };
  const auto repaired = [&] {
    scenario_pnl_repaired<<<blocks, threads>>>(book, tb, carry, pb, wb);
  };
  return Run(argc, argv, naive, repaired,
             [&] { return Near(pa, pb, 1e-9, 1e-9) && Near(wa, wb, 1e-5, 1e-5); });
}
