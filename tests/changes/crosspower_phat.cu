// SPDX-License-Identifier: Apache-2.0
//
// Microphone/antenna array processing: for every pair of sensors and every
// frequency bin the whitened cross power spectrum (GCC-PHAT) X_a * conj(X_b) / |.|
// is formed, weighted by a per-bin taper. Spectra are stored as (re, im) floats.
#include "harness.h"

struct PairIndex {
  uint16_t a, b;
};

struct Cplx {
  float re, im;
};

__device__ inline Cplx conj_mul(Cplx x, Cplx y) {
  return {x.re * y.re + x.im * y.im, x.im * y.re - x.re * y.im};
}

__device__ inline Cplx whiten(Cplx z, float w, float floor_) {
  const float g = w / (sqrtf(z.re * z.re + z.im * z.im) + floor_);
  return {z.re * g, z.im * g};
}

// Spectrum of one sensor: bins * 2 floats.
class SpectrumRow {
  const float* base_;

 public:
  __device__ SpectrumRow(const float* all, int sensor, int bins)
      : base_(all + (size_t)sensor * bins * 2) {}
  __device__ float re(int k) const { return base_[2 * k]; }
  __device__ float im(int k) const { return base_[2 * k + 1]; }
};

__global__ void crosspower_phat_naive(const float* __restrict__ spectra,
                                      const PairIndex* __restrict__ pairs,
                                      const float* __restrict__ taper, float* __restrict__ cross,
                                      int bins, float floor_) {
  const int k = blockIdx.x * blockDim.x + threadIdx.x;
  if (k >= bins) return;
  const PairIndex pr = pairs[blockIdx.y];
  const SpectrumRow xa(spectra, pr.a, bins), xb(spectra, pr.b, bins);

  const Cplx a{xa.re(k), xa.im(k)};
  const Cplx b{xb.re(k), xb.im(k)};
  const Cplx c = whiten(conj_mul(a, b), taper[k], floor_);

  const size_t o = ((size_t)blockIdx.y * bins + k) * 2;
  cross[o + 0] = c.re;
  cross[o + 1] = c.im;
}

__global__ void crosspower_phat_repaired(const float* __restrict__ spectra,
                                         const PairIndex* __restrict__ pairs,
                                         const float* __restrict__ taper, float* __restrict__ cross,
                                         int bins, float floor_) {
  const int k = blockIdx.x * blockDim.x + threadIdx.x;
  if (k >= bins) return;
  const PairIndex pr = pairs[blockIdx.y];
  const float2* s2 = reinterpret_cast<const float2*>(spectra);

  const float2 va = s2[(size_t)pr.a * bins + k];
  const float2 vb = s2[(size_t)pr.b * bins + k];
  const Cplx c = whiten(conj_mul(Cplx{va.x, va.y}, Cplx{vb.x, vb.y}), taper[k], floor_);

  reinterpret_cast<float2*>(cross)[(size_t)blockIdx.y * bins + k] = make_float2(c.re, c.im);
}

int main(int argc, char** argv) {
  const int sensors = 16, bins = 32768;
  std::vector<PairIndex> sensor_pairs;
  for (int a = 0; a < sensors; ++a)
    for (int b = a + 1; b < sensors; ++b) sensor_pairs.push_back({(uint16_t)a, (uint16_t)b});
  const int np = (int)sensor_pairs.size();  // 120

  Random rnd{4242};
  const auto spec =
      Upload(Generate(sensors * bins * 2, [&](int) { return 2.f * Unit(rnd()) - 1.f; }));
  const auto taper =
      Upload(Generate(bins, [&](int k) { return 0.5f - 0.5f * std::cos(6.2831853f * k / bins); }));
  const auto pairs = Upload(sensor_pairs);
  const size_t outn = (size_t)np * bins * 2;
  const auto a = Allocate<float>(outn), b = Allocate<float>(outn);

  const dim3 block(256), grid((bins + 255) / 256, np);
  const auto naive = [&] {
    crosspower_phat_naive<<<grid, block>>>(spec, pairs, taper, a, bins, 1e-6f);
  };
  const auto repaired = [&] {
    crosspower_phat_repaired<<<grid, block>>>(spec, pairs, taper, b, bins, 1e-6f);
  };
  return Run(argc, argv, naive, repaired, [&] { return Near(a, b, 1e-4); });
}
