// SPDX-License-Identifier: Apache-2.0
//
// Points moved by a matrix of 4 by 4 each: its elements side by side, or in an array for each.
#include "bench/fix_pairs/pair.h"

using namespace fix_pairs;

constexpr unsigned kPoints = 1 << 19;
constexpr unsigned kSize = 4;
constexpr unsigned kElements = kSize * kSize;
constexpr unsigned kBlock = 128;

__global__ void move_points_bad(const float* matrices, const float* x, float* out) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  for (unsigned row = 0; row < kSize; ++row) {
    float sum = 0;
    for (unsigned column = 0; column < kSize; ++column) {
      sum += matrices[i * kElements + row * kSize + column] * x[column * kPoints + i];
    }
    out[row * kPoints + i] = sum;
  }
}

__global__ void move_points_good(const float* matrices, const float* x, float* out) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  for (unsigned row = 0; row < kSize; ++row) {
    float sum = 0;
    for (unsigned column = 0; column < kSize; ++column) {
      sum += matrices[(row * kSize + column) * kPoints + i] * x[column * kPoints + i];
    }
    out[row * kPoints + i] = sum;
  }
}

template <typename Kernel>
Side Make(Kernel kernel, bool is_by_element) {
  std::vector<float> elements(std::size_t{kPoints} * kElements);
  for (std::size_t i = 0; i < elements.size(); ++i) {
    const std::size_t point = is_by_element ? i % kPoints : i / kElements;
    const std::size_t element = is_by_element ? i / kPoints : i % kElements;
    elements[i] = static_cast<float>((point * 7 + element * 3) % 11);
  }
  const auto matrices = std::make_shared<DeviceArray<float>>(elements);
  const auto x = MakeArray<float>(std::size_t{kPoints} * kSize);
  x->FillWithSmallPattern();
  const auto out = MakeArray<float>(x->size());
  return {[=] { kernel<<<kPoints / kBlock, kBlock>>>(matrices->data(), x->data(), out->data()); },
          [=] { return Values(*out); }};
}

int main(int argc, char** argv) {
  return Main(argc, argv,
              {"move_points", [] { return Make(move_points_bad, false); },
               [] { return Make(move_points_good, true); }});
}
