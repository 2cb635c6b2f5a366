// SPDX-License-Identifier: Apache-2.0
//
// Molecular dynamics integrator: one half-kick, drift and Langevin friction step
// for all particles. Friction depends on the species; wrapping into the periodic
// box is done on the fly and the kinetic energy of each particle is recorded.
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

struct Particle {
  float3 pos;
  float3 vel;
  float3 frc;
  float inv_mass;
  int species;
  int molecule;
};

struct ParticleFields {
  float *px, *py, *pz;
  float *vx, *vy, *vz;
  const float *fx, *fy, *fz;
  const float* inv_mass;
  const int* species;
};

struct Box {
  float3 len;
  float dt;
};

__device__ __forceinline__ float3 axpy(float a, float3 x, float3 y) {
  return make_float3(fmaf(a, x.x, y.x), fmaf(a, x.y, y.y), fmaf(a, x.z, y.z));
}

__device__ __forceinline__ float wrap(float v, float len) { return v - len * floorf(v / len); }

__global__ void langevin_kick_naive(Particle* __restrict__ atoms,
                                    const float* __restrict__ friction, float* __restrict__ ekin,
                                    int n, Box box) {
  const int step = gridDim.x * blockDim.x;
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += step) {
    Particle& a = atoms[i];
    const float im = a.inv_mass;
    const float damp = 1.f - box.dt * __ldg(&friction[a.species]);
    float3 v = axpy(0.5f * box.dt * im, a.frc, a.vel);
    v.x *= damp;
    v.y *= damp;
    v.z *= damp;
    float3 r = axpy(box.dt, v, a.pos);
    r.x = wrap(r.x, box.len.x);
    r.y = wrap(r.y, box.len.y);
    r.z = wrap(r.z, box.len.z);
    a.pos = r;
    a.vel = v;
    ekin[i] = 0.5f * (v.x * v.x + v.y * v.y + v.z * v.z) / im;
  }
}

__global__ void langevin_kick_repaired(ParticleFields f, const float* __restrict__ friction,
                                       float* __restrict__ ekin, int n, Box box) {
  const int step = gridDim.x * blockDim.x;
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += step) {
    const float im = f.inv_mass[i];
    const float damp = 1.f - box.dt * __ldg(&friction[f.species[i]]);
    float3 v = axpy(0.5f * box.dt * im, make_float3(f.fx[i], f.fy[i], f.fz[i]),
                    make_float3(f.vx[i], f.vy[i], f.vz[i]));
    v.x *= damp;
    v.y *= damp;
    v.z *= damp;
    float3 r = axpy(box.dt, v, make_float3(f.px[i], f.py[i], f.pz[i]));
    r.x = wrap(r.x, box.len.x);
    r.y = wrap(r.y, box.len.y);
    r.z = wrap(r.z, box.len.z);
    f.px[i] = r.x;
    f.py[i] = r.y;
    f.pz[i] = r.z;
    f.vx[i] = v.x;
    f.vy[i] = v.y;
    f.vz[i] = v.z;
    ekin[i] = 0.5f * (v.x * v.x + v.y * v.y + v.z * v.z) / im;
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

static unsigned g_seed = 99u;
static float uniform() {
  g_seed = g_seed * 1664525u + 1013904223u;
  return (float)(g_seed >> 8) * (1.f / 16777216.f);
}

// distance on a ring of circumference len
static float ring(float a, float b, float len) {
  float d = std::fabs(a - b);
  return std::fmin(d, std::fabs(len - d));
}

int main(int argc, char** argv) {
  const char* mode = argc > 1 ? argv[1] : "both";
  const bool do_naive = !strcmp(mode, "naive") || !strcmp(mode, "both");
  const bool do_rep = !strcmp(mode, "repaired") || !strcmp(mode, "both");
  if (!do_naive && !do_rep) return 1;

  const int n = 1000000;
  Box box;
  box.len = make_float3(64.f, 64.f, 48.f);
  box.dt = 0.002f;
  std::vector<Particle> h(n);
  for (int i = 0; i < n; ++i) {
    Particle& a = h[i];
    a.pos = make_float3(64.f * uniform(), 64.f * uniform(), 48.f * uniform());
    a.vel = make_float3(uniform() - 0.5f, uniform() - 0.5f, uniform() - 0.5f);
    a.frc = make_float3(20.f * uniform() - 10.f, 20.f * uniform() - 10.f, 20.f * uniform() - 10.f);
    a.inv_mass = 1.f / (1.f + 15.f * uniform());
    a.species = (int)(4.f * uniform()) & 3;
    a.molecule = i / 3;
  }
  const float hfric[4] = {0.1f, 0.5f, 1.0f, 2.0f};
  float* fric;
  CK(cudaMalloc(&fric, sizeof(hfric)));
  CK(cudaMemcpy(fric, hfric, sizeof(hfric), cudaMemcpyHostToDevice));

  const int threads = 256, blocks = 2048;
  std::vector<Particle> out(do_naive ? n : 0);
  std::vector<float> ea(n), eb(n);

  if (do_naive) {
    Particle* d;
    float* ek;
    CK(cudaMalloc(&d, (size_t)n * sizeof(Particle)));
    CK(cudaMalloc(&ek, (size_t)n * sizeof(float)));
    CK(cudaMemcpy(d, h.data(), (size_t)n * sizeof(Particle), cudaMemcpyHostToDevice));
    printf("naive    %.4f ms\n",
           time_launches([&] { langevin_kick_naive<<<blocks, threads>>>(d, fric, ek, n, box); }));
    CK(cudaMemcpy(out.data(), d, (size_t)n * sizeof(Particle), cudaMemcpyDeviceToHost));
    CK(cudaMemcpy(ea.data(), ek, (size_t)n * sizeof(float), cudaMemcpyDeviceToHost));
    CK(cudaFree(d));
    CK(cudaFree(ek));
  }
  std::vector<float> fields;  // 10 float fields, one after the other
  if (do_rep) {
    fields.resize((size_t)10 * n);
    std::vector<int> sp(n);
    for (int i = 0; i < n; ++i) {
      const Particle& a = h[i];
      const float v[10] = {a.pos.x, a.pos.y, a.pos.z, a.vel.x, a.vel.y,
                           a.vel.z, a.frc.x, a.frc.y, a.frc.z, a.inv_mass};
      for (int k = 0; k < 10; ++k) fields[(size_t)k * n + i] = v[k];
      sp[i] = a.species;
    }
    float *d[10], *ek;
    int* dsp;
    for (int k = 0; k < 10; ++k) {
      CK(cudaMalloc(&d[k], (size_t)n * sizeof(float)));
      CK(cudaMemcpy(d[k], &fields[(size_t)k * n], (size_t)n * sizeof(float),
                    cudaMemcpyHostToDevice));
    }
    CK(cudaMalloc(&dsp, (size_t)n * sizeof(int)));
    CK(cudaMemcpy(dsp, sp.data(), (size_t)n * sizeof(int), cudaMemcpyHostToDevice));
    CK(cudaMalloc(&ek, (size_t)n * sizeof(float)));
    ParticleFields f{d[0], d[1], d[2], d[3], d[4], d[5], d[6], d[7], d[8], d[9], dsp};
    printf("repaired %.4f ms\n", time_launches([&] {
             langevin_kick_repaired<<<blocks, threads>>>(f, fric, ek, n, box);
           }));
    for (int k = 0; k < 6; ++k)
      CK(cudaMemcpy(&fields[(size_t)k * n], d[k], (size_t)n * sizeof(float),
                    cudaMemcpyDeviceToHost));
    CK(cudaMemcpy(eb.data(), ek, (size_t)n * sizeof(float), cudaMemcpyDeviceToHost));
    for (int k = 0; k < 10; ++k) CK(cudaFree(d[k]));
    CK(cudaFree(dsp));
    CK(cudaFree(ek));
  }
  if (do_naive && do_rep) {
    const size_t N = n;
    for (size_t i = 0; i < N; ++i) {
      const Particle& a = out[i];
      bool ok = ring(a.pos.x, fields[i], 64.f) <= 1e-3f &&
                ring(a.pos.y, fields[N + i], 64.f) <= 1e-3f &&
                ring(a.pos.z, fields[2 * N + i], 48.f) <= 1e-3f &&
                std::fabs(a.vel.x - fields[3 * N + i]) <= 1e-4f &&
                std::fabs(a.vel.y - fields[4 * N + i]) <= 1e-4f &&
                std::fabs(a.vel.z - fields[5 * N + i]) <= 1e-4f &&
                std::fabs(ea[i] - eb[i]) <= 1e-3f * (1.f + ea[i]);
      if (!ok) {
        fprintf(stderr, "mismatch at particle %zu\n", i);
        return 3;
      }
    }
    printf("results agree\n");
  }
  CK(cudaFree(fric));
  return 0;
}
