// SPDX-License-Identifier: Apache-2.0
//
// A blur of samples of a byte: a thread takes 16 side by side; neighbours take neighbours.
#include "bench/fix_pairs/pair.h"

using namespace fix_pairs;

using Sample = std::uint8_t;

constexpr unsigned kEach = 16;
constexpr unsigned kBlock = 256;
constexpr unsigned kCount = 1 << 25;
constexpr unsigned kWidth = 8192;  // of a row

__device__ Sample Blurred(const Sample* in, unsigned i) {
  return static_cast<Sample>((in[i] + 2 * in[i + 1] + in[i + 2] + in[i + kWidth]) / 5);
}

__global__ void blur_bytes_bad(const Sample* in, Sample* out) {
  const unsigned begin = (blockIdx.x * kBlock + threadIdx.x) * kEach;
#pragma unroll 1
  for (unsigned k = 0; k < kEach; ++k) out[begin + k] = Blurred(in, begin + k);
}

__global__ void blur_bytes_good(const Sample* in, Sample* out) {
  const unsigned begin = blockIdx.x * kBlock * kEach + threadIdx.x;
#pragma unroll 1
  for (unsigned k = 0; k < kEach; ++k) {
    out[begin + k * kBlock] = Blurred(in, begin + k * kBlock);
  }
}

template <typename Kernel>
Side Make(Kernel kernel) {
  const auto in = MakeArray<Sample>(kCount + kWidth + 2);
  in->FillWithPattern();
  const auto out = MakeArray<Sample>(kCount);
  return {[=] { kernel<<<kCount / kEach / kBlock, kBlock>>>(in->data(), out->data()); },
          [=] { return Values(*out); }};
}

int main(int argc, char** argv) {
  return Main(
      argc, argv,
      {"blur_bytes", [] { return Make(blur_bytes_bad); }, [] { return Make(blur_bytes_good); }});
}
