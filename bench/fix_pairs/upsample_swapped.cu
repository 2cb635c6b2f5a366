// SPDX-License-Identifier: Apache-2.0
//
// An image of four bytes to a pixel that is doubled in size, bilinearly: lanes are neighbours in y,
// so that they read and write rows apart. The repair swaps the roles of x and y.
#include "bench/fix_pairs/pair.h"

using namespace fix_pairs;

constexpr unsigned kWidth = 2048;  // of the small image
constexpr unsigned kHeight = 1536;
constexpr unsigned kLanes = 32;
constexpr unsigned kRows = 8;

// 9, 3, 3 and 1 sixteenths of the four nearest pixels.
__device__ std::uint8_t Blend(unsigned a, unsigned b, unsigned c, unsigned d) {
  return static_cast<std::uint8_t>((9 * a + 3 * b + 3 * c + d + 8) / 16);
}

// The place before or after `i` that is nearer to a doubled place; the image's border is repeated.
__device__ unsigned Neighbour(unsigned doubled, unsigned size) {
  const unsigned i = doubled / 2;
  return doubled % 2 == 0 ? max(i, 1U) - 1 : min(i + 1, size - 1);
}

__device__ void Upsample(const uchar4* in, uchar4* out, unsigned x, unsigned y) {
  const unsigned near = y / 2 * kWidth;
  const unsigned far = Neighbour(y, kHeight) * kWidth;
  const unsigned side = Neighbour(x, kWidth);
  const uchar4 a = in[near + x / 2];
  const uchar4 b = in[near + side];
  const uchar4 c = in[far + x / 2];
  const uchar4 d = in[far + side];
  out[y * 2 * kWidth + x] = make_uchar4(Blend(a.x, b.x, c.x, d.x), Blend(a.y, b.y, c.y, d.y),
                                        Blend(a.z, b.z, c.z, d.z), Blend(a.w, b.w, c.w, d.w));
}

__global__ void upsample_swapped_bad(const uchar4* in, uchar4* out) {
  const unsigned y = blockIdx.x * kLanes + threadIdx.x;
  const unsigned x = blockIdx.y * kRows + threadIdx.y;
  Upsample(in, out, x, y);
}

__global__ void upsample_swapped_good(const uchar4* in, uchar4* out) {
  const unsigned x = blockIdx.x * kLanes + threadIdx.x;
  const unsigned y = blockIdx.y * kRows + threadIdx.y;
  Upsample(in, out, x, y);
}

template <typename Kernel>
Side Make(Kernel kernel, dim3 grid) {
  std::vector<std::uint8_t> some(251);
  for (std::size_t i = 0; i < some.size(); ++i) some[i] = static_cast<std::uint8_t>(i);
  const auto in = MakeArray<std::uint8_t>(std::size_t{kWidth} * kHeight * 4);
  in->FillRepeating(some);
  const auto out = MakeArray<std::uint8_t>(in->size() * 4);
  return {[=] {
            kernel<<<grid, dim3(kLanes, kRows)>>>(reinterpret_cast<const uchar4*>(in->data()),
                                                  reinterpret_cast<uchar4*>(out->data()));
          },
          [=] { return Values(*out); }};
}

int main(int argc, char** argv) {
  constexpr unsigned kOutWidth = 2 * kWidth;
  constexpr unsigned kOutHeight = 2 * kHeight;
  return Main(
      argc, argv,
      {"upsample_swapped",
       [] { return Make(upsample_swapped_bad, dim3(kOutHeight / kLanes, kOutWidth / kRows)); },
       [] { return Make(upsample_swapped_good, dim3(kOutWidth / kLanes, kOutHeight / kRows)); }});
}
