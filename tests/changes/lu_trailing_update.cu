// SPDX-License-Identifier: Apache-2.0
//
// Right-looking blocked LU factorisation, update step: after a panel of NB columns
// has been factored, A22 -= L21 * U12 is applied to the trailing submatrix of a
// column-major matrix of doubles.
#include "harness.h"

struct ColMajor {
  double* a;
  int rows, cols;
  int ld;
};

// Sub-block of m that starts at row r, column c.
__device__ __forceinline__ double* corner(const ColMajor& m, int r, int c) {
  return m.a + (size_t)c * m.ld + r;
}

template <int NB>
__global__ void lu_trailing_update_naive(ColMajor m, int k0) {
  const int tr = k0 + NB;  // first trailing row and column
  const int col = blockIdx.x * blockDim.x + threadIdx.x;
  const int row = blockIdx.y * blockDim.y + threadIdx.y;
  if (tr + row >= m.rows || tr + col >= m.cols) return;

  const double* l21 = corner(m, tr, k0) + row;
  const double* u12 = corner(m, k0, tr) + (size_t)col * m.ld;
  double sum = 0.0;
#pragma unroll 4
  for (int p = 0; p < NB; ++p) {
    sum = fma(l21[(size_t)p * m.ld], u12[p], sum);
  }
  double* a22 = corner(m, tr, tr);
  a22[row + (size_t)col * m.ld] -= sum;
}

template <int NB>
__global__ void lu_trailing_update_repaired(ColMajor m, int k0) {
  const int tr = k0 + NB;  // first trailing row and column
  const int row = blockIdx.x * blockDim.x + threadIdx.x;
  const int col = blockIdx.y * blockDim.y + threadIdx.y;
  if (tr + row >= m.rows || tr + col >= m.cols) return;

  const double* l21 = corner(m, tr, k0) + row;
  const double* u12 = corner(m, k0, tr) + (size_t)col * m.ld;
  double sum = 0.0;
#pragma unroll 4
  for (int p = 0; p < NB; ++p) {
    sum = fma(l21[(size_t)p * m.ld], u12[p], sum);
  }
  double* a22 = corner(m, tr, tr);
  a22[row + (size_t)col * m.ld] -= sum;
}

int main(int argc, char** argv) {
  constexpr int NB = 16;
  const int order = 2000, ld = 2048, k0 = 64, left = order - k0 - NB;
  Random rnd{17};
  const auto h = Generate((size_t)ld * order, [&](int) { return Unit(rnd()) - 0.5; });
  const auto a = Upload(h), b = Upload(h);
  const ColMajor ma{a, order, order, ld}, mb{b, order, order, ld};

  const dim3 block(32, 8), grid((left + 31) / 32, (left + 7) / 8);
  const auto naive = [&] { lu_trailing_update_naive<NB><<<grid, block>>>(ma, k0); };
  const auto repaired = [&] { lu_trailing_update_repaired<NB><<<grid, block>>>(mb, k0); };
  return Run(argc, argv, naive, repaired, [&] { return Near(a, b, 1e-10); });
}
