// SPDX-License-Identifier: Apache-2.0
//
// A stencil of five points whose threads run down the rows, or along them.
#include "bench/fix_pairs/pair.h"

using namespace fix_pairs;

constexpr int kWidth = 2048;
constexpr int kHeight = 2048;

__device__ void Blur(const float* in, float* out, int x, int y, int w, int h) {
  if (x < 1 || y < 1 || x >= w - 1 || y >= h - 1) return;
  out[y * w + x] = in[y * w + x] + in[y * w + x - 1] + in[y * w + x + 1] + in[(y - 1) * w + x] +
                   in[(y + 1) * w + x];
}

__global__ void blur_swapped_bad(const float* in, float* out, int w, int h) {
  Blur(in, out, blockIdx.y * blockDim.y + threadIdx.y, blockIdx.x * blockDim.x + threadIdx.x, w, h);
}

__global__ void blur_swapped_good(const float* in, float* out, int w, int h) {
  Blur(in, out, blockIdx.x * blockDim.x + threadIdx.x, blockIdx.y * blockDim.y + threadIdx.y, w, h);
}

template <typename Kernel>
Side Make(Kernel kernel) {
  const auto in = MakeArray<float>(std::size_t{kWidth} * kHeight);
  in->FillWithSmallPattern();
  const auto out = MakeArray<float>(in->size());
  const dim3 grid(64, 256);
  return {[=] { kernel<<<grid, dim3(32, 8)>>>(in->data(), out->data(), kWidth, kHeight); },
          [=] { return Values(*out); }};
}

int main(int argc, char** argv) {
  return Main(argc, argv,
              {"blur_swapped", [] { return Make(blur_swapped_bad); },
               [] { return Make(blur_swapped_good); }});
}
