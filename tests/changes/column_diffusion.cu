// SPDX-License-Identifier: Apache-2.0
//
// Atmosphere model physics: implicit vertical diffusion of temperature in every
// grid column (backward Euler, Thomas elimination over the levels). Exchange
// coefficients vary with column and level; a surface flux enters at the bottom.
#include "harness.h"

struct VerticalGrid {
  int ncol;
  int nlev;
  double dt_over_dz2;
};

// kz[k] is the coefficient at the lower face of level k; the bottom face is closed.
__global__ void column_diffusion_naive(const double* __restrict__ temp,
                                       const double* __restrict__ kz,
                                       const double* __restrict__ surf_flux,
                                       double* __restrict__ work, double* __restrict__ temp_new,
                                       VerticalGrid g) {
  const int col = blockIdx.x * blockDim.x + threadIdx.x;
  if (col >= g.ncol) return;

  const size_t off = (size_t)col * g.nlev;
  const double* t = temp + off;
  const double* kc = kz + off;
  double* cp = work + off;
  double* x = temp_new + off;

  double lower = 0.0;
  double c_prev = 0.0;
  double d_prev = 0.0;
  for (int k = 0; k < g.nlev; ++k) {
    const double upper = (k + 1 < g.nlev) ? -g.dt_over_dz2 * kc[k + 1] : 0.0;
    const double rhs = t[k] + (k == 0 ? surf_flux[col] : 0.0);
    const double diag = 1.0 - lower - upper;
    const double inv = 1.0 / (diag - lower * c_prev);
    c_prev = upper * inv;
    d_prev = (rhs - lower * d_prev) * inv;
    cp[k] = c_prev;
    x[k] = d_prev;
    lower = upper;
  }
  double next = d_prev;
  for (int k = g.nlev - 2; k >= 0; --k) {
    next = x[k] - cp[k] * next;
    x[k] = next;
  }
}

__global__ void column_diffusion_repaired(const double* __restrict__ temp,
                                          const double* __restrict__ kz,
                                          const double* __restrict__ surf_flux,
                                          double* __restrict__ work, double* __restrict__ temp_new,
                                          VerticalGrid g) {
  const int col = blockIdx.x * blockDim.x + threadIdx.x;
  if (col >= g.ncol) return;

  const size_t ld = g.ncol;
  const double* t = temp + col;
  const double* kc = kz + col;
  double* cp = work + col;
  double* x = temp_new + col;

  double lower = 0.0;
  double c_prev = 0.0;
  double d_prev = 0.0;
  for (int k = 0; k < g.nlev; ++k) {
    const double upper = (k + 1 < g.nlev) ? -g.dt_over_dz2 * kc[(k + 1) * ld] : 0.0;
    const double rhs = t[k * ld] + (k == 0 ? surf_flux[col] : 0.0);
    const double diag = 1.0 - lower - upper;
    const double inv = 1.0 / (diag - lower * c_prev);
    c_prev = upper * inv;
    d_prev = (rhs - lower * d_prev) * inv;
    cp[k * ld] = c_prev;
    x[k * ld] = d_prev;
    lower = upper;
  }
  double next = d_prev;
  for (int k = g.nlev - 2; k >= 0; --k) {
    next = x[k * ld] - cp[k * ld] * next;
    x[k * ld] = next;
  }
}

int main(int argc, char** argv) {
  const VerticalGrid g{192 * 160, 60, 0.03};
  const size_t n = (size_t)g.ncol * g.nlev;
  std::vector<double> temp(n), kz(n);
  Random rnd{31};
  for (size_t i = 0; i < n; ++i) {
    temp[i] = 300.0 - 1.3 * (double)(i % g.nlev) + (rnd() >> 16) * (1.0 / 65536);
    kz[i] = 1.0 + 40.0 * ((rnd() >> 16) * (1.0 / 65536));
  }
  const auto flux = Upload(Generate(g.ncol, [](int c) { return 0.01 * (c % 97); }));
  const auto ta = Upload(temp), tb = Upload(Transposed(temp, g.ncol, g.nlev));
  const auto ka = Upload(kz), kb = Upload(Transposed(kz, g.ncol, g.nlev));
  const auto work = Allocate<double>(n), a = Allocate<double>(n), b = Allocate<double>(n);

  const int threads = 128, blocks = (g.ncol + threads - 1) / threads;
  const auto naive = [&] { column_diffusion_naive<<<blocks, threads>>>(ta, ka, flux, work, a, g); };
  const auto repaired = [&] {
    column_diffusion_repaired<<<blocks, threads>>>(tb, kb, flux, work, b, g);
  };
  return Run(argc, argv, naive, repaired,
             [&] { return Near(Transposed(Host(a), g.ncol, g.nlev), b, 0, 1e-8); });
}
