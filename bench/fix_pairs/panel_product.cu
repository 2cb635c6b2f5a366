// SPDX-License-Identifier: Apache-2.0
//
// A sparse matrix (CSR) times a panel of 32 vectors, which lie side by side in rows. A flat thread
// index is split into a row, which is the faster part, and a vector; the repair has the vector as
// the faster part, so that lanes read one row of the panel.
#include <random>

#include "bench/fix_pairs/pair.h"

using namespace fix_pairs;

constexpr int kRows = 1 << 16;
constexpr int kVectors = 32;
constexpr int kBlock = 128;

template <typename Scalar>
struct Csr {
  int rows;
  const int* __restrict__ starts;
  const int* __restrict__ columns;
  const Scalar* __restrict__ values;
};

template <typename Scalar, int vectors>
__global__ void panel_product_bad(const Csr<Scalar> a, const Scalar* __restrict__ x,
                                  Scalar* __restrict__ y) {
  const int id = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
  if (id >= a.rows * vectors) return;
  const int row = id % a.rows;
  const int vector = id / a.rows;
  Scalar sum = 0;
  for (int k = a.starts[row]; k < a.starts[row + 1]; ++k) {
    sum += a.values[k] * x[a.columns[k] * vectors + vector];
  }
  y[row * vectors + vector] = sum;
}

template <typename Scalar, int vectors>
__global__ void panel_product_good(const Csr<Scalar> a, const Scalar* __restrict__ x,
                                   Scalar* __restrict__ y) {
  const int id = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
  if (id >= a.rows * vectors) return;
  const int row = id / vectors;
  const int vector = id % vectors;
  Scalar sum = 0;
  for (int k = a.starts[row]; k < a.starts[row + 1]; ++k) {
    sum += a.values[k] * x[a.columns[k] * vectors + vector];
  }
  y[row * vectors + vector] = sum;
}

template <typename Kernel>
Side Make(Kernel kernel) {
  std::mt19937 random(77);
  std::vector<int> all_starts{0};
  std::vector<int> all_columns;
  for (int row = 0; row < kRows; ++row) {
    const unsigned length = 4 + random() % 12;
    for (unsigned k = 0; k < length; ++k) {
      all_columns.push_back(static_cast<int>(random() % kRows));
    }
    all_starts.push_back(static_cast<int>(all_columns.size()));
  }
  const auto starts = std::make_shared<DeviceArray<int>>(all_starts);
  const auto columns = std::make_shared<DeviceArray<int>>(all_columns);
  const auto values = MakeArray<float>(all_columns.size());
  values->FillWithSmallPattern();  // sums are exact in any order
  const auto x = MakeArray<float>(std::size_t{kRows} * kVectors);
  x->FillWithSmallPattern();
  const auto y = MakeArray<float>(std::size_t{kRows} * kVectors);
  return {[=] {
            const Csr<float> a{kRows, starts->data(), columns->data(), values->data()};
            kernel<<<kRows * kVectors / kBlock, kBlock>>>(a, x->data(), y->data());
          },
          [=] { return Values(*y); }};
}

int main(int argc, char** argv) {
  return Main(argc, argv,
              {"panel_product", [] { return Make(panel_product_bad<float, kVectors>); },
               [] { return Make(panel_product_good<float, kVectors>); }});
}
