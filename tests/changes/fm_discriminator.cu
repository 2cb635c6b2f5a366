// SPDX-License-Identifier: Apache-2.0
//
// FM demodulation of several radio channels of baseband I/Q samples: the phase step
// between consecutive samples times the channel's gain, and the signal envelope.
// Usage: fm_discriminator naive|repaired|both
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

struct Capture {
  const float* __restrict__ iq;    // [channel][sample][I, Q]
  const float* __restrict__ gain;  // [channel]
  int samples;
};

__device__ __forceinline__ float phase_step(float re, float im, float pre, float pim) {
  // angle of z[n] * conj(z[n-1])
  return atan2f(im * pre - re * pim, re * pre + im * pim);
}

__global__ void fm_discriminator_naive(Capture cap, float* __restrict__ audio,
                                       float* __restrict__ envelope) {
  const int ch = blockIdx.y;
  const float* in = cap.iq + (size_t)ch * cap.samples * 2;
  const float g = cap.gain[ch];
  const int stride = gridDim.x * blockDim.x;
  for (int n = blockIdx.x * blockDim.x + threadIdx.x; n < cap.samples; n += stride) {
    const float re = in[2 * n];
    const float im = in[2 * n + 1];
    float pre = 1.f, pim = 0.f;
    if (n > 0) {
      pre = in[2 * (n - 1)];
      pim = in[2 * (n - 1) + 1];
    }
    const size_t o = (size_t)ch * cap.samples + n;
    audio[o] = g * phase_step(re, im, pre, pim);
    envelope[o] = sqrtf(re * re + im * im);
  }
}

__global__ void fm_discriminator_repaired(Capture cap, float* __restrict__ audio,
                                          float* __restrict__ envelope) {
  const int ch = blockIdx.y;
  const float2* __restrict__ in =
      reinterpret_cast<const float2*>(cap.iq) + (size_t)ch * cap.samples;
  const float g = cap.gain[ch];
  const int stride = gridDim.x * blockDim.x;
  for (int n = blockIdx.x * blockDim.x + threadIdx.x; n < cap.samples; n += stride) {
    const float2 z = in[n];
    float2 p = make_float2(1.f, 0.f);
    if (n > 0) p = in[n - 1];
    const size_t o = (size_t)ch * cap.samples + n;
    audio[o] = g * phase_step(z.x, z.y, p.x, p.y);
    envelope[o] = sqrtf(z.x * z.x + z.y * z.y);
  }
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

int main(int argc, char** argv) {
  const std::string mode = argc > 1 ? argv[1] : "both";
  const int channels = 12, samples = 256 * 1024;
  const size_t total = (size_t)channels * samples;

  std::vector<float> iq(total * 2), gain(channels);
  uint32_t s = 4242u;
  for (size_t i = 0; i < total; ++i) {
    s = s * 1664525u + 1013904223u;
    iq[2 * i] = 0.1f + (s >> 8) * (1.f / 16777216.f);
    s = s * 1664525u + 1013904223u;
    iq[2 * i + 1] = (s >> 8) * (2.f / 16777216.f) - 1.f;
  }
  for (int c = 0; c < channels; ++c) gain[c] = 0.5f + 0.1f * c;

  float *d_iq = nullptr, *d_gain = nullptr, *d_audio = nullptr, *d_env = nullptr;
  CK(cudaMalloc(&d_iq, total * 2 * sizeof(float)));
  CK(cudaMalloc(&d_gain, channels * sizeof(float)));
  CK(cudaMalloc(&d_audio, total * sizeof(float)));
  CK(cudaMalloc(&d_env, total * sizeof(float)));
  CK(cudaMemcpy(d_iq, iq.data(), total * 2 * sizeof(float), cudaMemcpyHostToDevice));
  CK(cudaMemcpy(d_gain, gain.data(), channels * sizeof(float), cudaMemcpyHostToDevice));
  const Capture cap{d_iq, d_gain, samples};

  const dim3 grid(256, channels);
  std::vector<float> a0(total), a1(total), e0(total), e1(total);
  if (mode != "repaired") {
    CK(cudaMemset(d_audio, 0xff, total * sizeof(float)));
    const float ms = time_ms([&] { fm_discriminator_naive<<<grid, 256>>>(cap, d_audio, d_env); });
    printf("naive    %.4f ms\n", ms);
    CK(cudaMemcpy(a0.data(), d_audio, total * sizeof(float), cudaMemcpyDeviceToHost));
    CK(cudaMemcpy(e0.data(), d_env, total * sizeof(float), cudaMemcpyDeviceToHost));
  }
  if (mode != "naive") {
    CK(cudaMemset(d_audio, 0xff, total * sizeof(float)));
    const float ms =
        time_ms([&] { fm_discriminator_repaired<<<grid, 256>>>(cap, d_audio, d_env); });
    printf("repaired %.4f ms\n", ms);
    CK(cudaMemcpy(a1.data(), d_audio, total * sizeof(float), cudaMemcpyDeviceToHost));
    CK(cudaMemcpy(e1.data(), d_env, total * sizeof(float), cudaMemcpyDeviceToHost));
  }
  if (mode == "both") {
    for (size_t i = 0; i < total; ++i)
      if (!(fabsf(a0[i] - a1[i]) <= 1e-4f) || !(fabsf(e0[i] - e1[i]) <= 1e-5f)) {
        fprintf(stderr, "mismatch at %zu: %g %g\n", i, a0[i], a1[i]);
        return 1;
      }
    printf("match\n");
  }
  CK(cudaFree(d_iq));
  CK(cudaFree(d_gain));
  CK(cudaFree(d_audio));
  CK(cudaFree(d_env));
  return 0;
}
