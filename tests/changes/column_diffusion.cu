// SPDX-License-Identifier: Apache-2.0
//
// Atmosphere model physics: implicit vertical diffusion of temperature in every
// grid column (backward Euler, Thomas elimination over the levels). Exchange
// coefficients vary with column and level; a surface flux enters at the bottom.
#include <cuda_runtime.h>

#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <vector>

#define CK(call)                                                                  \
  do {                                                                            \
    cudaError_t e_ = (call);                                                      \
    if (e_ != cudaSuccess) {                                                      \
      fprintf(stderr, "%s:%d: %s\n", __FILE__, __LINE__, cudaGetErrorString(e_)); \
      exit(2);                                                                    \
    }                                                                             \
  } while (0)

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

template <class F>
static float time_launches(F launch) {
  cudaEvent_t t0, t1;
  CK(cudaEventCreate(&t0));
  CK(cudaEventCreate(&t1));
  launch();
  CK(cudaGetLastError());
  CK(cudaDeviceSynchronize());
  CK(cudaEventRecord(t0));
  for (int i = 0; i < 5; ++i) launch();
  CK(cudaEventRecord(t1));
  CK(cudaGetLastError());
  CK(cudaEventSynchronize(t1));
  float ms = 0.f;
  CK(cudaEventElapsedTime(&ms, t0, t1));
  return ms / 5;
}

static std::vector<double> level_major(const std::vector<double>& a, int ncol, int nlev) {
  std::vector<double> r(a.size());
  for (int c0 = 0; c0 < ncol; c0 += 64)
    for (int k = 0; k < nlev; ++k)
      for (int c = c0; c < c0 + 64 && c < ncol; ++c)
        r[(size_t)k * ncol + c] = a[(size_t)c * nlev + k];
  return r;
}

int main(int argc, char** argv) {
  const char* mode = argc > 1 ? argv[1] : "both";
  const bool do_naive = !strcmp(mode, "naive") || !strcmp(mode, "both");
  const bool do_rep = !strcmp(mode, "repaired") || !strcmp(mode, "both");
  if (!do_naive && !do_rep) return 1;

  VerticalGrid g;
  g.ncol = 192 * 160;
  g.nlev = 60;
  g.dt_over_dz2 = 0.03;
  const size_t n = (size_t)g.ncol * g.nlev;
  std::vector<double> t(n), kz(n), flux(g.ncol);
  unsigned s = 31u;
  for (size_t i = 0; i < n; ++i) {
    s = s * 1664525u + 1013904223u;
    t[i] = 300.0 - 1.3 * (double)(i % g.nlev) + (s >> 16) * (1.0 / 65536);
    s = s * 1664525u + 1013904223u;
    kz[i] = 1.0 + 40.0 * ((s >> 16) * (1.0 / 65536));
  }
  for (int c = 0; c < g.ncol; ++c) flux[c] = 0.01 * (c % 97);

  double *dt, *dk, *df, *dw, *dx;
  const size_t bytes = n * sizeof(double);
  CK(cudaMalloc(&dt, bytes));
  CK(cudaMalloc(&dk, bytes));
  CK(cudaMalloc(&dw, bytes));
  CK(cudaMalloc(&dx, bytes));
  CK(cudaMalloc(&df, g.ncol * sizeof(double)));
  CK(cudaMemcpy(df, flux.data(), g.ncol * sizeof(double), cudaMemcpyHostToDevice));

  const int threads = 128, blocks = (g.ncol + threads - 1) / threads;
  std::vector<double> ra, rb;
  if (do_naive) {
    CK(cudaMemcpy(dt, t.data(), bytes, cudaMemcpyHostToDevice));
    CK(cudaMemcpy(dk, kz.data(), bytes, cudaMemcpyHostToDevice));
    printf("naive    %.4f ms\n", time_launches([&] {
             column_diffusion_naive<<<blocks, threads>>>(dt, dk, df, dw, dx, g);
           }));
    ra.resize(n);
    CK(cudaMemcpy(ra.data(), dx, bytes, cudaMemcpyDeviceToHost));
  }
  if (do_rep) {
    CK(cudaMemcpy(dt, level_major(t, g.ncol, g.nlev).data(), bytes, cudaMemcpyHostToDevice));
    CK(cudaMemcpy(dk, level_major(kz, g.ncol, g.nlev).data(), bytes, cudaMemcpyHostToDevice));
    printf("repaired %.4f ms\n", time_launches([&] {
             column_diffusion_repaired<<<blocks, threads>>>(dt, dk, df, dw, dx, g);
           }));
    rb.resize(n);
    CK(cudaMemcpy(rb.data(), dx, bytes, cudaMemcpyDeviceToHost));
  }
  if (do_naive && do_rep) {
    for (int k = 0; k < g.nlev; ++k)
      for (int c = 0; c < g.ncol; ++c) {
        const double a = ra[(size_t)c * g.nlev + k], b = rb[(size_t)k * g.ncol + c];
        if (!(std::fabs(a - b) <= 1e-8 * std::fabs(a))) {
          fprintf(stderr, "mismatch col %d lev %d: %.12g %.12g\n", c, k, a, b);
          return 3;
        }
      }
    printf("results agree\n");
  }
  CK(cudaFree(dt));
  CK(cudaFree(dk));
  CK(cudaFree(dw));
  CK(cudaFree(dx));
  CK(cudaFree(df));
  return 0;
}
