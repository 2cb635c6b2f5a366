// SPDX-License-Identifier: Apache-2.0
//
// A polynomial of each element: a thread takes 8 side by side; neighbours take neighbours.
#include "bench/fix_pairs/pair.h"

using namespace fix_pairs;

constexpr int kEach = 8;
constexpr int kBlock = 128;
constexpr int kCount = 1 << 23;

__device__ float Polynomial(float x) { return ((x * 0.25F + 0.5F) * x + 0.75F) * x; }

__global__ void horner_chunk_bad(const float* in, float* out, int n) {
  const int t = blockIdx.x * blockDim.x + threadIdx.x;
  for (int k = 0; k < kEach; ++k) {
    const int i = t * kEach + k;
    if (i < n) out[i] = Polynomial(in[i]);
  }
}

__global__ void horner_chunk_good(const float* in, float* out, int n) {
  const int begin = blockIdx.x * blockDim.x * kEach + threadIdx.x;
  for (int k = 0; k < kEach; ++k) {
    const int i = begin + k * blockDim.x;
    if (i < n) out[i] = Polynomial(in[i]);
  }
}

template <typename Kernel>
Side Make(Kernel kernel) {
  const auto in = MakeArray<float>(kCount);
  in->FillWithPattern();
  const auto out = MakeArray<float>(kCount);
  return {[=] { kernel<<<kCount / kEach / kBlock, kBlock>>>(in->data(), out->data(), kCount); },
          [=] { return Values(*out); }};
}

int main(int argc, char** argv) {
  return Main(argc, argv,
              {"horner_chunk", [] { return Make(horner_chunk_bad); },
               [] { return Make(horner_chunk_good); }});
}
