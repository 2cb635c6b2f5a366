// SPDX-License-Identifier: Apache-2.0
//
// A rotary embedding in half precision: the two halves of a pair are loaded and stored one by one,
// every second of them by each access; and both as one vector.
#include <cuda_fp16.h>

#include "bench/fix_pairs/pair.h"

using namespace fix_pairs;

constexpr unsigned kPairs = 127 << 19;
constexpr unsigned kAngles = 4096 * 64;  // positions times pairs to a row: begins anew thereafter
constexpr unsigned kBlock = 256;
constexpr std::size_t kStep = 127;  // of the values that are compared

__global__ void rotary_half_bad(const __half* in, const float* cos, const float* sin, __half* out) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  const float c = cos[i % kAngles];
  const float s = sin[i % kAngles];
  const float x = __half2float(in[2 * i]);
  const float y = __half2float(in[2 * i + 1]);
  out[2 * i] = __float2half(x * c - y * s);
  out[2 * i + 1] = __float2half(x * s + y * c);
}

__global__ void rotary_half_good(const __half2* in, const float* cos, const float* sin,
                                 __half2* out) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  const float c = cos[i % kAngles];
  const float s = sin[i % kAngles];
  const float2 pair = __half22float2(in[i]);
  out[i] = __floats2half2_rn(pair.x * c - pair.y * s, pair.x * s + pair.y * c);
}

template <typename Element, typename Kernel>
Side Make(Kernel kernel) {
  std::vector<__half> some(samples::kSmallPatternLength);
  for (std::size_t i = 0; i < some.size(); ++i) some[i] = __half(samples::SmallPatternAt<float>(i));
  const auto in = MakeArray<__half>(std::size_t{kPairs} * 2);
  in->FillRepeating(some);
  const auto cos = MakeArray<float>(kAngles);  // whole numbers in place of cosines and sines
  cos->FillRepeating({1, 2, 3, 4, 5});
  const auto sin = MakeArray<float>(kAngles);
  sin->FillRepeating({3, 1, 2});
  const auto out = MakeArray<__half>(in->size());
  const auto result = [=] {
    const std::vector<__half> all = out->Slice(0, out->size());
    std::vector<double> values;
    for (std::size_t i = 0; i < all.size(); i += kStep) values.push_back(__half2float(all[i]));
    return values;
  };
  return {[=] {
            kernel<<<kPairs / kBlock, kBlock>>>(reinterpret_cast<const Element*>(in->data()),
                                                cos->data(), sin->data(),
                                                reinterpret_cast<Element*>(out->data()));
          },
          result};
}

int main(int argc, char** argv) {
  return Main(argc, argv,
              {"rotary_half", [] { return Make<__half>(rotary_half_bad); },
               [] { return Make<__half2>(rotary_half_good); }});
}
