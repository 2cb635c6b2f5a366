// SPDX-License-Identifier: Apache-2.0
//
// Running sums along the rows of a picture: a thread to a row, through global or shared memory.
#include "bench/fix_pairs/pair.h"

using namespace fix_pairs;

constexpr int kWidth = 2048;
constexpr int kHeight = 8192;
constexpr int kBlock = 64;

__global__ void integral_rows_bad(const unsigned* in, unsigned* out, int width, int height) {
  const int y = blockIdx.x * blockDim.x + threadIdx.x;
  if (y >= height) return;
  unsigned sum = 0;
  for (int x = 0; x < width; ++x) {
    sum += in[y * width + x];
    out[y * width + x] = sum;
  }
}

__global__ void integral_rows_good(const unsigned* in, unsigned* out, int width, int height) {
  __shared__ unsigned tiles[kBlock / 32][32][33];
  unsigned(*tile)[33] = tiles[threadIdx.x / 32];
  const int lane = threadIdx.x % 32;
  const int first = (blockIdx.x * blockDim.x + threadIdx.x) / 32 * 32;
  unsigned sum = 0;
  for (int x = 0; x < width; x += 32) {
    for (int r = 0; r < 32; ++r) tile[r][lane] = in[(first + r) * width + x + lane];
    __syncwarp();
    for (int c = 0; c < 32; ++c) tile[lane][c] = sum += tile[lane][c];
    __syncwarp();
    for (int r = 0; r < 32; ++r) out[(first + r) * width + x + lane] = tile[r][lane];
    __syncwarp();
  }
}

template <typename Kernel>
Side Make(Kernel kernel) {
  const auto in = MakeArray<unsigned>(std::size_t{kWidth} * kHeight);
  in->FillWithSmallPattern();
  const auto out = MakeArray<unsigned>(std::size_t{kWidth} * kHeight);
  return {[=] { kernel<<<kHeight / kBlock, kBlock>>>(in->data(), out->data(), kWidth, kHeight); },
          [=] { return Values(*out); }};
}

int main(int argc, char** argv) {
  return Main(argc, argv,
              {"integral_rows", [] { return Make(integral_rows_bad); },
               [] { return Make(integral_rows_good); }});
}
