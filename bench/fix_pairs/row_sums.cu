// SPDX-License-Identifier: Apache-2.0
//
// Sums of rows: a thread to a row, whose lanes read a row apart; a warp to a row, side by side.
#include "bench/fix_pairs/pair.h"

using namespace fix_pairs;

constexpr unsigned kRows = 1 << 18;
constexpr unsigned kCols = 256;
constexpr unsigned kBlock = 256;

__global__ void row_sums_bad(const float* in, float* out) {
  const unsigned row = blockIdx.x * blockDim.x + threadIdx.x;
  float sum = 0;
  for (unsigned col = 0; col < kCols; ++col) sum += in[row * kCols + col];
  out[row] = sum;
}

__global__ void row_sums_good(const float* in, float* out) {
  const unsigned t = blockIdx.x * blockDim.x + threadIdx.x;
  float sum = 0;
  for (unsigned col = t % 32; col < kCols; col += 32) sum += in[t / 32 * kCols + col];
  for (int offset = 16; offset > 0; offset /= 2) sum += __shfl_down_sync(~0U, sum, offset);
  if (t % 32 == 0) out[t / 32] = sum;
}

template <typename Kernel>
Side Make(Kernel kernel, unsigned threads) {
  const auto in = MakeArray<float>(std::size_t{kRows} * kCols);
  in->FillWithSmallPattern();  // sums are exact in any order
  const auto out = MakeArray<float>(kRows);
  return {[=] { kernel<<<threads / kBlock, kBlock>>>(in->data(), out->data()); },
          [=] { return Values(*out); }};
}

int main(int argc, char** argv) {
  return Main(argc, argv,
              {"row_sums", [] { return Make(row_sums_bad, kRows); },
               [] { return Make(row_sums_good, kRows * 32); }});
}
