// SPDX-License-Identifier: Apache-2.0
//
// Scenario revaluation of a book of vanilla options: value change under (spot, vol) shocks.
#include <cuda_runtime.h>

struct Contract {
  long long id;
  double strike;
  double expiry;
  double vol;
  double entry_px;
  int underlier;
  short side;  // +1 call, -1 put
  short book;
  float notional;
  float margin;
};

__device__ __forceinline__ double ncdf(double x) { return 0.5 * erfc(-x * 0.70710678118654752); }

__device__ double bs_value(double s, double k, double t, double v, double r, double side) {
  double sq = v * sqrt(t);
  double d1 = (log(s / k) + (r + 0.5 * v * v) * t) / sq;
  double df = exp(-r * t);
  return side * (s * ncdf(side * d1) - k * df * ncdf(side * (d1 - sq)));
}

extern "C" __global__ void scenario_greeks(const Contract* __restrict__ book,
                                           const double* __restrict__ spot,
                                           const double* __restrict__ shock,
                                           double* __restrict__ pnl, double* __restrict__ delta,
                                           int n, double rate, double horizon) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  int sc = blockIdx.y;
  if (i >= n) return;

  const Contract* c = book + i;
  double ds = shock[2 * sc], dv = shock[2 * sc + 1];
  double s0 = spot[c->underlier];
  double k = c->strike, t = c->expiry, v = c->vol;
  double side = (double)c->side;

  double s1 = s0 * (1.0 + ds);
  double t1 = fmax(t - horizon, 1e-6);
  double base = bs_value(s0, k, t, v, rate, side);
  double bumped = bs_value(s1, k, t1, v + dv, rate, side);
  double up = bs_value(s1 * 1.001, k, t1, v + dv, rate, side);

  size_t o = (size_t)sc * n + i;
  pnl[o] = (bumped - base) * (double)c->notional;
  delta[o] = (up - bumped) / (0.001 * s1);
}
