// SPDX-License-Identifier: Apache-2.0
//
// A median of five along rows of an image. A thread takes twelve pixels in a row and keeps its
// window in registers, so that lanes are 48 bytes apart; the repair gives a block's threads
// neighbouring pixels and lets the caches keep the windows.
#include "bench/fix_pairs/pair.h"

using namespace fix_pairs;

constexpr int kRun = 12;
constexpr int kBlock = 256;
constexpr int kWidth = kRun * kBlock;
constexpr int kHeight = 4096;

template <typename T>
__device__ __forceinline__ void Order(T& a, T& b) {
  const T low = min(a, b);
  b = max(a, b);
  a = low;
}

__device__ float Median(float a, float b, float c, float d, float e) {
  Order(a, b);
  Order(c, d);
  Order(a, c);  // a is the least of four
  Order(b, d);  // d is the greatest of four
  Order(b, c);
  return max(b, min(c, e));
}

__device__ __forceinline__ int Inside(int x) { return max(0, min(x, kWidth - 1)); }

__global__ void median_runs_bad(const float* __restrict__ in, float* __restrict__ out) {
  const float* const row = in + blockIdx.x * kWidth;
  const int first = static_cast<int>(threadIdx.x) * kRun;
  float window[5];
  for (int k = 0; k < 4; ++k) window[k + 1] = row[Inside(first + k - 2)];
  for (int x = first; x < first + kRun; ++x) {
    for (int k = 0; k < 4; ++k) window[k] = window[k + 1];
    window[4] = row[Inside(x + 2)];
    out[blockIdx.x * kWidth + x] = Median(window[0], window[1], window[2], window[3], window[4]);
  }
}

__global__ void median_runs_good(const float* __restrict__ in, float* __restrict__ out) {
  const float* const row = in + blockIdx.x * kWidth;
  for (int x = static_cast<int>(threadIdx.x); x < kWidth; x += kBlock) {
    float window[5];
    for (int k = 0; k < 5; ++k) window[k] = row[Inside(x + k - 2)];
    out[blockIdx.x * kWidth + x] = Median(window[0], window[1], window[2], window[3], window[4]);
  }
}

template <typename Kernel>
Side Make(Kernel kernel) {
  constexpr std::size_t kPixels = std::size_t{kWidth} * kHeight;
  std::vector<float> noise(1000003);
  for (std::size_t i = 0; i < noise.size(); ++i) {
    noise[i] = static_cast<float>((static_cast<unsigned>(i) * 2654435761U) >> 20U);
  }
  const auto in = MakeArray<float>(kPixels);
  in->FillRepeating(noise);
  const auto out = MakeArray<float>(kPixels);
  return {[=] { kernel<<<kHeight, kBlock>>>(in->data(), out->data()); },
          [=] { return Values(*out); }};
}

int main(int argc, char** argv) {
  return Main(
      argc, argv,
      {"median_runs", [] { return Make(median_runs_bad); }, [] { return Make(median_runs_good); }});
}
