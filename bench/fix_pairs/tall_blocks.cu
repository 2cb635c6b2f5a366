// SPDX-License-Identifier: Apache-2.0
//
// A matrix in blocks of 4 x 64 threads, or of 64 x 4.
#include "bench/fix_pairs/pair.h"

using namespace fix_pairs;

constexpr int kWidth = 4096;
constexpr int kHeight = 2048;

__device__ void Scale(const float* in, const float* row, float* out, int w, int h) {
  const int x = blockIdx.x * blockDim.x + threadIdx.x;
  const int y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x < w && y < h) out[y * w + x] = in[y * w + x] * row[y];
}

__global__ void tall_blocks_bad(const float* in, const float* row, float* out, int w, int h) {
  Scale(in, row, out, w, h);
}

__global__ void tall_blocks_good(const float* in, const float* row, float* out, int w, int h) {
  Scale(in, row, out, w, h);
}

template <typename Kernel>
Side Make(Kernel kernel, dim3 block) {
  const auto in = MakeArray<float>(std::size_t{kWidth} * kHeight);
  in->FillWithSmallPattern();
  const auto row = MakeArray<float>(kHeight);
  row->FillWithSmallPattern();
  const auto out = MakeArray<float>(in->size());
  const dim3 grid(kWidth / block.x, kHeight / block.y);
  return {[=] { kernel<<<grid, block>>>(in->data(), row->data(), out->data(), kWidth, kHeight); },
          [=] { return Values(*out); }};
}

int main(int argc, char** argv) {
  return Main(argc, argv,
              {"tall_blocks", [] { return Make(tall_blocks_bad, dim3(4, 64)); },
               [] { return Make(tall_blocks_good, dim3(64, 4)); }});
}
