// SPDX-License-Identifier: Apache-2.0
//
// Radar: the receiver's 16-bit samples of each pulse to half precision, without the pulse's offset
// and weighted along the range. A block takes a pulse; pulses follow each other without gaps.
#include "harness.h"

struct Lines {
  int pulses, gates;
  int pitch;  // samples from one pulse to the next
};

__global__ void radar_lines_naive(const int16_t* __restrict__ adc, __half* __restrict__ out,
                                  const float* __restrict__ offset,
                                  const float* __restrict__ weight, Lines lines) {
  for (int pulse = blockIdx.x; pulse < lines.pulses; pulse += gridDim.x) {
    const float dc = offset[pulse];
    const int16_t* in = adc + (size_t)pulse * lines.pitch;
    __half* to = out + (size_t)pulse * lines.pitch;
    for (int gate = threadIdx.x; gate < lines.gates; gate += blockDim.x) {
      const float sample = (float)in[gate] - dc;
      to[gate] = __float2half(sample * weight[gate]);
    }
  }
}

// The pitch is a multiple of 64 samples.
__global__ void radar_lines_repaired(const int16_t* __restrict__ adc, __half* __restrict__ out,
                                     const float* __restrict__ offset,
                                     const float* __restrict__ weight, Lines lines) {
  for (int pulse = blockIdx.x; pulse < lines.pulses; pulse += gridDim.x) {
    const float dc = offset[pulse];
    const int16_t* in = adc + (size_t)pulse * lines.pitch;
    __half* to = out + (size_t)pulse * lines.pitch;
    for (int gate = threadIdx.x; gate < lines.gates; gate += blockDim.x) {
      const float sample = (float)in[gate] - dc;
      to[gate] = __float2half(sample * weight[gate]);
    }
  }
}

int main(int argc, char** argv) {
  const int pulses = 12000, gates = 3003, padded = (gates + 63) / 64 * 64;
  const Lines dense{pulses, gates, gates}, pitched{pulses, gates, padded};
  Random rnd{63};
  const auto adc = Generate((size_t)pulses * gates, [&](int) { return (int16_t)(rnd() >> 20); });
  const auto in_a = Upload(adc), in_b = Upload(Repitched(adc, gates, padded));
  const auto offset = Upload(Generate(pulses, [](int p) { return 2048.f + p % 31; }));
  const auto weight = Upload(Generate(
      gates, [&](int g) { return 0.54f - 0.46f * std::cos(6.2831853f * g / (gates - 1)); }));
  const auto a = Allocate<__half>((size_t)pulses * gates),
             b = Allocate<__half>((size_t)pulses * padded);

  const int threads = 256, blocks = 132 * 8;
  const auto naive = [&] {
    radar_lines_naive<<<blocks, threads>>>(in_a, a, offset, weight, dense);
  };
  const auto repaired = [&] {
    radar_lines_repaired<<<blocks, threads>>>(in_b, b, offset, weight, pitched);
  };
  return Run(argc, argv, naive, repaired,
             [&] { return Near(a, Repitched(Host(b), padded, gates), 1e-2, 1e-3); });
}
