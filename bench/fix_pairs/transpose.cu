// SPDX-License-Identifier: Apache-2.0
//
// The textbook's pair: a transpose that stores columns, and one through a padded tile.
#include "bench/fix_pairs/pair.h"

using namespace fix_pairs;

constexpr int kSize = 4096;
constexpr int kTile = 32;
constexpr int kRows = 8;

__global__ void transpose_bad(const float* in, float* out) {
  const int col = blockIdx.x * kTile + threadIdx.x;
  const int row = blockIdx.y * kRows + threadIdx.y;
  out[col * kSize + row] = in[row * kSize + col];
}

__global__ void transpose_good(const float* in, float* out) {
  __shared__ float tile[kTile][kTile + 1];
  const int x = blockIdx.x * kTile + threadIdx.x;
  const int y = blockIdx.y * kTile + threadIdx.y;
  for (int j = 0; j < kTile; j += kRows)
    tile[threadIdx.y + j][threadIdx.x] = in[(y + j) * kSize + x];
  __syncthreads();
  const int to_x = blockIdx.y * kTile + threadIdx.x;
  const int to_y = blockIdx.x * kTile + threadIdx.y;
  for (int j = 0; j < kTile; j += kRows) {
    out[(to_y + j) * kSize + to_x] = tile[threadIdx.x][threadIdx.y + j];
  }
}

template <typename Kernel>
Side Make(Kernel kernel, int rows_of_block) {
  const auto in = MakeArray<float>(kSize * kSize);
  const auto out = MakeArray<float>(kSize * kSize);
  in->FillWithPattern();
  const dim3 grid(kSize / kTile, kSize / rows_of_block);
  return {[=] { kernel<<<grid, dim3(kTile, kRows)>>>(in->data(), out->data()); },
          [=] { return Values(*out); }};
}

int main(int argc, char** argv) {
  return Main(argc, argv,
              {"transpose", [] { return Make(transpose_bad, kRows); },
               [] { return Make(transpose_good, kTile); }});
}
