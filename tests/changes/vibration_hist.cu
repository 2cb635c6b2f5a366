// SPDX-License-Identifier: Apache-2.0
//
// Condition monitoring: a histogram of the amplitudes of a vibration sensor, one for each segment
// of the recording. A block takes a segment, and its threads share it out among themselves.
#include "harness.h"

constexpr int kThreads = 256, kChunk = 32, kSegment = kThreads * kChunk, kBins = 64;

struct Calibration {
  float offset, gain;
  __device__ int bin(float volts) const {
    const int b = (int)(fabsf(volts - offset) * gain);
    return b < kBins ? b : kBins - 1;
  }
};

template <class F>
__device__ __forceinline__ void for_my_chunk(const float* samples, size_t n, F f) {
  const size_t begin = ((size_t)blockIdx.x * blockDim.x + threadIdx.x) * kChunk;
  const size_t end = begin + kChunk < n ? begin + kChunk : n;
  for (size_t i = begin; i < end; ++i) f(samples[i]);
}

template <class F>
__device__ __forceinline__ void for_my_samples(const float* samples, size_t n, F f) {
  const size_t begin = (size_t)blockIdx.x * kSegment;
  const size_t end = begin + kSegment < n ? begin + kSegment : n;
  for (size_t i = begin + threadIdx.x; i < end; i += blockDim.x) f(samples[i]);
}

__global__ void vibration_hist_naive(const float* __restrict__ samples, size_t n, Calibration cal,
                                     uint32_t* __restrict__ hist) {
  __shared__ uint32_t bins[kBins];
  for (int b = threadIdx.x; b < kBins; b += blockDim.x) bins[b] = 0;
  __syncthreads();
  for_my_chunk(samples, n, [&](float v) { atomicAdd(&bins[cal.bin(v)], 1u); });
  __syncthreads();
  for (int b = threadIdx.x; b < kBins; b += blockDim.x) hist[blockIdx.x * kBins + b] = bins[b];
}

__global__ void vibration_hist_repaired(const float* __restrict__ samples, size_t n,
                                        Calibration cal, uint32_t* __restrict__ hist) {
  __shared__ uint32_t bins[kBins];
  for (int b = threadIdx.x; b < kBins; b += blockDim.x) bins[b] = 0;
  __syncthreads();
  for_my_samples(samples, n, [&](float v) { atomicAdd(&bins[cal.bin(v)], 1u); });
  __syncthreads();
  for (int b = threadIdx.x; b < kBins; b += blockDim.x) hist[blockIdx.x * kBins + b] = bins[b];
}

int main(int argc, char** argv) {
  const size_t n = 20000000;
  Random rnd{99};
  const auto samples = Upload(Generate(n, [&](int i) {
    return 0.1f + 2.f * (Unit(rnd()) - 0.5f) * (0.2f + 0.8f * (i % 4096) / 4096.f);
  }));
  const Calibration cal{0.1f, 80.f};
  const int blocks = (int)((n + kSegment - 1) / kSegment);
  const auto a = Allocate<uint32_t>((size_t)blocks * kBins),
             b = Allocate<uint32_t>((size_t)blocks * kBins);

  const auto naive = [&] { vibration_hist_naive<<<blocks, kThreads>>>(samples, n, cal, a); };
  const auto repaired = [&] { vibration_hist_repaired<<<blocks, kThreads>>>(samples, n, cal, b); };
  return Run(argc, argv, naive, repaired, [&] { return Near(a, b); });
}
