// SPDX-License-Identifier: Apache-2.0
//
// Blocks of 4 x 4 of a sparse matrix times a vector: number by number, or four at once.
#include "bench/fix_pairs/pair.h"

using namespace fix_pairs;

constexpr int kBlocks = 1 << 19;
constexpr int kSide = 4;
constexpr int kThreads = 256;

__global__ void block_jacobi_bad(const float* matrix, const float* x, float* y, int rows) {
  const int row = blockIdx.x * blockDim.x + threadIdx.x;
  if (row >= rows) return;
  const float* own = matrix + row * kSide;
  const float* part = x + row / kSide * kSide;
  float sum = 0;
  for (int k = 0; k < kSide; ++k) sum += own[k] * part[k];
  y[row] = sum;
}

__global__ void block_jacobi_good(const float* matrix, const float* x, float* y, int rows) {
  const int row = blockIdx.x * blockDim.x + threadIdx.x;
  if (row >= rows) return;
  const float4 own = reinterpret_cast<const float4*>(matrix)[row];
  const float4 part = reinterpret_cast<const float4*>(x)[row / kSide];
  y[row] = own.x * part.x + own.y * part.y + own.z * part.z + own.w * part.w;
}

template <typename Kernel>
Side Make(Kernel kernel) {
  constexpr int kRows = kBlocks * kSide;
  const auto matrix = MakeArray<float>(std::size_t{kRows} * kSide);
  matrix->FillWithSmallPattern();
  const auto x = MakeArray<float>(kRows);
  x->FillWithSmallPattern();
  const auto y = MakeArray<float>(kRows);
  return {
      [=] { kernel<<<kRows / kThreads, kThreads>>>(matrix->data(), x->data(), y->data(), kRows); },
      [=] { return Values(*y); }};
}

int main(int argc, char** argv) {
  return Main(argc, argv,
              {"block_jacobi", [] { return Make(block_jacobi_bad); },
               [] { return Make(block_jacobi_good); }});
}
