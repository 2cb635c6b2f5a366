// SPDX-License-Identifier: Apache-2.0
//
// Values of a byte times the scale of their row: a thread takes 16 side by side; neighbours take
// neighbours.
#include "bench/fix_pairs/pair.h"

using namespace fix_pairs;

constexpr unsigned kEach = 16;
constexpr unsigned kBlock = 256;
constexpr unsigned kRow = 512;  // values
constexpr unsigned kCount = 1 << 25;

__global__ void scaled_rows_bad(const std::int8_t* in, const float* scales, float* out) {
  const unsigned begin = (blockIdx.x * kBlock + threadIdx.x) * kEach;
  const float scale = scales[begin / kRow];
  for (unsigned k = 0; k < kEach; ++k) out[begin + k] = scale * static_cast<float>(in[begin + k]);
}

__global__ void scaled_rows_good(const std::int8_t* in, const float* scales, float* out) {
  const unsigned begin = blockIdx.x * kBlock * kEach + threadIdx.x;
  for (unsigned k = 0; k < kEach; ++k) {
    const unsigned i = begin + k * kBlock;
    const float scale = scales[i / kRow];
    out[i] = scale * static_cast<float>(in[i]);
  }
}

template <typename Kernel>
Side Make(Kernel kernel) {
  const auto in = MakeArray<std::int8_t>(kCount);
  in->FillWithPattern();
  const auto scales = MakeArray<float>(kCount / kRow);
  scales->FillWithSmallPattern();
  const auto out = MakeArray<float>(kCount);
  return {
      [=] { kernel<<<kCount / kEach / kBlock, kBlock>>>(in->data(), scales->data(), out->data()); },
      [=] { return Values(*out); }};
}

int main(int argc, char** argv) {
  return Main(
      argc, argv,
      {"scaled_rows", [] { return Make(scaled_rows_bad); }, [] { return Make(scaled_rows_good); }});
}
