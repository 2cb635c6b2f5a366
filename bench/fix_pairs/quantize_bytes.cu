// SPDX-License-Identifier: Apache-2.0
//
// Floats to bytes: a thread takes four side by side; neighbours take neighbours.
#include "bench/fix_pairs/pair.h"

using namespace fix_pairs;

constexpr int kEach = 4;
constexpr int kBlock = 256;
constexpr int kCount = 1 << 23;

__global__ void quantize_bytes_bad(const float* in, std::uint8_t* out, int n, float scale) {
  const int begin = (blockIdx.x * blockDim.x + threadIdx.x) * kEach;
#pragma unroll 1
  for (int k = 0; k < kEach; ++k) {
    if (begin + k < n) out[begin + k] = static_cast<std::uint8_t>(in[begin + k] * scale);
  }
}

__global__ void quantize_bytes_good(const float* in, std::uint8_t* out, int n, float scale) {
  const int begin = blockIdx.x * blockDim.x * kEach + threadIdx.x;
#pragma unroll 1
  for (int k = 0; k < kEach; ++k) {
    const int i = begin + k * blockDim.x;
    if (i < n) out[i] = static_cast<std::uint8_t>(in[i] * scale);
  }
}

template <typename Kernel>
Side Make(Kernel kernel) {
  const auto in = MakeArray<float>(kCount);
  in->FillWithPattern();
  const auto out = MakeArray<std::uint8_t>(kCount);
  return {[=] {
            kernel<<<kCount / kEach / kBlock, kBlock>>>(in->data(), out->data(), kCount, 0.0001F);
          },
          [=] { return Values(*out); }};
}

int main(int argc, char** argv) {
  return Main(argc, argv,
              {"quantize_bytes", [] { return Make(quantize_bytes_bad); },
               [] { return Make(quantize_bytes_good); }});
}
