// SPDX-License-Identifier: Apache-2.0
//
// A softmax of each row, in base 2: a thread to a row goes over it three times, lanes a row apart;
// a warp to a row does the same side by side, and its lanes share their maximum and their sum.
#include <cmath>

#include "bench/fix_pairs/pair.h"

using namespace fix_pairs;

constexpr unsigned kRows = 1 << 17;
constexpr unsigned kCols = 192;
constexpr unsigned kBlock = 128;

__global__ void softmax_rows_bad(const float* in, float* out, unsigned cols) {
  const unsigned row = blockIdx.x * blockDim.x + threadIdx.x;
  const float* const from = in + row * cols;
  float* const to = out + row * cols;
  float most = -INFINITY;
  for (unsigned col = 0; col < cols; ++col) most = fmaxf(most, from[col]);
  float sum = 0;
  for (unsigned col = 0; col < cols; ++col) sum += exp2f(from[col] - most);
  for (unsigned col = 0; col < cols; ++col) to[col] = exp2f(from[col] - most) / sum;
}

__global__ void softmax_rows_good(const float* in, float* out, unsigned cols) {
  const unsigned row = (blockIdx.x * blockDim.x + threadIdx.x) / 32;
  const unsigned lane = threadIdx.x % 32;
  const float* const from = in + row * cols;
  float* const to = out + row * cols;
  float most = -INFINITY;
  for (unsigned col = lane; col < cols; col += 32) most = fmaxf(most, from[col]);
  for (int mask = 16; mask > 0; mask /= 2) {
    most = fmaxf(most, __shfl_xor_sync(~0U, most, mask));
  }
  float sum = 0;
  for (unsigned col = lane; col < cols; col += 32) sum += exp2f(from[col] - most);
  for (int mask = 16; mask > 0; mask /= 2) sum += __shfl_xor_sync(~0U, sum, mask);
  for (unsigned col = lane; col < cols; col += 32) to[col] = exp2f(from[col] - most) / sum;
}

template <typename Kernel>
Side Make(Kernel kernel, unsigned threads) {
  const auto in = MakeArray<float>(std::size_t{kRows} * kCols);
  in->FillWithSmallPattern();  // sums of powers of two are exact in any order
  const auto out = MakeArray<float>(std::size_t{kRows} * kCols);
  const auto result = [=] {
    std::vector<double> values = Values(*out);
    for (double& value : values) value = std::round(value * 1e6);
    return values;
  };
  return {[=] { kernel<<<threads / kBlock, kBlock>>>(in->data(), out->data(), kCols); }, result};
}

int main(int argc, char** argv) {
  return Main(argc, argv,
              {"softmax_rows", [] { return Make(softmax_rows_bad, kRows); },
               [] { return Make(softmax_rows_good, kRows * 32); }});
}
