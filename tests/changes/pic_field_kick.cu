// SPDX-License-Identifier: Apache-2.0
//
// Field gather and velocity kick of a particle-in-cell plasma code: trilinear
// interpolation of the electric field on a periodic 96^3 grid to one million particles
// and a half step of their velocities.
#include "harness.h"

struct Field {
  int n;  // cells per edge
  const float* __restrict__ ex;
  const float* __restrict__ ey;
  const float* __restrict__ ez;
};

struct Soa3 {
  float *x, *y, *z;
};

__device__ float3 interpolate(const Field& f, float px, float py, float pz) {
  const int i0 = min((int)px, f.n - 1), j0 = min((int)py, f.n - 1), k0 = min((int)pz, f.n - 1);
  const float fx = px - i0, fy = py - j0, fz = pz - k0;
  float3 e = make_float3(0.f, 0.f, 0.f);
#pragma unroll
  for (int c = 0; c < 8; ++c) {
    const int dx = c & 1, dy = (c >> 1) & 1, dz = c >> 2;
    const int i = i0 + dx == f.n ? 0 : i0 + dx;
    const int j = j0 + dy == f.n ? 0 : j0 + dy;
    const int k = k0 + dz == f.n ? 0 : k0 + dz;
    const float w = (dx ? fx : 1.f - fx) * (dy ? fy : 1.f - fy) * (dz ? fz : 1.f - fz);
    const int node = (k * f.n + j) * f.n + i;
    e.x += w * f.ex[node];
    e.y += w * f.ey[node];
    e.z += w * f.ez[node];
  }
  return e;
}

__global__ void pic_field_kick_naive(Field f, Soa3 pos, Soa3 vel, Soa3 vel_out, float qm_half_dt,
                                     int count) {
  const int p = blockIdx.x * blockDim.x + threadIdx.x;
  if (p >= count) return;
  const float3 e = interpolate(f, pos.x[p], pos.y[p], pos.z[p]);
  vel_out.x[p] = vel.x[p] + qm_half_dt * e.x;
  vel_out.y[p] = vel.y[p] + qm_half_dt * e.y;
  vel_out.z[p] = vel.z[p] + qm_half_dt * e.z;
}

__global__ void pic_field_kick_repaired(Field f, Soa3 pos, Soa3 vel, Soa3 vel_out, float qm_half_dt,
                                        int count) {
  const int p = blockIdx.x * blockDim.x + threadIdx.x;
  if (p >= count) return;
  const float3 e = interpolate(f, pos.x[p], pos.y[p], pos.z[p]);
  vel_out.x[p] = vel.x[p] + qm_half_dt * e.x;
  vel_out.y[p] = vel.y[p] + qm_half_dt * e.y;
  vel_out.z[p] = vel.z[p] + qm_half_dt * e.z;
}

int main(int argc, char** argv) {
  const int n = 96, count = 1 << 20;
  Xorshift<uint32_t, 13, 17, 5> rnd{20240601u};
  auto node = [&](int) { return Unit(rnd()) - 0.5f; };
  const auto ex = Upload(Generate(n * n * n, node)), ey = Upload(Generate(n * n * n, node)),
             ez = Upload(Generate(n * n * n, node));
  const Field f{n, ex, ey, ez};
  std::vector<float> part[6];  // x y z vx vy vz
  for (int q = 0; q < 6; ++q)
    part[q] = Generate(count,
                       [&](int) { return q < 3 ? Unit(rnd()) * (n - 0.01f) : Unit(rnd()) - 0.5f; });
  const auto order = OrderOf(Generate(
      count, [&](int p) { return ((int)part[2][p] * n + (int)part[1][p]) * n + (int)part[0][p]; }));
  auto as_is = [&](int q) { return Upload(part[q]).data; };
  auto sorted = [&](int q) { return Upload(InOrder(part[q], order)).data; };
  const Soa3 pa{as_is(0), as_is(1), as_is(2)}, va{as_is(3), as_is(4), as_is(5)};
  const Soa3 pb{sorted(0), sorted(1), sorted(2)}, vb{sorted(3), sorted(4), sorted(5)};
  auto out = [&] { return Allocate<float>(count).data; };
  const Soa3 oa{out(), out(), out()}, ob{out(), out(), out()};

  const int blocks = (count + 255) / 256;
  const auto naive = [&] { pic_field_kick_naive<<<blocks, 256>>>(f, pa, va, oa, 0.125f, count); };
  const auto repaired = [&] {
    pic_field_kick_repaired<<<blocks, 256>>>(f, pb, vb, ob, 0.125f, count);
  };
  auto same = [&](float* a, float* b) {
    return Near(InOrder(Host(Device<float>{a, count}), order), Device<float>{b, count}, 1e-5);
  };
  return Run(argc, argv, naive, repaired,
             [&] { return same(oa.x, ob.x) && same(oa.y, ob.y) && same(oa.z, ob.z); });
}
