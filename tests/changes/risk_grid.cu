// SPDX-License-Identifier: Apache-2.0
//
// Market risk: profit and loss of each position in each scenario by a delta-gamma-vega expansion.
// Scenarios are rows, one column for each position.
#include "harness.h"

template <class T>
struct Matrix {
  T* base;
  int rows, cols;
  size_t ld;
  __device__ T& operator()(int r, int c) const { return base[r * ld + c]; }
};

struct Greeks {
  const double *delta, *gamma, *vega, *limit;
};

__device__ inline double clamp_loss(double pnl, double limit) {
  return pnl < -limit ? -limit : pnl;
}

__global__ void risk_grid_naive(Matrix<const double> move, Matrix<const double> vol,
                                Matrix<double> pnl, Greeks g) {
  const int scenario = blockIdx.x * blockDim.x + threadIdx.x;
  const int position = blockIdx.y * blockDim.y + threadIdx.y;
  if (scenario < pnl.rows && position < pnl.cols) {
    const double ds = move(scenario, position);
    const double dv = vol(scenario, position);
    const double p =
        g.delta[position] * ds + 0.5 * g.gamma[position] * ds * ds + g.vega[position] * dv;
    pnl(scenario, position) = clamp_loss(p, g.limit[position]);
  }
}

__global__ void risk_grid_repaired(Matrix<const double> move, Matrix<const double> vol,
                                   Matrix<double> pnl, Greeks g) {
  const int scenario = blockIdx.y * blockDim.y + threadIdx.y;
  const int position = blockIdx.x * blockDim.x + threadIdx.x;
  if (scenario < pnl.rows && position < pnl.cols) {
    const double ds = move(scenario, position);
    const double dv = vol(scenario, position);
    const double p =
        g.delta[position] * ds + 0.5 * g.gamma[position] * ds * ds + g.vega[position] * dv;
    pnl(scenario, position) = clamp_loss(p, g.limit[position]);
  }
}

int main(int argc, char** argv) {
  const int scenarios = 2500, positions = 1600;
  const size_t n = (size_t)scenarios * positions;
  Xorshift<uint64_t, 13, 7, 17> rnd{88172645463325252ull};
  const auto move = Upload(Generate(n, [&](int) { return 10. * Unit(rnd()) - 5.; }));
  const auto vol = Upload(Generate(n, [&](int) { return 0.2 * Unit(rnd()) - 0.1; }));
  const auto delta = Upload(Generate(positions, [&](int) { return 2. * Unit(rnd()) - 1.; }));
  const auto gamma = Upload(Generate(positions, [&](int) { return 0.1 * Unit(rnd()); }));
  const auto vega = Upload(Generate(positions, [&](int) { return 20. * Unit(rnd()); }));
  const auto limit = Upload(Generate(positions, [&](int) { return 1. + 4. * Unit(rnd()); }));
  const Greeks g{delta, gamma, vega, limit};
  const auto a = Allocate<double>(n), b = Allocate<double>(n);

  const auto in = [&](const double* p) {
    return Matrix<const double>{p, scenarios, positions, (size_t)positions};
  };
  const auto out = [&](double* p) {
    return Matrix<double>{p, scenarios, positions, (size_t)positions};
  };
  const dim3 block(32, 8);
  const auto blocks = [&](int x, int y) {
    return dim3((x + block.x - 1) / block.x, (y + block.y - 1) / block.y);
  };
  const auto naive = [&] {
    risk_grid_naive<<<blocks(scenarios, positions), block>>>(in(move), in(vol), out(a), g);
  };
  const auto repaired = [&] {
    risk_grid_repaired<<<blocks(positions, scenarios), block>>>(in(move), in(vol), out(b), g);
  };
  return Run(argc, argv, naive, repaired, [&] { return Near(a, b, 1e-9, 1e-9); });
}
