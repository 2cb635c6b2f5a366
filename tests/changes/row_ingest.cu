// SPDX-License-Identifier: Apache-2.0
//
// Databases: fixed-width rows as they come over the wire to the columns of the analytic store.
// Each column is decoded (fixed point, offset), and the null sentinel becomes not a number's
// stand-in. Both formats are given from outside.
#include "harness.h"

constexpr int kColumns = 13, kRowsPerBlock = 128;
constexpr int32_t kNull = INT32_MIN;
constexpr float kMissing = -1e30f;

struct Decode {
  float scale[kColumns], offset[kColumns];
  __device__ float operator()(int column, int32_t wire) const {
    return wire == kNull ? kMissing : wire * scale[column] + offset[column];
  }
};

__global__ void row_ingest_naive(const int32_t* __restrict__ rows, float* __restrict__ columns,
                                 int n, Decode decode) {
  const int row = blockIdx.x * blockDim.x + threadIdx.x;
  if (row >= n) return;
  const int32_t* record = rows + (size_t)row * kColumns;
#pragma unroll
  for (int c = 0; c < kColumns; ++c) {
    const int32_t wire = record[c];
    columns[(size_t)c * n + row] = decode(c, wire);
  }
}

__global__ void row_ingest_repaired(const int32_t* __restrict__ rows, float* __restrict__ columns,
                                    int n, Decode decode) {
  // kColumns is odd: no bank conflicts.
  __shared__ int32_t tile[kRowsPerBlock * kColumns];
  const int first = blockIdx.x * kRowsPerBlock;
  const int here = min(kRowsPerBlock, n - first);
  for (int i = threadIdx.x; i < here * kColumns; i += blockDim.x) {
    tile[i] = rows[(size_t)first * kColumns + i];
  }
  __syncthreads();
  if (threadIdx.x >= here) return;
#pragma unroll
  for (int c = 0; c < kColumns; ++c) {
    columns[(size_t)c * n + first + threadIdx.x] = decode(c, tile[threadIdx.x * kColumns + c]);
  }
}

int main(int argc, char** argv) {
  const int n = 3000000;
  Random rnd{31};
  const auto rows = Upload(Generate((size_t)n * kColumns, [&](int) {
    const uint32_t bits = rnd();
    return bits >> 27 == 0 ? kNull : (int32_t)(bits >> 8 & 0xffff);
  }));
  Decode decode;
  for (int c = 0; c < kColumns; ++c) {
    decode.scale[c] = 0.01f * (c + 1);
    decode.offset[c] = c % 3 ? 0.f : -100.f;
  }
  const auto a = Allocate<float>((size_t)n * kColumns), b = Allocate<float>((size_t)n * kColumns);

  const int blocks = (n + kRowsPerBlock - 1) / kRowsPerBlock;
  const auto naive = [&] { row_ingest_naive<<<blocks, kRowsPerBlock>>>(rows, a, n, decode); };
  const auto repaired = [&] { row_ingest_repaired<<<blocks, kRowsPerBlock>>>(rows, b, n, decode); };
  return Run(argc, argv, naive, repaired, [&] { return Near(a, b, 1e-2, 1e-5); });
}
