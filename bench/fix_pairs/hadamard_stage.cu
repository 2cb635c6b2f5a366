// SPDX-License-Identifier: Apache-2.0
//
// A stage of a fast Walsh-Hadamard transform, eight points to a thread: lanes take the same place
// in groups of their own, 64 KB apart; and neighbouring places of one group. L2 holds the data.
#include "bench/fix_pairs/pair.h"

using namespace fix_pairs;

constexpr unsigned kGroups = 256;
constexpr unsigned kRadix = 8;
constexpr unsigned kStride = 2048;  // between the points of a butterfly
constexpr unsigned kThreads = kGroups * kStride;
constexpr unsigned kBlock = 256;

__device__ void Butterfly(const float* in, float* out, unsigned group, unsigned place) {
  const unsigned first = group * kRadix * kStride + place;
  float points[kRadix];
#pragma unroll
  for (unsigned k = 0; k < kRadix; ++k) points[k] = in[first + k * kStride];
#pragma unroll
  for (unsigned half = 1; half < kRadix; half *= 2) {
#pragma unroll
    for (unsigned k = 0; k < kRadix; ++k) {
      if ((k & half) != 0) continue;
      const float a = points[k];
      const float b = points[k + half];
      points[k] = a + b;
      points[k + half] = a - b;
    }
  }
#pragma unroll
  for (unsigned k = 0; k < kRadix; ++k) out[first + k * kStride] = points[k];
}

__global__ void hadamard_stage_bad(const float* in, float* out) {
  const unsigned t = blockIdx.x * blockDim.x + threadIdx.x;
  Butterfly(in, out, t % kGroups, t / kGroups);
}

__global__ void hadamard_stage_good(const float* in, float* out) {
  const unsigned t = blockIdx.x * blockDim.x + threadIdx.x;
  Butterfly(in, out, t / kStride, t % kStride);
}

template <typename Kernel>
Side Make(Kernel kernel) {
  const auto in = MakeArray<float>(std::size_t{kThreads} * kRadix);
  in->FillWithSmallPattern();
  const auto out = MakeArray<float>(in->size());
  return {[=] { kernel<<<kThreads / kBlock, kBlock>>>(in->data(), out->data()); },
          [=] { return Values(*out); }};
}

int main(int argc, char** argv) {
  return Main(argc, argv,
              {"hadamard_stage", [] { return Make(hadamard_stage_bad); },
               [] { return Make(hadamard_stage_good); }});
}
