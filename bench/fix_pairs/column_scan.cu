// SPDX-License-Identifier: Apache-2.0
//
// Maxima of columns: a block to a column, its threads down the rows; threads across columns.
#include "bench/fix_pairs/pair.h"

using namespace fix_pairs;

constexpr int kRows = 4096;
constexpr int kCols = 4096;

__global__ void column_scan_bad(const float* in, float* out, int rows, int cols) {
  __shared__ float best[256];
  const int col = blockIdx.x;
  float one = -1e30F;
  for (int row = threadIdx.x; row < rows; row += blockDim.x) {
    one = fmaxf(one, in[row * cols + col]);
  }
  best[threadIdx.x] = one;
  __syncthreads();
  for (int half = 128; half > 0; half /= 2) {
    if (threadIdx.x < half) {
      best[threadIdx.x] = fmaxf(best[threadIdx.x], best[threadIdx.x + half]);
    }
    __syncthreads();
  }
  if (threadIdx.x == 0) out[col] = best[0];
}

__global__ void column_scan_good(const float* in, float* out, int rows, int cols) {
  __shared__ float best[8][32];
  const int col = blockIdx.x * 32 + threadIdx.x;
  float one = -1e30F;
  for (int row = threadIdx.y; row < rows; row += 8) one = fmaxf(one, in[row * cols + col]);
  best[threadIdx.y][threadIdx.x] = one;
  __syncthreads();
  if (threadIdx.y != 0) return;
  for (int k = 1; k < 8; ++k) one = fmaxf(one, best[k][threadIdx.x]);
  out[col] = one;
}

template <typename Kernel>
Side Make(Kernel kernel, int blocks, dim3 block) {
  const auto in = MakeArray<float>(std::size_t{kRows} * kCols);
  in->FillWithPattern();
  const auto out = MakeArray<float>(kCols);
  return {[=] { kernel<<<blocks, block>>>(in->data(), out->data(), kRows, kCols); },
          [=] { return Values(*out); }};
}

int main(int argc, char** argv) {
  return Main(argc, argv,
              {"column_scan", [] { return Make(column_scan_bad, kCols, 256); },
               [] { return Make(column_scan_good, kCols / 32, dim3(32, 8)); }});
}
