// SPDX-License-Identifier: Apache-2.0
//
// Norms of embeddings: a thread to a row; a warp to a row.
#include "bench/fix_pairs/pair.h"

using namespace fix_pairs;

constexpr int kRows = 32768;
constexpr int kDim = 256;
constexpr int kBlock = 256;

__global__ void row_norms_bad(const float* in, float* out, int rows, int dim) {
  const int row = blockIdx.x * blockDim.x + threadIdx.x;
  if (row >= rows) return;
  float sum = 0;
  for (int k = 0; k < dim; ++k) {
    const float one = in[static_cast<std::size_t>(row) * dim + k];
    sum += one * one;
  }
  out[row] = sum;
}

__global__ void row_norms_good(const float* in, float* out, int rows, int dim) {
  const int row = (blockIdx.x * blockDim.x + threadIdx.x) / 32;
  const int lane = threadIdx.x % 32;
  if (row >= rows) return;
  float sum = 0;
  for (int k = lane; k < dim; k += 32) {
    const float one = in[static_cast<std::size_t>(row) * dim + k];
    sum += one * one;
  }
  for (int offset = 16; offset > 0; offset /= 2) sum += __shfl_down_sync(~0U, sum, offset);
  if (lane == 0) out[row] = sum;
}

template <typename Kernel>
Side Make(Kernel kernel, int threads) {
  const auto in = MakeArray<float>(std::size_t{kRows} * kDim);
  in->FillWithSmallPattern();  // sums are exact in any order
  const auto out = MakeArray<float>(kRows);
  return {[=] { kernel<<<threads / kBlock, kBlock>>>(in->data(), out->data(), kRows, kDim); },
          [=] { return Values(*out); }};
}

int main(int argc, char** argv) {
  return Main(argc, argv,
              {"row_norms", [] { return Make(row_norms_bad, kRows); },
               [] { return Make(row_norms_good, kRows * 32); }});
}
