// SPDX-License-Identifier: Apache-2.0
//
// FM demodulation of several radio channels of baseband I/Q samples: the phase step
// between consecutive samples times the channel's gain, and the signal envelope.
#include "harness.h"

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

int main(int argc, char** argv) {
  const int channels = 12, samples = 256 * 1024;
  const size_t total = (size_t)channels * samples;
  Random rnd{4242};
  const auto iq = Upload(Generate(
      total * 2, [&](int i) { return i % 2 ? 2.f * Unit(rnd()) - 1.f : 0.1f + Unit(rnd()); }));
  const auto gain = Upload(Generate(channels, [](int c) { return 0.5f + 0.1f * c; }));
  const Capture cap{iq, gain, samples};
  const auto aa = Allocate<float>(total), ab = Allocate<float>(total);
  const auto ea = Allocate<float>(total), eb = Allocate<float>(total);

  const dim3 grid(256, channels);
  const auto naive = [&] { fm_discriminator_naive<<<grid, 256>>>(cap, aa, ea); };
  const auto repaired = [&] { fm_discriminator_repaired<<<grid, 256>>>(cap, ab, eb); };
  return Run(argc, argv, naive, repaired, [&] { return Near(aa, ab, 1e-4) && Near(ea, eb, 1e-5); });
}
