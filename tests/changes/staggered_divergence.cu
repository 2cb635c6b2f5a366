// SPDX-License-Identifier: Apache-2.0
//
// Divergence of a velocity field on a periodic staggered (MAC) grid with stretched
// spacing, scaled to the right-hand side of a pressure Poisson equation and masked
// by fluid fraction.
// Usage: staggered_divergence naive|repaired|both
#include <cuda_runtime.h>

#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <vector>

static void check(cudaError_t e, int line) {
  if (e == cudaSuccess) return;
  fprintf(stderr, "CUDA error at line %d: %s\n", line, cudaGetErrorString(e));
  exit(2);
}
#define CK(x) check((x), __LINE__)

template <typename Real>
struct Mesh {
  int nx, ny, nz;
  const Real *rdx, *rdy, *rdz;  // reciprocal spacings
  Real rho_dt;
  __device__ size_t cell(int i, int j, int k) const { return ((size_t)k * ny + j) * nx + i; }
};

template <typename Real>
__device__ Real cell_flux(const Mesh<Real>& m, const Real* __restrict__ u,
                          const Real* __restrict__ v, const Real* __restrict__ w, int i, int j,
                          int k) {
  const int ip = i + 1 < m.nx ? i + 1 : 0;
  const int jp = j + 1 < m.ny ? j + 1 : 0;
  const int kp = k + 1 < m.nz ? k + 1 : 0;
  const size_t c = m.cell(i, j, k);
  const Real du = u[m.cell(ip, j, k)] - u[c];
  const Real dv = v[m.cell(i, jp, k)] - v[c];
  const Real dw = w[m.cell(i, j, kp)] - w[c];
  return du * m.rdx[i] + dv * m.rdy[j] + dw * m.rdz[k];
}

template <typename Real>
__global__ void staggered_divergence_naive(Mesh<Real> m, const Real* __restrict__ u,
                                           const Real* __restrict__ v, const Real* __restrict__ w,
                                           const float* __restrict__ fluid,
                                           Real* __restrict__ rhs) {
  const int k = blockIdx.x * blockDim.x + threadIdx.x;
  const int j = blockIdx.y * blockDim.y + threadIdx.y;
  const int i = blockIdx.z * blockDim.z + threadIdx.z;
  if (i >= m.nx || j >= m.ny || k >= m.nz) return;
  const size_t c = m.cell(i, j, k);
  const Real d = cell_flux(m, u, v, w, i, j, k);
  rhs[c] = m.rho_dt * d * (Real)fluid[c];
}

template <typename Real>
__global__ void staggered_divergence_repaired(Mesh<Real> m, const Real* __restrict__ u,
                                              const Real* __restrict__ v,
                                              const Real* __restrict__ w,
                                              const float* __restrict__ fluid,
                                              Real* __restrict__ rhs) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  const int j = blockIdx.y * blockDim.y + threadIdx.y;
  const int k = blockIdx.z * blockDim.z + threadIdx.z;
  if (i >= m.nx || j >= m.ny || k >= m.nz) return;
  const size_t c = m.cell(i, j, k);
  const Real d = cell_flux(m, u, v, w, i, j, k);
  rhs[c] = m.rho_dt * d * (Real)fluid[c];
}

template <class F>
static float time_ms(F launch) {
  launch();
  CK(cudaGetLastError());
  CK(cudaDeviceSynchronize());
  cudaEvent_t a, b;
  CK(cudaEventCreate(&a));
  CK(cudaEventCreate(&b));
  CK(cudaEventRecord(a));
  for (int r = 0; r < 5; ++r) launch();
  CK(cudaEventRecord(b));
  CK(cudaEventSynchronize(b));
  CK(cudaGetLastError());
  float ms = 0.f;
  CK(cudaEventElapsedTime(&ms, a, b));
  return ms / 5.f;
}

template <typename T>
static T* upload(const std::vector<T>& h) {
  T* d = nullptr;
  CK(cudaMalloc(&d, h.size() * sizeof(T)));
  CK(cudaMemcpy(d, h.data(), h.size() * sizeof(T), cudaMemcpyHostToDevice));
  return d;
}

int main(int argc, char** argv) {
  const std::string mode = argc > 1 ? argv[1] : "both";
  const int nx = 160, ny = 96, nz = 96;
  const size_t cells = (size_t)nx * ny * nz;

  uint64_t s = 88172645463325252ull;
  auto rnd = [&] {
    s ^= s << 13;
    s ^= s >> 7;
    s ^= s << 17;
    return (double)(s >> 11) * (1.0 / 9007199254740992.0);
  };
  std::vector<double> u(cells), v(cells), w(cells), rdx(nx), rdy(ny), rdz(nz);
  std::vector<float> fluid(cells);
  for (size_t c = 0; c < cells; ++c) {
    u[c] = rnd() - 0.5;
    v[c] = rnd() - 0.5;
    w[c] = rnd() - 0.5;
    fluid[c] = (c % 11 == 0) ? 0.f : 1.f;
  }
  for (auto& x : rdx) x = 50.0 + 20.0 * rnd();
  for (auto& x : rdy) x = 50.0 + 20.0 * rnd();
  for (auto& x : rdz) x = 50.0 + 20.0 * rnd();

  double *d_u = upload(u), *d_v = upload(v), *d_w = upload(w);
  float* d_fluid = upload(fluid);
  double* d_rhs = nullptr;
  CK(cudaMalloc(&d_rhs, cells * sizeof(double)));
  Mesh<double> m{nx, ny, nz, upload(rdx), upload(rdy), upload(rdz), 1.2 / 1e-3};

  const dim3 block(32, 4, 2);
  std::vector<double> r0(cells), r1(cells);
  if (mode != "repaired") {
    CK(cudaMemset(d_rhs, 0xff, cells * sizeof(double)));
    const dim3 grid((nz + 31) / 32, (ny + 3) / 4, (nx + 1) / 2);
    const float ms = time_ms([&] {
      staggered_divergence_naive<double><<<grid, block>>>(m, d_u, d_v, d_w, d_fluid, d_rhs);
    });
    printf("naive    %.4f ms\n", ms);
    CK(cudaMemcpy(r0.data(), d_rhs, cells * sizeof(double), cudaMemcpyDeviceToHost));
  }
  if (mode != "naive") {
    CK(cudaMemset(d_rhs, 0xff, cells * sizeof(double)));
    const dim3 grid((nx + 31) / 32, (ny + 3) / 4, (nz + 1) / 2);
    const float ms = time_ms([&] {
      staggered_divergence_repaired<double><<<grid, block>>>(m, d_u, d_v, d_w, d_fluid, d_rhs);
    });
    printf("repaired %.4f ms\n", ms);
    CK(cudaMemcpy(r1.data(), d_rhs, cells * sizeof(double), cudaMemcpyDeviceToHost));
  }
  if (mode == "both") {
    for (size_t c = 0; c < cells; ++c)
      if (!(fabs(r0[c] - r1[c]) <= 1e-9 * (1.0 + fabs(r0[c])))) {
        fprintf(stderr, "mismatch at %zu: %g %g\n", c, r0[c], r1[c]);
        return 1;
      }
    printf("match\n");
  }
  return 0;
}
