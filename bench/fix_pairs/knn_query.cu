// SPDX-License-Identifier: Apache-2.0
//
// Distances of points to one: coordinates of a point side by side, or points of a coordinate.
#include "bench/fix_pairs/pair.h"

using namespace fix_pairs;

constexpr int kPoints = 1 << 20;
constexpr int kDims = 16;
constexpr int kBlock = 256;

__global__ void knn_query_bad(const float* points, const float* query, float* out, int n) {
  const int p = blockIdx.x * blockDim.x + threadIdx.x;
  if (p >= n) return;
  float sum = 0;
#pragma unroll
  for (int d = 0; d < kDims; ++d) {
    const float apart = points[p * kDims + d] - query[d];
    sum += apart * apart;
  }
  out[p] = sum;
}

__global__ void knn_query_good(const float* points, const float* query, float* out, int n) {
  const int p = blockIdx.x * blockDim.x + threadIdx.x;
  if (p >= n) return;
  float sum = 0;
#pragma unroll
  for (int d = 0; d < kDims; ++d) {
    const float apart = points[d * n + p] - query[d];
    sum += apart * apart;
  }
  out[p] = sum;
}

template <typename Kernel>
Side Make(Kernel kernel, bool interleaved) {
  std::vector<float> all(std::size_t{kPoints} * kDims);
  for (int p = 0; p < kPoints; ++p) {
    for (int d = 0; d < kDims; ++d) {
      all[interleaved ? d * kPoints + p : p * kDims + d] = static_cast<float>((p + 3 * d) % 61);
    }
  }
  const auto points = std::make_shared<DeviceArray<float>>(all);
  const auto query = MakeArray<float>(kDims);
  query->FillWithSmallPattern();
  const auto out = MakeArray<float>(kPoints);
  return {[=] {
            kernel<<<kPoints / kBlock, kBlock>>>(points->data(), query->data(), out->data(),
                                                 kPoints);
          },
          [=] { return Values(*out); }};
}

int main(int argc, char** argv) {
  return Main(argc, argv,
              {"knn_query", [] { return Make(knn_query_bad, false); },
               [] { return Make(knn_query_good, true); }});
}
