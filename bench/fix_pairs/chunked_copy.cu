// SPDX-License-Identifier: Apache-2.0
//
// Threads that copy a run of elements each, and threads that take turns.
#include "bench/fix_pairs/pair.h"

using namespace fix_pairs;

constexpr unsigned kEach = 32;
constexpr unsigned kThreads = 1 << 20;
constexpr unsigned kBlock = 256;

__global__ void chunked_copy_bad(const float* in, float* out) {
  const unsigned t = blockIdx.x * blockDim.x + threadIdx.x;
  for (unsigned k = 0; k < kEach; ++k) out[t * kEach + k] = 2 * in[t * kEach + k];
}

__global__ void chunked_copy_good(const float* in, float* out) {
  const unsigned t = blockIdx.x * blockDim.x + threadIdx.x;
  for (unsigned k = 0; k < kEach; ++k) out[k * kThreads + t] = 2 * in[k * kThreads + t];
}

template <typename Kernel>
Side Make(Kernel kernel) {
  const auto in = MakeArray<float>(kThreads * kEach);
  const auto out = MakeArray<float>(kThreads * kEach);
  in->FillWithPattern();
  return {[=] { kernel<<<kThreads / kBlock, kBlock>>>(in->data(), out->data()); },
          [=] { return Values(*out); }};
}

int main(int argc, char** argv) {
  return Main(argc, argv,
              {"chunked_copy", [] { return Make(chunked_copy_bad); },
               [] { return Make(chunked_copy_good); }});
}
