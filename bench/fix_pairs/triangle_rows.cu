// SPDX-License-Identifier: Apache-2.0
//
// Sums of the rows of a triangle, which begin where the row before ends: a thread to a row, or a
// warp.
#include "bench/fix_pairs/pair.h"

using namespace fix_pairs;

constexpr unsigned kRows = 4096;
constexpr unsigned kBlock = 128;

__global__ void triangle_rows_bad(const float* triangle, float* sums) {
  const unsigned row = blockIdx.x * blockDim.x + threadIdx.x;
  const float* begin = triangle + row * (row + 1) / 2;
  float sum = 0;
  for (unsigned k = 0; k <= row; ++k) sum += begin[k];
  sums[row] = sum;
}

__global__ void triangle_rows_good(const float* triangle, float* sums) {
  const unsigned row = (blockIdx.x * blockDim.x + threadIdx.x) / 32;
  const float* begin = triangle + row * (row + 1) / 2;
  float sum = 0;
  for (unsigned k = threadIdx.x % 32; k <= row; k += 32) sum += begin[k];
  for (int offset = 16; offset > 0; offset /= 2) sum += __shfl_down_sync(~0U, sum, offset);
  if (threadIdx.x % 32 == 0) sums[row] = sum;
}

template <typename Kernel>
Side Make(Kernel kernel, bool is_of_warps) {
  const auto triangle = MakeArray<float>(std::size_t{kRows} * (kRows + 1) / 2);
  triangle->FillWithSmallPattern();
  const auto sums = MakeArray<float>(kRows);
  const unsigned threads = is_of_warps ? kRows * 32 : kRows;
  return {[=] { kernel<<<threads / kBlock, kBlock>>>(triangle->data(), sums->data()); },
          [=] { return Values(*sums); }};
}

int main(int argc, char** argv) {
  return Main(argc, argv,
              {"triangle_rows", [] { return Make(triangle_rows_bad, false); },
               [] { return Make(triangle_rows_good, true); }});
}
