// SPDX-License-Identifier: Apache-2.0
//
// Right-looking blocked LU factorisation, update step: after a panel of NB columns
// has been factored, A22 -= L21 * U12 is applied to the trailing submatrix of a
// column-major matrix of doubles.
#include <cuda_runtime.h>

#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <vector>

#define CK(call)                                                                  \
  do {                                                                            \
    cudaError_t e_ = (call);                                                      \
    if (e_ != cudaSuccess) {                                                      \
      fprintf(stderr, "%s:%d: %s\n", __FILE__, __LINE__, cudaGetErrorString(e_)); \
      exit(2);                                                                    \
    }                                                                             \
  } while (0)

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

template <class F>
static float time_launches(F launch) {
  cudaEvent_t t0, t1;
  CK(cudaEventCreate(&t0));
  CK(cudaEventCreate(&t1));
  launch();
  CK(cudaGetLastError());
  CK(cudaDeviceSynchronize());
  CK(cudaEventRecord(t0));
  for (int i = 0; i < 5; ++i) launch();
  CK(cudaEventRecord(t1));
  CK(cudaGetLastError());
  CK(cudaEventSynchronize(t1));
  float ms = 0.f;
  CK(cudaEventElapsedTime(&ms, t0, t1));
  return ms / 5;
}

int main(int argc, char** argv) {
  const char* mode = argc > 1 ? argv[1] : "both";
  const bool do_naive = !strcmp(mode, "naive") || !strcmp(mode, "both");
  const bool do_rep = !strcmp(mode, "repaired") || !strcmp(mode, "both");
  if (!do_naive && !do_rep) return 1;

  constexpr int NB = 16;
  const int order = 2000, ld = 2048, k0 = 64;
  const size_t n = (size_t)ld * order, bytes = n * sizeof(double);
  std::vector<double> h(n);
  unsigned s = 17u;
  for (size_t i = 0; i < n; ++i) {
    s = s * 1664525u + 1013904223u;
    h[i] = (double)(s >> 8) / 16777216.0 - 0.5;
  }
  const int left = order - k0 - NB;

  std::vector<double> res[2];
  for (int v = 0; v < 2; ++v) {
    if (v == 0 ? !do_naive : !do_rep) continue;
    ColMajor m{nullptr, order, order, ld};
    CK(cudaMalloc(&m.a, bytes));
    CK(cudaMemcpy(m.a, h.data(), bytes, cudaMemcpyHostToDevice));
    const dim3 block(32, 8), grid((left + 31) / 32, (left + 7) / 8);
    float ms;
    if (v == 0)
      ms = time_launches([&] { lu_trailing_update_naive<NB><<<grid, block>>>(m, k0); });
    else
      ms = time_launches([&] { lu_trailing_update_repaired<NB><<<grid, block>>>(m, k0); });
    printf("%-8s %.4f ms\n", v == 0 ? "naive" : "repaired", ms);
    res[v].resize(n);
    CK(cudaMemcpy(res[v].data(), m.a, bytes, cudaMemcpyDeviceToHost));
    CK(cudaFree(m.a));
  }
  if (do_naive && do_rep) {
    for (size_t i = 0; i < n; ++i)
      if (!(std::fabs(res[0][i] - res[1][i]) <= 1e-10)) {
        fprintf(stderr, "mismatch at %zu: %.15g %.15g\n", i, res[0][i], res[1][i]);
        return 3;
      }
    printf("results agree\n");
  }
  return 0;
}
