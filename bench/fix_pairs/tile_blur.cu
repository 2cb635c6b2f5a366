// SPDX-License-Identifier: Apache-2.0
//
// Blurs a picture in tiles: shared memory is filled and results are stored along the wrong axis.
#include "bench/fix_pairs/pair.h"

using namespace fix_pairs;

constexpr int kWidth = 4096;
constexpr int kHeight = 4096;
constexpr int kTile = 32;

__device__ float Blurred(const float (*tile)[kTile + 3], int x, int y) {
  return tile[y][x] + tile[y + 1][x] + tile[y + 2][x] + tile[y + 1][x + 1] + tile[y + 2][x + 2];
}

__global__ void tile_blur_bad(const float* in, float* out, int width) {
  __shared__ float tile[kTile + 2][kTile + 3];
  const int x0 = blockIdx.x * kTile;
  const int y0 = blockIdx.y * kTile;
  for (int x = threadIdx.y; x < kTile + 2; x += 8) {
    for (int y = threadIdx.x; y < kTile + 2; y += 32) {
      tile[y][x] = in[(y0 + y) * width + x0 + x];
    }
  }
  __syncthreads();
  for (int x = threadIdx.y; x < kTile; x += 8) {
    out[(y0 + threadIdx.x) * width + x0 + x] = Blurred(tile, x, threadIdx.x);
  }
}

__global__ void tile_blur_good(const float* in, float* out, int width) {
  __shared__ float tile[kTile + 2][kTile + 3];
  const int x0 = blockIdx.x * kTile;
  const int y0 = blockIdx.y * kTile;
  for (int y = threadIdx.y; y < kTile + 2; y += 8) {
    for (int x = threadIdx.x; x < kTile + 2; x += 32) {
      tile[y][x] = in[(y0 + y) * width + x0 + x];
    }
  }
  __syncthreads();
  for (int y = threadIdx.y; y < kTile; y += 8) {
    out[(y0 + y) * width + x0 + threadIdx.x] = Blurred(tile, threadIdx.x, y);
  }
}

template <typename Kernel>
Side Make(Kernel kernel) {
  const auto in = MakeArray<float>(std::size_t{kWidth} * (kHeight + kTile));
  in->FillWithSmallPattern();
  const auto out = MakeArray<float>(std::size_t{kWidth} * kHeight);
  const dim3 grid(kWidth / kTile, kHeight / kTile);
  return {[=] { kernel<<<grid, dim3(32, 8)>>>(in->data(), out->data(), kWidth); },
          [=] { return Values(*out); }};
}

int main(int argc, char** argv) {
  return Main(
      argc, argv,
      {"tile_blur", [] { return Make(tile_blur_bad); }, [] { return Make(tile_blur_good); }});
}
