// SPDX-License-Identifier: Apache-2.0
//
// `sgemm [COUNT]`: that many cuBLAS SGEMMs of 2048 × 2048, for bench/measure_overhead.py. A small
// one goes before, so that cuBLAS has loaded itself when the time starts.
#include <cublas_v2.h>

#include <cstdlib>

#include "bench/programs/program.h"
#include "samples/common/device_array.h"

namespace {

constexpr int kSize = 2048;
constexpr int kSmall = 64;
using Matrix = samples::DeviceArray<float>;

void Check(cublasStatus_t status) {
  if (status == CUBLAS_STATUS_SUCCESS) return;
  std::fprintf(stderr, "cuBLAS: %s\n", cublasGetStatusString(status));
  std::exit(samples::kWrongResult);
}

// c = a * b, all n × n and column by column.
void Multiply(cublasHandle_t blas, int n, Matrix& a, Matrix& b, Matrix& c) {
  const float one = 1;
  const float zero = 0;
  Check(cublasSgemm(blas, CUBLAS_OP_N, CUBLAS_OP_N, n, n, n, &one, a.data(), n, b.data(), n, &zero,
                    c.data(), n));
}

// What element `index` of the product of two pattern matrices is: sums of small integers are exact.
float Expected(std::size_t index) {
  const std::size_t row = index % kSize;
  const std::size_t column = index / kSize;
  float sum = 0;
  for (std::size_t k = 0; k < kSize; ++k) {
    sum += samples::SmallPatternAt<float>(k * kSize + row) *
           samples::SmallPatternAt<float>(column * kSize + k);
  }
  return sum;
}

void VerifyProduct(const Matrix& c) {
  constexpr std::size_t kStep = 65521;  // a prime: all rows and columns take part
  const std::vector<float> values = c.Slice(0, c.size());
  for (std::size_t i = 0; i < values.size(); i += kStep) {
    if (values[i] == Expected(i)) continue;
    std::fprintf(stderr, "sgemm: element %zu is %g instead of %g\n", i,
                 static_cast<double>(values[i]), static_cast<double>(Expected(i)));
    std::exit(samples::kWrongResult);
  }
}

void Run(std::int64_t count) {
  Matrix a(std::size_t(kSize) * kSize);
  Matrix b(a.size());
  Matrix c(a.size());
  a.FillWithSmallPattern();
  b.FillWithSmallPattern();
  cublasHandle_t blas = nullptr;
  Check(cublasCreate(&blas));
  Multiply(blas, kSmall, a, b, c);
  const bench::Times times = bench::Timed([&] {
    for (std::int64_t i = 0; i < count; ++i) Multiply(blas, kSize, a, b, c);
  });
  VerifyProduct(c);
  Check(cublasDestroy(blas));
  bench::PrintMeasured(count, times);
}

}  // namespace

int main(int argc, char** argv) {
  const long long count = argc > 1 ? std::strtoll(argv[1], nullptr, 10) : 100;
  if (count <= 0) {
    std::fprintf(stderr, "usage: %s [COUNT]\n", argv[0]);
    return samples::kUsage;
  }
  samples::RequireGpu("sgemm");
  Run(count);
  return samples::kOk;
}
