// SPDX-License-Identifier: Apache-2.0
//
// Field gather and velocity kick of a particle-in-cell plasma code: trilinear
// interpolation of the electric field on a periodic 96^3 grid to one million particles
// and a half step of their velocities.
// Usage: pic_field_kick naive|repaired|both
#include <cuda_runtime.h>

#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <vector>

#define CK(call)                                                            \
  do {                                                                      \
    cudaError_t err_ = (call);                                              \
    if (err_ != cudaSuccess) {                                              \
      fprintf(stderr, "line %d: %s\n", __LINE__, cudaGetErrorString(err_)); \
      exit(2);                                                              \
    }                                                                       \
  } while (0)

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

static float* upload(const std::vector<float>& h) {
  float* d = nullptr;
  CK(cudaMalloc(&d, h.size() * sizeof(float)));
  CK(cudaMemcpy(d, h.data(), h.size() * sizeof(float), cudaMemcpyHostToDevice));
  return d;
}

int main(int argc, char** argv) {
  const std::string mode = argc > 1 ? argv[1] : "both";
  const int n = 96, count = 1 << 20;
  const int nodes = n * n * n;

  uint32_t s = 20240601u;
  auto rnd = [&] {
    s ^= s << 13;
    s ^= s >> 17;
    s ^= s << 5;
    return (s >> 8) * (1.f / 16777216.f);
  };
  std::vector<float> grid_h[3], part[6];  // x y z vx vy vz
  for (auto& g : grid_h) {
    g.resize(nodes);
    for (auto& v : g) v = rnd() - 0.5f;
  }
  for (int q = 0; q < 6; ++q) {
    part[q].resize(count);
    for (auto& v : part[q]) v = q < 3 ? rnd() * (n - 0.01f) : rnd() - 0.5f;
  }
  const Field f{n, upload(grid_h[0]), upload(grid_h[1]), upload(grid_h[2])};
  Soa3 vout;
  CK(cudaMalloc(&vout.x, count * sizeof(float)));
  CK(cudaMalloc(&vout.y, count * sizeof(float)));
  CK(cudaMalloc(&vout.z, count * sizeof(float)));
  const float kick = 0.125f;
  const int blocks = (count + 255) / 256;

  auto read_back = [&](std::vector<float>(&r)[3]) {
    float* src[3] = {vout.x, vout.y, vout.z};
    for (int q = 0; q < 3; ++q) {
      r[q].resize(count);
      CK(cudaMemcpy(r[q].data(), src[q], count * sizeof(float), cudaMemcpyDeviceToHost));
    }
  };
  std::vector<float> r0[3], r1[3];
  std::vector<int> order(count);
  if (mode != "repaired") {
    const Soa3 pos{upload(part[0]), upload(part[1]), upload(part[2])};
    const Soa3 vel{upload(part[3]), upload(part[4]), upload(part[5])};
    const float ms =
        time_ms([&] { pic_field_kick_naive<<<blocks, 256>>>(f, pos, vel, vout, kick, count); });
    printf("naive    %.4f ms\n", ms);
    read_back(r0);
  }
  if (mode != "naive") {
    // counting sort of the particles by cell
    std::vector<int> start(nodes + 1, 0), cell(count);
    for (int p = 0; p < count; ++p) {
      cell[p] = ((int)part[2][p] * n + (int)part[1][p]) * n + (int)part[0][p];
      ++start[cell[p] + 1];
    }
    for (int c = 0; c < nodes; ++c) start[c + 1] += start[c];
    for (int p = 0; p < count; ++p) order[start[cell[p]]++] = p;
    std::vector<float> sorted[6];
    for (int q = 0; q < 6; ++q) {
      sorted[q].resize(count);
      for (int k = 0; k < count; ++k) sorted[q][k] = part[q][order[k]];
    }
    const Soa3 pos{upload(sorted[0]), upload(sorted[1]), upload(sorted[2])};
    const Soa3 vel{upload(sorted[3]), upload(sorted[4]), upload(sorted[5])};
    const float ms =
        time_ms([&] { pic_field_kick_repaired<<<blocks, 256>>>(f, pos, vel, vout, kick, count); });
    printf("repaired %.4f ms\n", ms);
    read_back(r1);
  }
  if (mode == "both") {
    for (int k = 0; k < count; ++k)
      for (int q = 0; q < 3; ++q)
        if (!(fabsf(r0[q][order[k]] - r1[q][k]) <= 1e-5f)) {
          fprintf(stderr, "mismatch at particle %d\n", order[k]);
          return 1;
        }
    printf("match\n");
  }
  return 0;
}
