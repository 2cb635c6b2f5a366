// SPDX-License-Identifier: Apache-2.0
//
// One pull-streaming + BGK collision step of a D2Q9 lattice Boltzmann fluid
// on a periodic 1024 x 512 lattice with solid obstacles (full-way bounce back).
// Writes the new populations and the density of each site.
#include "harness.h"

struct Site {
  float c, e, n, w, s, ne, nw, sw, se;
};

struct Lattice {
  int nx, ny;
  float omega;
  __host__ __device__ size_t at(int x, int y) const { return (size_t)y * nx + x; }
};

__device__ float relax(float (&f)[9], float omega, bool solid) {
  float rho = 0.f;
#pragma unroll
  for (int q = 0; q < 9; ++q) rho += f[q];
  if (solid) {
    float t;
    t = f[1];
    f[1] = f[3];
    f[3] = t;
    t = f[2];
    f[2] = f[4];
    f[4] = t;
    t = f[5];
    f[5] = f[7];
    f[7] = t;
    t = f[6];
    f[6] = f[8];
    f[8] = t;
    return rho;
  }
  const float inv = 1.f / rho;
  const float ux = (f[1] + f[5] + f[8] - f[3] - f[6] - f[7]) * inv;
  const float uy = (f[2] + f[5] + f[6] - f[4] - f[7] - f[8]) * inv;
  const float usq = 1.5f * (ux * ux + uy * uy);
  auto blend = [&](float& v, float wgt, float cu) {
    const float eq = wgt * rho * (1.f + 3.f * cu + 4.5f * cu * cu - usq);
    v += omega * (eq - v);
  };
  blend(f[0], 4.f / 9.f, 0.f);
  blend(f[1], 1.f / 9.f, ux);
  blend(f[2], 1.f / 9.f, uy);
  blend(f[3], 1.f / 9.f, -ux);
  blend(f[4], 1.f / 9.f, -uy);
  blend(f[5], 1.f / 36.f, ux + uy);
  blend(f[6], 1.f / 36.f, -ux + uy);
  blend(f[7], 1.f / 36.f, -ux - uy);
  blend(f[8], 1.f / 36.f, ux - uy);
  return rho;
}

__global__ void lbm_bgk_d2q9_naive(const Site* __restrict__ in, Site* __restrict__ out,
                                   const uint8_t* __restrict__ solid, float* __restrict__ density,
                                   Lattice L) {
  const int x = blockIdx.x * blockDim.x + threadIdx.x;
  const int y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x >= L.nx || y >= L.ny) return;
  const int xm = x == 0 ? L.nx - 1 : x - 1, xp = x == L.nx - 1 ? 0 : x + 1;
  const int ym = y == 0 ? L.ny - 1 : y - 1, yp = y == L.ny - 1 ? 0 : y + 1;

  float f[9];
  f[0] = in[L.at(x, y)].c;
  f[1] = in[L.at(xm, y)].e;
  f[2] = in[L.at(x, ym)].n;
  f[3] = in[L.at(xp, y)].w;
  f[4] = in[L.at(x, yp)].s;
  f[5] = in[L.at(xm, ym)].ne;
  f[6] = in[L.at(xp, ym)].nw;
  f[7] = in[L.at(xp, yp)].sw;
  f[8] = in[L.at(xm, yp)].se;

  const size_t here = L.at(x, y);
  const float rho = relax(f, L.omega, solid[here] != 0);

  Site& o = out[here];
  o.c = f[0];
  o.e = f[1];
  o.n = f[2];
  o.w = f[3];
  o.s = f[4];
  o.ne = f[5];
  o.nw = f[6];
  o.sw = f[7];
  o.se = f[8];
  density[here] = rho;
}

__global__ void lbm_bgk_d2q9_repaired(const float* __restrict__ in, float* __restrict__ out,
                                      const uint8_t* __restrict__ solid,
                                      float* __restrict__ density, Lattice L) {
  const int x = blockIdx.x * blockDim.x + threadIdx.x;
  const int y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x >= L.nx || y >= L.ny) return;
  const int xm = x == 0 ? L.nx - 1 : x - 1, xp = x == L.nx - 1 ? 0 : x + 1;
  const int ym = y == 0 ? L.ny - 1 : y - 1, yp = y == L.ny - 1 ? 0 : y + 1;
  const size_t plane = (size_t)L.nx * L.ny;

  float f[9];
  f[0] = in[L.at(x, y)];
  f[1] = in[1 * plane + L.at(xm, y)];
  f[2] = in[2 * plane + L.at(x, ym)];
  f[3] = in[3 * plane + L.at(xp, y)];
  f[4] = in[4 * plane + L.at(x, yp)];
  f[5] = in[5 * plane + L.at(xm, ym)];
  f[6] = in[6 * plane + L.at(xp, ym)];
  f[7] = in[7 * plane + L.at(xp, yp)];
  f[8] = in[8 * plane + L.at(xm, yp)];

  const size_t here = L.at(x, y);
  const float rho = relax(f, L.omega, solid[here] != 0);
#pragma unroll
  for (int q = 0; q < 9; ++q) out[q * plane + here] = f[q];
  density[here] = rho;
}

int main(int argc, char** argv) {
  const Lattice L{1024, 512, 1.3f};
  const size_t cells = (size_t)L.nx * L.ny;
  const float wgt[9] = {4.f / 9,  1.f / 9,  1.f / 9,  1.f / 9, 1.f / 9,
                        1.f / 36, 1.f / 36, 1.f / 36, 1.f / 36};
  Random rnd{12345};
  const auto sites =
      Generate(cells * 9, [&](int i) { return wgt[i % 9] * (1.f + 0.05f * (Unit(rnd()) - 0.5f)); });
  const auto solid = Upload(Generate(cells, [&](int i) {
    const int dx = i % L.nx % 128 - 64, dy = i / L.nx % 128 - 64;
    return (uint8_t)(dx * dx + dy * dy < 15 * 15);
  }));
  const auto ia = Upload(sites), ib = Upload(Transposed(sites, cells, 9));
  const auto oa = Allocate<float>(cells * 9), ob = Allocate<float>(cells * 9);
  const auto ra = Allocate<float>(cells), rb = Allocate<float>(cells);

  const dim3 block(64, 4), grid((L.nx + 63) / 64, (L.ny + 3) / 4);
  const auto naive = [&] {
    lbm_bgk_d2q9_naive<<<grid, block>>>((const Site*)ia.data, (Site*)oa.data, solid, ra, L);
  };
  const auto repaired = [&] { lbm_bgk_d2q9_repaired<<<grid, block>>>(ib, ob, solid, rb, L); };
  return Run(argc, argv, naive, repaired,
             [&] { return Near(ra, rb, 1e-5) && Near(Transposed(Host(oa), cells, 9), ob, 1e-5); });
}
