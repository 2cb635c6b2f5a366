// SPDX-License-Identifier: Apache-2.0
//
// Microphone/antenna array processing: for every pair of sensors and every
// frequency bin the whitened cross power spectrum (GCC-PHAT) X_a * conj(X_b) / |.|
// is formed, weighted by a per-bin taper. Spectra are stored as (re, im) floats.
#include <cuda_runtime.h>

#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <vector>

#define CHECK(call)                                                                    \
  {                                                                                    \
    const cudaError_t err = (call);                                                    \
    if (err != cudaSuccess) {                                                          \
      fprintf(stderr, "CUDA error, line %d: %s\n", __LINE__, cudaGetErrorString(err)); \
      exit(2);                                                                         \
    }                                                                                  \
  }

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
  const char* mode = argc > 1 ? argv[1] : "both";
  const bool run[2] = {!strcmp(mode, "naive") || !strcmp(mode, "both"),
                       !strcmp(mode, "repaired") || !strcmp(mode, "both")};
  if (!run[0] && !run[1]) return 1;

  const int sensors = 16, bins = 32768;
  std::vector<PairIndex> pairs;
  for (int a = 0; a < sensors; ++a)
    for (int b = a + 1; b < sensors; ++b) pairs.push_back({(uint16_t)a, (uint16_t)b});
  const int np = (int)pairs.size();  // 120

  std::vector<float> spec((size_t)sensors * bins * 2), tap(bins);
  unsigned s = 4242u;
  for (auto& v : spec) {
    s = s * 1664525u + 1013904223u;
    v = (float)(s >> 8) * (2.f / 16777216.f) - 1.f;
  }
  for (int k = 0; k < bins; ++k) tap[k] = 0.5f - 0.5f * std::cos(6.2831853f * k / bins);

  float *dspec, *dtap, *out[2];
  PairIndex* dpairs;
  const size_t outn = (size_t)np * bins * 2;
  CHECK(cudaMalloc(&dspec, spec.size() * sizeof(float)));
  CHECK(cudaMalloc(&dtap, tap.size() * sizeof(float)));
  CHECK(cudaMalloc(&dpairs, np * sizeof(PairIndex)));
  CHECK(cudaMalloc(&out[0], outn * sizeof(float)));
  CHECK(cudaMalloc(&out[1], outn * sizeof(float)));
  CHECK(cudaMemcpy(dspec, spec.data(), spec.size() * sizeof(float), cudaMemcpyHostToDevice));
  CHECK(cudaMemcpy(dtap, tap.data(), tap.size() * sizeof(float), cudaMemcpyHostToDevice));
  CHECK(cudaMemcpy(dpairs, pairs.data(), np * sizeof(PairIndex), cudaMemcpyHostToDevice));

  const dim3 block(256), grid((bins + 255) / 256, np);
  cudaEvent_t t0, t1;
  CHECK(cudaEventCreate(&t0));
  CHECK(cudaEventCreate(&t1));
  for (int v = 0; v < 2; ++v) {
    if (!run[v]) continue;
    for (int it = 0; it < 6; ++it) {
      if (it == 1) CHECK(cudaEventRecord(t0));
      if (v == 0)
        crosspower_phat_naive<<<grid, block>>>(dspec, dpairs, dtap, out[0], bins, 1e-6f);
      else
        crosspower_phat_repaired<<<grid, block>>>(dspec, dpairs, dtap, out[1], bins, 1e-6f);
      CHECK(cudaGetLastError());
      if (it == 0) CHECK(cudaDeviceSynchronize());
    }
    CHECK(cudaEventRecord(t1));
    CHECK(cudaEventSynchronize(t1));
    float ms;
    CHECK(cudaEventElapsedTime(&ms, t0, t1));
    printf("%-8s %.4f ms\n", v == 0 ? "naive" : "repaired", ms / 5);
  }

  if (run[0] && run[1]) {
    std::vector<float> a(outn), b(outn);
    CHECK(cudaMemcpy(a.data(), out[0], outn * sizeof(float), cudaMemcpyDeviceToHost));
    CHECK(cudaMemcpy(b.data(), out[1], outn * sizeof(float), cudaMemcpyDeviceToHost));
    for (size_t i = 0; i < outn; ++i)
      if (!(std::fabs(a[i] - b[i]) <= 1e-4f)) {
        fprintf(stderr, "mismatch at %zu: %g vs %g\n", i, a[i], b[i]);
        return 3;
      }
    printf("results agree\n");
  }
  CHECK(cudaFree(dspec));
  CHECK(cudaFree(dtap));
  CHECK(cudaFree(dpairs));
  CHECK(cudaFree(out[0]));
  CHECK(cudaFree(out[1]));
  return 0;
}
