// SPDX-License-Identifier: Apache-2.0
//
// Molecular dynamics integrator: one half-kick, drift and Langevin friction step
// for all particles. Friction depends on the species; wrapping into the periodic
// box is done on the fly and the kinetic energy of each particle is recorded.
#include "harness.h"

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

// The particles' words, field after field.
static std::vector<float> by_field(const std::vector<Particle>& atoms) {
  std::vector<float> words(atoms.size() * (sizeof(Particle) / sizeof(float)));
  memcpy(words.data(), atoms.data(), atoms.size() * sizeof(Particle));
  return Transposed(words, atoms.size(), sizeof(Particle) / sizeof(float));
}

// distance on a ring of circumference len
static float ring(float a, float b, float len) {
  float d = std::fabs(a - b);
  return std::fmin(d, std::fabs(len - d));
}

int main(int argc, char** argv) {
  const size_t n = 1000000;
  const Box box{{64.f, 64.f, 48.f}, 0.002f};
  Random rnd{99};
  auto uniform = [&] { return Unit(rnd()); };
  const auto atoms = Generate(n, [&](int i) {
    Particle a;
    a.pos = make_float3(64.f * uniform(), 64.f * uniform(), 48.f * uniform());
    a.vel = make_float3(uniform() - 0.5f, uniform() - 0.5f, uniform() - 0.5f);
    a.frc = make_float3(20.f * uniform() - 10.f, 20.f * uniform() - 10.f, 20.f * uniform() - 10.f);
    a.inv_mass = 1.f / (1.f + 15.f * uniform());
    a.species = (int)(4.f * uniform()) & 3;
    a.molecule = i / 3;
    return a;
  });
  const auto friction = Upload(std::vector<float>{0.1f, 0.5f, 1.0f, 2.0f});
  const auto aos = Upload(atoms);
  const auto soa = Upload(by_field(atoms));
  float* const d = soa;
  const int* species = (const int*)(d + 10 * n);
  const ParticleFields f{d,         d + n,     d + 2 * n, d + 3 * n, d + 4 * n, d + 5 * n,
                         d + 6 * n, d + 7 * n, d + 8 * n, d + 9 * n, species};
  const auto ea = Allocate<float>(n), eb = Allocate<float>(n);

  const int threads = 256, blocks = 2048;
  const auto naive = [&] { langevin_kick_naive<<<blocks, threads>>>(aos, friction, ea, n, box); };
  const auto repaired = [&] {
    langevin_kick_repaired<<<blocks, threads>>>(f, friction, eb, n, box);
  };
  return Run(argc, argv, naive, repaired, [&] {
    const auto a = by_field(Host(aos)), b = Host(soa);
    return Near(ea, eb, 1e-3, 1e-3) && All(6 * n, [&](size_t i) {
             if (i >= 3 * n) return Close(a[i], b[i], 1e-4);
             return ring(a[i], b[i], i < 2 * n ? 64.f : 48.f) <= 1e-3f;
           });
  });
}
