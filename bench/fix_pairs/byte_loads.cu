// SPDX-License-Identifier: Apache-2.0
//
// Sixteen bytes to a thread, one by one, and as one vector.
#include "bench/fix_pairs/pair.h"

using namespace fix_pairs;

constexpr unsigned kThreads = 1 << 23;
constexpr unsigned kEach = 16;
constexpr unsigned kBlock = 256;

__global__ void byte_loads_bad(const std::uint8_t* in, unsigned* out) {
  const unsigned t = blockIdx.x * blockDim.x + threadIdx.x;
  unsigned sum = 0;
  for (unsigned k = 0; k < kEach; ++k) sum += in[t * kEach + k];
  out[t] = sum;
}

__device__ unsigned SumOfBytes(unsigned word) { return __dp4a(word, 0x01010101U, 0U); }

__global__ void byte_loads_good(const uint4* in, unsigned* out) {
  const unsigned t = blockIdx.x * blockDim.x + threadIdx.x;
  const uint4 four = in[t];
  out[t] = SumOfBytes(four.x) + SumOfBytes(four.y) + SumOfBytes(four.z) + SumOfBytes(four.w);
}

template <typename Element, typename Kernel>
Side Make(Kernel kernel) {
  std::vector<std::uint8_t> some(251);
  for (std::size_t i = 0; i < some.size(); ++i) some[i] = static_cast<std::uint8_t>(i);
  const auto in = MakeArray<std::uint8_t>(std::size_t{kThreads} * kEach);
  in->FillRepeating(some);
  const auto out = MakeArray<unsigned>(kThreads);
  return {[=] {
            kernel<<<kThreads / kBlock, kBlock>>>(reinterpret_cast<const Element*>(in->data()),
                                                  out->data());
          },
          [=] { return Values(*out); }};
}

int main(int argc, char** argv) {
  return Main(argc, argv,
              {"byte_loads", [] { return Make<std::uint8_t>(byte_loads_bad); },
               [] { return Make<uint4>(byte_loads_good); }});
}
