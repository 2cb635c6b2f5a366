// SPDX-License-Identifier: Apache-2.0
//
// A matrix product A = B·C, all three stored by columns as BLAS does. Four accesses with four
// index expressions, of which one is wasteful: A written by rows.
#include "samples/common/sample.h"

using namespace samples;

constexpr int kFirstLine = __LINE__ + 10;  // B; two lines on C; then A by columns, A by rows

// A is M x N, B is M x P, C is P x N.
__global__ void product_both_ways(const float* B, const float* C, float* A, float* A_by_rows, int M,
                                  int P) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;  // row of A
  const int j = blockIdx.y * blockDim.y + threadIdx.y;  // column of A
  float sum = 0;
  for (int k = 0; k < P; ++k) {
    // expect: load clean sectors=4 ideal=4 lines=1 pattern=coalesced
    const float b = B[M * k + i];
    // expect: load clean sectors=1 ideal=1 lines=1 pattern=broadcast:32
    const float c = C[P * j + k];
    sum += b * c;
  }
  // expect: store clean sectors=4 ideal=4 lines=1 pattern=coalesced
  A[M * j + i] = sum;
  // expect: store sectors=32 ideal=4 lines=32 pattern=strided:2048
  A_by_rows[M * i + j] = sum;
}

constexpr int kTwinFirstLine = __LINE__ + 8;

__global__ void product_by_columns(const float* B, const float* C, float* A, int M, int P) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  const int j = blockIdx.y * blockDim.y + threadIdx.y;
  float sum = 0;
  for (int k = 0; k < P; ++k) {
    // expect: load clean
    const float b = B[M * k + i];
    // expect: load clean
    const float c = C[P * j + k];
    sum += b * c;
  }
  // expect: store clean pattern=coalesced
  A[M * j + i] = sum;
}

namespace {

const dim3 kBlock(32, 8);

dim3 GridFor(std::int64_t n) {
  return dim3(static_cast<unsigned>(n) / kBlock.x, static_cast<unsigned>(n) / kBlock.y);
}

float ExpectedProduct(std::size_t n, std::size_t i, std::size_t j) {
  float sum = 0;
  for (std::size_t k = 0; k < n; ++k) {
    sum += SmallPatternAt<float>(n * k + i) * SmallPatternAt<float>(n * j + k);
  }
  return sum;
}

void Run(const Arguments& arguments) {
  const int n = static_cast<int>(arguments.n);
  const std::size_t size = std::size_t(n) * n;
  DeviceArray<float> B(size), C(size), A(size), A_by_rows(size);
  B.FillWithSmallPattern();
  C.FillWithSmallPattern();
  const auto by_columns = [=](std::size_t at) { return ExpectedProduct(n, at % n, at / n); };
  const auto by_rows = [=](std::size_t at) { return ExpectedProduct(n, at / n, at % n); };
  const double bytes = 3.0 * size * sizeof(float);
  if (arguments.Wants("product_both_ways")) {
    const Timing timing = Measure(arguments.launches, [&] {
      product_both_ways<<<GridFor(n), kBlock>>>(B.data(), C.data(), A.data(), A_by_rows.data(), n,
                                                n);
    });
    Verify("product_both_ways", A, by_columns);
    Verify("product_both_ways", A_by_rows, by_rows);
    PrintBandwidth("product_both_ways", timing, bytes + size * sizeof(float));
  }
  if (arguments.Wants("product_by_columns")) {
    A.Zero();
    const Timing timing = Measure(arguments.launches, [&] {
      product_by_columns<<<GridFor(n), kBlock>>>(B.data(), C.data(), A.data(), n, n);
    });
    Verify("product_by_columns", A, by_columns);
    PrintBandwidth("product_by_columns", timing, bytes);
  }
}

void CountProduct(int first_line, const char* kernel, std::uint64_t n, Reference& reference) {
  const dim3 grid = GridFor(static_cast<std::int64_t>(n));
  const std::int64_t rounds = static_cast<std::int64_t>(n);
  reference.AddRepeated(
      {first_line, kernel, "load", 4}, grid, kBlock, rounds,
      [=](const Thread& t, std::int64_t k) { return At<float>(n * k + GlobalX(t)); });
  reference.AddRepeated(
      {first_line + 2, kernel, "load", 4}, grid, kBlock, rounds,
      [=](const Thread& t, std::int64_t k) { return At<float>(n * GlobalY(t) + k); });
  reference.Add({first_line + 6, kernel, "store", 4}, grid, kBlock,
                [=](const Thread& t) { return At<float>(n * GlobalY(t) + GlobalX(t)); });
}

void CountAccesses(const Arguments& arguments, Reference& reference) {
  const std::uint64_t n = static_cast<std::uint64_t>(arguments.n);
  if (arguments.Wants("product_both_ways")) {
    CountProduct(kFirstLine, "product_both_ways", n, reference);
    reference.Add({kFirstLine + 8, "product_both_ways", "store", 4}, GridFor(arguments.n), kBlock,
                  [=](const Thread& t) { return At<float>(n * GlobalX(t) + GlobalY(t)); });
  }
  if (arguments.Wants("product_by_columns")) {
    CountProduct(kTwinFirstLine, "product_by_columns", n, reference);
  }
}

}  // namespace

int main(int argc, char** argv) {
  return Main(argc, argv,
              {.name = "matrix_product",
               .summary = "multiplies two n x n matrices, the result by columns and by rows",
               .source = __FILE__,
               .size = {"rows and columns", 512, 32, 2048},
               .run = Run,
               .count = CountAccesses,
               .kernels = {"product_both_ways", "product_by_columns"}});
}
