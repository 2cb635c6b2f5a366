// SPDX-License-Identifier: Apache-2.0
//
// Pixels of four bytes laid over others: a thread takes the bytes of one one by one, or as a
// vector.
#include "bench/fix_pairs/pair.h"

using namespace fix_pairs;

constexpr unsigned kPixels = 1 << 23;
constexpr unsigned kBlock = 256;

__device__ std::uint8_t Over(unsigned above, unsigned below, unsigned alpha) {
  return static_cast<std::uint8_t>((above * alpha + below * (255 - alpha)) / 255);
}

__global__ void alpha_blend_bad(const std::uint8_t* above, const std::uint8_t* below,
                                std::uint8_t* out) {
  const unsigned i = (blockIdx.x * blockDim.x + threadIdx.x) * 4;
  const unsigned alpha = above[i + 3];
  out[i] = Over(above[i], below[i], alpha);
  out[i + 1] = Over(above[i + 1], below[i + 1], alpha);
  out[i + 2] = Over(above[i + 2], below[i + 2], alpha);
  out[i + 3] = below[i + 3];
}

__global__ void alpha_blend_good(const std::uint8_t* above, const std::uint8_t* below,
                                 std::uint8_t* out) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  const uchar4 a = reinterpret_cast<const uchar4*>(above)[i];
  const uchar4 b = reinterpret_cast<const uchar4*>(below)[i];
  reinterpret_cast<uchar4*>(out)[i] =
      make_uchar4(Over(a.x, b.x, a.w), Over(a.y, b.y, a.w), Over(a.z, b.z, a.w), b.w);
}

template <typename Kernel>
Side Make(Kernel kernel, bool) {
  std::vector<std::uint8_t> some(251);
  for (std::size_t i = 0; i < some.size(); ++i) some[i] = static_cast<std::uint8_t>(i);
  const auto above = MakeArray<std::uint8_t>(std::size_t{kPixels} * 4);
  above->FillRepeating(some);
  const auto below = MakeArray<std::uint8_t>(above->size());
  some.pop_back();
  below->FillRepeating(some);
  const auto out = MakeArray<std::uint8_t>(above->size());
  return {[=] { kernel<<<kPixels / kBlock, kBlock>>>(above->data(), below->data(), out->data()); },
          [=] { return Values(*out); }};
}

int main(int argc, char** argv) {
  return Main(argc, argv,
              {"alpha_blend", [] { return Make(alpha_blend_bad, false); },
               [] { return Make(alpha_blend_good, true); }});
}
