// SPDX-License-Identifier: Apache-2.0
//
// An image of bytes that is brightened by blocks of 16 x 16 threads, whose warps have half a sector
// of each of two rows; and by blocks of 128 x 2.
#include "bench/fix_pairs/pair.h"

using namespace fix_pairs;

constexpr unsigned kWidth = 1 << 14;
constexpr unsigned kHeight = 127 << 6;

__device__ void Brighten(const std::uint8_t* in, std::uint8_t* out) {
  const unsigned x = blockIdx.x * blockDim.x + threadIdx.x;
  const unsigned y = blockIdx.y * blockDim.y + threadIdx.y;
  out[y * kWidth + x] = static_cast<std::uint8_t>(min(in[y * kWidth + x] + 50, 255));
}

__global__ void narrow_blocks_bad(const std::uint8_t* in, std::uint8_t* out) { Brighten(in, out); }

__global__ void narrow_blocks_good(const std::uint8_t* in, std::uint8_t* out) { Brighten(in, out); }

template <typename Kernel>
Side Make(Kernel kernel, dim3 block) {
  std::vector<std::uint8_t> some(251);
  for (std::size_t i = 0; i < some.size(); ++i) some[i] = static_cast<std::uint8_t>(i);
  const auto in = MakeArray<std::uint8_t>(std::size_t{kWidth} * kHeight);
  in->FillRepeating(some);
  const auto out = MakeArray<std::uint8_t>(in->size());
  const dim3 grid(kWidth / block.x, kHeight / block.y);
  return {[=] { kernel<<<grid, block>>>(in->data(), out->data()); }, [=] { return Values(*out); }};
}

int main(int argc, char** argv) {
  return Main(argc, argv,
              {"narrow_blocks", [] { return Make(narrow_blocks_bad, dim3(16, 16)); },
               [] { return Make(narrow_blocks_good, dim3(128, 2)); }});
}
