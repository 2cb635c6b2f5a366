// SPDX-License-Identifier: Apache-2.0
//
// A sparse matrix with as many entries in each row times a vector: row by row, or entry by entry.
#include "bench/fix_pairs/pair.h"

using namespace fix_pairs;

constexpr int kRows = 1 << 18;
constexpr int kEntries = 24;
constexpr int kBlock = 256;

__global__ void ell_product_bad(const int* column, const float* value, const float* x, float* y,
                                int rows, int entries) {
  const int row = blockIdx.x * blockDim.x + threadIdx.x;
  if (row >= rows) return;
  float sum = 0;
  for (int k = 0; k < entries; ++k) {
    const int at = row * entries + k;
    sum += value[at] * x[column[at]];
  }
  y[row] = sum;
}

__global__ void ell_product_good(const int* column, const float* value, const float* x, float* y,
                                 int rows, int entries) {
  const int row = blockIdx.x * blockDim.x + threadIdx.x;
  if (row >= rows) return;
  float sum = 0;
  for (int k = 0; k < entries; ++k) {
    const int at = k * rows + row;
    sum += value[at] * x[column[at]];
  }
  y[row] = sum;
}

template <typename Kernel>
Side Make(Kernel kernel, bool is_by_entry) {
  std::vector<int> columns(std::size_t{kRows} * kEntries);
  std::vector<float> values(columns.size());
  for (std::size_t i = 0; i < columns.size(); ++i) {
    const std::size_t row = i / kEntries;
    const std::size_t at = is_by_entry ? i % kEntries * kRows + row : i;
    columns[at] = static_cast<int>((row + i % kEntries * 37) % kRows);
    values[at] = static_cast<float>(i % 5);
  }
  const auto column = std::make_shared<DeviceArray<int>>(columns);
  const auto value = std::make_shared<DeviceArray<float>>(values);
  const auto x = MakeArray<float>(kRows);
  x->FillWithSmallPattern();
  const auto y = MakeArray<float>(kRows);
  return {[=] {
            kernel<<<kRows / kBlock, kBlock>>>(column->data(), value->data(), x->data(), y->data(),
                                               kRows, kEntries);
          },
          [=] { return Values(*y); }};
}

int main(int argc, char** argv) {
  return Main(argc, argv,
              {"ell_product", [] { return Make(ell_product_bad, false); },
               [] { return Make(ell_product_good, true); }});
}
