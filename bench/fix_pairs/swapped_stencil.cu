// SPDX-License-Identifier: Apache-2.0
//
// A 7-point stencil on a volume whose innermost dimension is x: lanes are neighbours in z, and
// read and write whole planes apart. The repair swaps the roles of x and z.
#include "bench/fix_pairs/pair.h"

using namespace fix_pairs;

constexpr unsigned kSize = 416;
constexpr unsigned kPlane = kSize * kSize;
constexpr unsigned kLanes = 32;
constexpr unsigned kRows = 8;

__device__ void Stencil(const float* in, float* out, unsigned x, unsigned y, unsigned z) {
  const unsigned last = kSize - 1;
  if (x == 0 || y == 0 || z == 0 || x == last || y == last || z == last) return;
  const unsigned i = z * kPlane + y * kSize + x;
  out[i] = 2 * in[i] + in[i - 1] + in[i + 1] + in[i - kSize] + in[i + kSize] + in[i - kPlane] +
           in[i + kPlane];
}

__global__ void swapped_stencil_bad(const float* in, float* out) {
  const unsigned z = blockIdx.x * kLanes + threadIdx.x;
  const unsigned y = blockIdx.y * kRows + threadIdx.y;
  Stencil(in, out, blockIdx.z, y, z);
}

__global__ void swapped_stencil_good(const float* in, float* out) {
  const unsigned x = blockIdx.x * kLanes + threadIdx.x;
  const unsigned y = blockIdx.y * kRows + threadIdx.y;
  Stencil(in, out, x, y, blockIdx.z);
}

template <typename Kernel>
Side Make(Kernel kernel) {
  const auto in = MakeArray<float>(std::size_t{kPlane} * kSize);
  const auto out = MakeArray<float>(std::size_t{kPlane} * kSize);
  in->FillWithSmallPattern();
  const dim3 grid(kSize / kLanes, kSize / kRows, kSize);
  return {[=] { kernel<<<grid, dim3(kLanes, kRows)>>>(in->data(), out->data()); },
          [=] { return Values(*out); }};
}

int main(int argc, char** argv) {
  return Main(argc, argv,
              {"swapped_stencil", [] { return Make(swapped_stencil_bad); },
               [] { return Make(swapped_stencil_good); }});
}
