// SPDX-License-Identifier: Apache-2.0
//
// The most of every 16 numbers: a thread to each 16, or a lane to each number.
#include "bench/fix_pairs/pair.h"

using namespace fix_pairs;

constexpr unsigned kSegments = 1 << 19;
constexpr unsigned kEach = 16;
constexpr unsigned kBlock = 256;

__global__ void segment_maxima_bad(const float* in, float* maxima) {
  const unsigned segment = blockIdx.x * blockDim.x + threadIdx.x;
  float most = in[segment * kEach];
  for (unsigned k = 1; k < kEach; ++k) most = fmaxf(most, in[segment * kEach + k]);
  maxima[segment] = most;
}

__global__ void segment_maxima_good(const float* in, float* maxima) {
  const unsigned t = blockIdx.x * blockDim.x + threadIdx.x;
  float most = in[t];
  for (int offset = kEach / 2; offset > 0; offset /= 2) {
    most = fmaxf(most, __shfl_down_sync(~0U, most, offset, kEach));
  }
  if (t % kEach == 0) maxima[t / kEach] = most;
}

template <typename Kernel>
Side Make(Kernel kernel, bool is_of_numbers) {
  const auto in = MakeArray<float>(std::size_t{kSegments} * kEach);
  in->FillWithPattern();
  const auto maxima = MakeArray<float>(kSegments);
  const unsigned threads = is_of_numbers ? kSegments * kEach : kSegments;
  return {[=] { kernel<<<threads / kBlock, kBlock>>>(in->data(), maxima->data()); },
          [=] { return Values(*maxima); }};
}

int main(int argc, char** argv) {
  return Main(argc, argv,
              {"segment_maxima", [] { return Make(segment_maxima_bad, false); },
               [] { return Make(segment_maxima_good, true); }});
}
