// SPDX-License-Identifier: Apache-2.0
//
// Audio: gain with a linear fade-in and a cubic soft clipper over 16-bit samples.
#include "harness.h"

struct SoftClip {
  float gain, fade;  // fade: part of the gain that a sample adds
  __device__ __forceinline__ int16_t operator()(int16_t sample, size_t position) const {
    const float g = fminf(gain, fade * (float)position);
    const float x = fminf(fmaxf(sample * (1.f / 32768.f) * g, -1.f), 1.f);
    return (int16_t)__float2int_rn(x * (1.5f - 0.5f * x * x) * 32767.f);
  }
};

template <int kPerThread, class Effect>
__global__ void soft_clip_naive(const int16_t* __restrict__ in, int16_t* __restrict__ out, size_t n,
                                Effect effect) {
  const size_t thread = (size_t)blockIdx.x * blockDim.x + threadIdx.x;
  const size_t first = thread * kPerThread;
  for (int k = 0; k < kPerThread; ++k) {
    const size_t i = first + k;
    if (i < n) out[i] = effect(in[i], i);
  }
}

template <int kPerThread, class Effect>
__global__ void soft_clip_repaired(const int16_t* __restrict__ in, int16_t* __restrict__ out,
                                   size_t n, Effect effect) {
  const size_t first = (size_t)blockIdx.x * blockDim.x * kPerThread + threadIdx.x;
  for (int k = 0; k < kPerThread; ++k) {
    const size_t i = first + k * blockDim.x;
    if (i < n) out[i] = effect(in[i], i);
  }
}

int main(int argc, char** argv) {
  const size_t n = 31000000;
  Random rnd{44};
  const auto in = Upload(Generate(n, [&](int) { return (int16_t)(rnd() >> 16); }));
  const auto a = Allocate<int16_t>(n), b = Allocate<int16_t>(n);

  constexpr int kPerThread = 32;
  const int threads = 256;
  const int blocks = (int)((n + threads * kPerThread - 1) / (threads * kPerThread));
  const SoftClip effect{1.8f, 1.8f / 480000.f};
  const auto naive = [&] { soft_clip_naive<kPerThread><<<blocks, threads>>>(in, a, n, effect); };
  const auto repaired = [&] {
    soft_clip_repaired<kPerThread><<<blocks, threads>>>(in, b, n, effect);
  };
  return Run(argc, argv, naive, repaired, [&] { return Near(a, b, 1); });
}
