// SPDX-License-Identifier: Apache-2.0
//
// Sums of columns, of 256 rows at a time: a warp to a column, whose lanes read a row apart; a lane
// to a column, whose warps share the rows and add up in shared memory.
#include "bench/fix_pairs/pair.h"

using namespace fix_pairs;

constexpr unsigned kRows = 1 << 16;
constexpr unsigned kCols = 1 << 11;
constexpr unsigned kPart = 256;  // rows to a sum
constexpr unsigned kWarps = 8;   // to a block

__global__ void column_sums_bad(const float* in, float* out) {
  const unsigned col = blockIdx.x * kWarps + threadIdx.y;
  const unsigned begin = blockIdx.y * kPart;
  float sum = 0;
  for (unsigned row = threadIdx.x; row < kPart; row += 32) sum += in[(begin + row) * kCols + col];
  for (int offset = 16; offset > 0; offset /= 2) sum += __shfl_down_sync(~0U, sum, offset);
  if (threadIdx.x == 0) out[blockIdx.y * kCols + col] = sum;
}

__global__ void column_sums_good(const float* in, float* out) {
  __shared__ float sums[kWarps][32];
  const unsigned col = blockIdx.x * 32 + threadIdx.x;
  const unsigned begin = blockIdx.y * kPart;
  float sum = 0;
  for (unsigned row = threadIdx.y; row < kPart; row += kWarps) {
    sum += in[(begin + row) * kCols + col];
  }
  sums[threadIdx.y][threadIdx.x] = sum;
  __syncthreads();
  if (threadIdx.y != 0) return;
  sum = 0;
  for (unsigned warp = 0; warp < kWarps; ++warp) sum += sums[warp][threadIdx.x];
  out[blockIdx.y * kCols + col] = sum;
}

template <typename Kernel>
Side Make(Kernel kernel, unsigned columns_of_block) {
  const auto in = MakeArray<float>(std::size_t{kRows} * kCols);
  in->FillWithSmallPattern();  // sums are exact in any order
  const auto out = MakeArray<float>(std::size_t{kRows} / kPart * kCols);
  const dim3 grid(kCols / columns_of_block, kRows / kPart);
  return {[=] { kernel<<<grid, dim3(32, kWarps)>>>(in->data(), out->data()); },
          [=] { return Values(*out); }};
}

int main(int argc, char** argv) {
  return Main(argc, argv,
              {"column_sums", [] { return Make(column_sums_bad, kWarps); },
               [] { return Make(column_sums_good, 32); }});
}
