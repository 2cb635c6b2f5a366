// SPDX-License-Identifier: Apache-2.0
//
// Divergence of a velocity field on a periodic staggered (MAC) grid with stretched
// spacing, scaled to the right-hand side of a pressure Poisson equation and masked
// by fluid fraction.
#include "harness.h"

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

int main(int argc, char** argv) {
  const int nx = 160, ny = 96, nz = 96;
  const size_t cells = (size_t)nx * ny * nz;
  Xorshift<uint64_t, 13, 7, 17> rnd{88172645463325252ull};
  std::vector<double> hu(cells), hv(cells), hw(cells);
  for (size_t c = 0; c < cells; ++c) {
    hu[c] = Unit(rnd()) - 0.5;
    hv[c] = Unit(rnd()) - 0.5;
    hw[c] = Unit(rnd()) - 0.5;
  }
  const auto u = Upload(hu), v = Upload(hv), w = Upload(hw);
  const auto fluid = Upload(Generate(cells, [](int c) { return c % 11 == 0 ? 0.f : 1.f; }));
  auto spacing = [&](int) { return 50.0 + 20.0 * Unit(rnd()); };
  const auto rdx = Upload(Generate(nx, spacing)), rdy = Upload(Generate(ny, spacing)),
             rdz = Upload(Generate(nz, spacing));
  const Mesh<double> m{nx, ny, nz, rdx, rdy, rdz, 1.2 / 1e-3};
  const auto a = Allocate<double>(cells), b = Allocate<double>(cells);

  const dim3 block(32, 4, 2);
  const dim3 grid_a((nz + 31) / 32, (ny + 3) / 4, (nx + 1) / 2);
  const dim3 grid_b((nx + 31) / 32, (ny + 3) / 4, (nz + 1) / 2);
  const auto naive = [&] {
    staggered_divergence_naive<double><<<grid_a, block>>>(m, u, v, w, fluid, a);
  };
  const auto repaired = [&] {
    staggered_divergence_repaired<double><<<grid_b, block>>>(m, u, v, w, fluid, b);
  };
  return Run(argc, argv, naive, repaired, [&] { return Near(a, b, 1e-9, 1e-9); });
}
