// SPDX-License-Identifier: Apache-2.0
//
// Delta-gamma profit and loss of a trading book under 65536 market scenarios: each
// position refers to one of 96 risk factors; also the worst single position.
// Usage: scenario_pnl naive|repaired|both
#include <cuda_runtime.h>

#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <vector>

#define CK(call)                                                            \
  do {                                                                      \
    cudaError_t err_ = (call);                                              \
    if (err_ != cudaSuccess) {                                              \
      fprintf(stderr, "line %d: %s\n", __LINE__, cudaGetErrorString(err_)); \
      exit(2);                                                              \
    }                                                                       \
  } while (0)

struct Book {
  int positions;
  const int* __restrict__ factor;
  const double* __restrict__ delta;
  const double* __restrict__ gamma;
};

struct ShockTable {
  const double* __restrict__ value;
  int scenarios, factors;
};

__global__ void scenario_pnl_naive(Book book, ShockTable shocks, const double* __restrict__ carry,
                                   double* __restrict__ pnl, float* __restrict__ worst) {
  const int s = blockIdx.x * blockDim.x + threadIdx.x;
  if (s >= shocks.scenarios) return;
  const double* my = shocks.value + (size_t)s * shocks.factors;
  double sum = carry[s], low = 0.0;
  for (int p = 0; p < book.positions; ++p) {
    const double x = my[book.factor[p]];
    const double v = book.delta[p] * x + 0.5 * book.gamma[p] * x * x;
    sum += v;
    low = fmin(low, v);
  }
  pnl[s] = sum;
  worst[s] = (float)low;
}

__global__ void scenario_pnl_repaired(Book book, ShockTable shocks,
                                      const double* __restrict__ carry, double* __restrict__ pnl,
                                      float* __restrict__ worst) {
  const int s = blockIdx.x * blockDim.x + threadIdx.x;
  if (s >= shocks.scenarios) return;
  double sum = carry[s], low = 0.0;
  for (int p = 0; p < book.positions; ++p) {
    const double x = shocks.value[(size_t)book.factor[p] * shocks.scenarios + s];
    const double v = book.delta[p] * x + 0.5 * book.gamma[p] * x * x;
    sum += v;
    low = fmin(low, v);
  }
  pnl[s] = sum;
  worst[s] = (float)low;
}

template <class F>
static float time_ms(F launch) {
  launch();
  CK(cudaGetLastError());
  CK(cudaDeviceSynchronize());
  cudaEvent_t a, b;
  CK(cudaEventCreate(&a));
  CK(cudaEventCreate(&b));
  CK(cudaEventRecord(a));
  for (int r = 0; r < 5; ++r) launch();
  CK(cudaEventRecord(b));
  CK(cudaEventSynchronize(b));
  CK(cudaGetLastError());
  float ms = 0.f;
  CK(cudaEventElapsedTime(&ms, a, b));
  return ms / 5.f;
}

template <typename T>
static T* upload(const std::vector<T>& h) {
  T* d = nullptr;
  CK(cudaMalloc(&d, h.size() * sizeof(T)));
  CK(cudaMemcpy(d, h.data(), h.size() * sizeof(T), cudaMemcpyHostToDevice));
  return d;
}

int main(int argc, char** argv) {
  const std::string mode = argc > 1 ? argv[1] : "both";
  const int scenarios = 65536, factors = 96, positions = 240;

  uint64_t st = 1234567ull;
  auto rnd = [&] {
    st = st * 6364136223846793005ull + 1442695040888963407ull;
    return (double)(st >> 11) * (1.0 / 9007199254740992.0);
  };
  std::vector<double> table((size_t)scenarios * factors), carry(scenarios), delta(positions),
      gamma(positions);
  std::vector<int> factor(positions);
  for (auto& v : table) v = 0.1 * (rnd() - 0.5);
  for (auto& v : carry) v = rnd();
  for (int p = 0; p < positions; ++p) {
    factor[p] = (int)(rnd() * factors);
    delta[p] = 200.0 * (rnd() - 0.5);
    gamma[p] = 30.0 * (rnd() - 0.5);
  }
  const Book book{positions, upload(factor), upload(delta), upload(gamma)};
  double *d_carry = upload(carry), *d_pnl = nullptr;
  float* d_worst = nullptr;
  CK(cudaMalloc(&d_pnl, scenarios * sizeof(double)));
  CK(cudaMalloc(&d_worst, scenarios * sizeof(float)));

  const int threads = 128, blocks = (scenarios + threads - 1) / threads;
  std::vector<double> p0(scenarios), p1(scenarios);
  std::vector<float> w0(scenarios), w1(scenarios);
  if (mode != "repaired") {
    double* d_table = upload(table);
    const ShockTable t{d_table, scenarios, factors};
    CK(cudaMemset(d_pnl, 0xff, scenarios * sizeof(double)));
    const float ms =
        time_ms([&] { scenario_pnl_naive<<<blocks, threads>>>(book, t, d_carry, d_pnl, d_worst); });
    printf("naive    %.4f ms\n", ms);
    CK(cudaMemcpy(p0.data(), d_pnl, scenarios * sizeof(double), cudaMemcpyDeviceToHost));
    CK(cudaMemcpy(w0.data(), d_worst, scenarios * sizeof(float), cudaMemcpyDeviceToHost));
    CK(cudaFree(d_table));
  }
  if (mode != "naive") {
    std::vector<double> by_factor(table.size());
    for (int s = 0; s < scenarios; ++s)
      for (int f = 0; f < factors; ++f)
        by_factor[(size_t)f * scenarios + s] = table[(size_t)s * factors + f];
    double* d_table = upload(by_factor);
    const ShockTable t{d_table, scenarios, factors};
    CK(cudaMemset(d_pnl, 0xff, scenarios * sizeof(double)));
    const float ms = time_ms(
        [&] { scenario_pnl_repaired<<<blocks, threads>>>(book, t, d_carry, d_pnl, d_worst); });
    printf("repaired %.4f ms\n", ms);
    CK(cudaMemcpy(p1.data(), d_pnl, scenarios * sizeof(double), cudaMemcpyDeviceToHost));
    CK(cudaMemcpy(w1.data(), d_worst, scenarios * sizeof(float), cudaMemcpyDeviceToHost));
    CK(cudaFree(d_table));
  }
  if (mode == "both") {
    for (int s = 0; s < scenarios; ++s)
      if (!(fabs(p0[s] - p1[s]) <= 1e-9 * (1.0 + fabs(p0[s]))) ||
          !(fabsf(w0[s] - w1[s]) <= 1e-5f * (1.f + fabsf(w0[s])))) {
        fprintf(stderr, "mismatch at scenario %d: %g %g\n", s, p0[s], p1[s]);
        return 1;
      }
    printf("match\n");
  }
  return 0;
}
