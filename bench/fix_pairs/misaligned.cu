// SPDX-License-Identifier: Apache-2.0
//
// A copy that begins one float off a sector, and one that begins on it.
#include "bench/fix_pairs/pair.h"

using namespace fix_pairs;

constexpr unsigned kCount = 1 << 26;
constexpr unsigned kBlock = 256;

__global__ void misaligned_bad(const float* in, float* out) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  out[i] = in[i + 1];
}

__global__ void misaligned_good(const float* in, float* out) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  out[i] = in[i];
}

template <typename Kernel>
Side Make(Kernel kernel, std::size_t ahead) {
  std::vector<float> pattern(samples::kPatternLength);
  for (std::size_t i = 0; i < pattern.size(); ++i) {
    pattern[(i + ahead) % pattern.size()] = samples::PatternAt<float>(i);
  }
  const auto in = MakeArray<float>(kCount + 1);
  in->FillRepeating(pattern);
  const auto out = MakeArray<float>(kCount);
  return {[=] { kernel<<<kCount / kBlock, kBlock>>>(in->data(), out->data()); },
          [=] { return Values(*out); }};
}

int main(int argc, char** argv) {
  return Main(argc, argv,
              {"misaligned", [] { return Make(misaligned_bad, 1); },
               [] { return Make(misaligned_good, 0); }});
}
