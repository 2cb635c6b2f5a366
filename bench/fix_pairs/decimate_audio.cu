// SPDX-License-Identifier: Apache-2.0
//
// Sound at 48 kHz filtered and thinned to 8 kHz: a thread to a sample that is left, and the windows
// of neighbouring samples begin 24 bytes apart. The repair has a block read its part of the sound
// side by side into shared memory first.
#include "bench/fix_pairs/pair.h"

using namespace fix_pairs;

constexpr int kFactor = 6;
constexpr int kTaps = 48;
constexpr int kBlock = 256;
constexpr int kChannels = 6;
constexpr int kOut = 1 << 19;  // samples of a channel that are left
constexpr int kIn = kOut * kFactor + kTaps;

struct Filter {
  float taps[kTaps];
};

__global__ void decimate_audio_bad(const float* __restrict__ sound, float* __restrict__ out,
                                   const __grid_constant__ Filter filter) {
  const int n = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
  const int channel = static_cast<int>(blockIdx.y);
  const float* const in = sound + channel * kIn;
  float sum = 0;
#pragma unroll 8
  for (int k = 0; k < kTaps; ++k) sum += filter.taps[k] * in[n * kFactor + k];
  out[channel * kOut + n] = sum;
}

__global__ void decimate_audio_good(const float* __restrict__ sound, float* __restrict__ out,
                                    const __grid_constant__ Filter filter) {
  __shared__ float window[kBlock * kFactor + kTaps];
  const int first = static_cast<int>(blockIdx.x * blockDim.x);
  const int channel = static_cast<int>(blockIdx.y);
  const float* const in = sound + channel * kIn + first * kFactor;
  for (int i = static_cast<int>(threadIdx.x); i < kBlock * kFactor + kTaps; i += kBlock) {
    window[i] = in[i];
  }
  __syncthreads();
  float sum = 0;
#pragma unroll 8
  for (int k = 0; k < kTaps; ++k) {
    sum += filter.taps[k] * window[static_cast<int>(threadIdx.x) * kFactor + k];
  }
  out[channel * kOut + first + static_cast<int>(threadIdx.x)] = sum;
}

template <typename Kernel>
Side Make(Kernel kernel) {
  Filter filter;
  for (int k = 0; k < kTaps; ++k) {
    filter.taps[k] = static_cast<float>((k < kTaps / 2 ? k : kTaps - 1 - k) % 9 - 2);
  }
  const auto sound = MakeArray<float>(std::size_t{kChannels} * kIn);
  sound->FillWithSmallPattern();  // sums are exact
  const auto out = MakeArray<float>(std::size_t{kChannels} * kOut);
  return {[=] {
            kernel<<<dim3(kOut / kBlock, kChannels), kBlock>>>(sound->data(), out->data(), filter);
          },
          [=] { return Values(*out); }};
}

int main(int argc, char** argv) {
  return Main(argc, argv,
              {"decimate_audio", [] { return Make(decimate_audio_bad); },
               [] { return Make(decimate_audio_good); }});
}
