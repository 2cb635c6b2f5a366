// SPDX-License-Identifier: Apache-2.0
//
// A sparse matrix with long rows (CSR), times a vector: a thread to a row, whose lanes read values
// and columns a row apart; a warp to a row, side by side.
#include <random>

#include "bench/fix_pairs/pair.h"

using namespace fix_pairs;

constexpr unsigned kRows = 1 << 17;
constexpr unsigned kRun = 4;  // neighbouring columns that a row has
constexpr unsigned kBlock = 256;

__global__ void spmv_csr_bad(const int* starts, const int* columns, const float* values,
                             const float* x, float* y) {
  const unsigned row = blockIdx.x * blockDim.x + threadIdx.x;
  const int end = starts[row + 1];
  float sum = 0;
  for (int i = starts[row]; i < end; ++i) sum += values[i] * x[columns[i]];
  y[row] = sum;
}

__global__ void spmv_csr_good(const int* starts, const int* columns, const float* values,
                              const float* x, float* y) {
  const unsigned row = (blockIdx.x * blockDim.x + threadIdx.x) / 32;
  const int lane = static_cast<int>(threadIdx.x % 32);
  const int end = starts[row + 1];
  float sum = 0;
  for (int i = starts[row] + lane; i < end; i += 32) sum += values[i] * x[columns[i]];
  for (int offset = 16; offset > 0; offset /= 2) sum += __shfl_down_sync(~0U, sum, offset);
  if (lane == 0) y[row] = sum;
}

template <typename Kernel>
Side Make(Kernel kernel, unsigned threads) {
  std::mt19937 random(20240229);
  std::vector<int> row_starts{0};
  std::vector<int> all_columns;
  for (unsigned row = 0; row < kRows; ++row) {
    const unsigned runs = 16 + random() % 17;
    for (unsigned run = 0; run < runs; ++run) {
      const unsigned first = random() % (kRows / kRun) * kRun;
      for (unsigned k = 0; k < kRun; ++k) all_columns.push_back(static_cast<int>(first + k));
    }
    row_starts.push_back(static_cast<int>(all_columns.size()));
  }
  const auto starts = std::make_shared<DeviceArray<int>>(row_starts);
  const auto columns = std::make_shared<DeviceArray<int>>(all_columns);
  const auto values = MakeArray<float>(all_columns.size());
  values->FillWithSmallPattern();  // sums are exact in any order
  const auto x = MakeArray<float>(kRows);
  x->FillWithSmallPattern();
  const auto y = MakeArray<float>(kRows);
  return {[=] {
            kernel<<<threads / kBlock, kBlock>>>(starts->data(), columns->data(), values->data(),
                                                 x->data(), y->data());
          },
          [=] { return Values(*y); }};
}

int main(int argc, char** argv) {
  return Main(argc, argv,
              {"spmv_csr", [] { return Make(spmv_csr_bad, kRows); },
               [] { return Make(spmv_csr_good, kRows * 32); }});
}
