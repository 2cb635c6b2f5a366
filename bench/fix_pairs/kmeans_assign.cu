// SPDX-License-Identifier: Apache-2.0
//
// The assignment step of k-means: a thread finds its point's nearest centroid, and points are rows
// of 16 floats, so that lanes read 64 bytes apart. The repair stores dimensions as rows instead.
#include "bench/fix_pairs/pair.h"

using namespace fix_pairs;

constexpr unsigned kPoints = 3 << 20;
constexpr unsigned kDims = 16;
constexpr unsigned kClusters = 8;
constexpr unsigned kBlock = 256;

// The index of the nearest centroid, of the first of them if they tie.
__device__ int Nearest(const float (&point)[kDims], const float* centroids) {
  float least = INFINITY;
  int nearest = 0;
  for (unsigned c = 0; c < kClusters; ++c) {
    float distance = 0;
    for (unsigned d = 0; d < kDims; ++d) {
      const float difference = point[d] - centroids[c * kDims + d];
      distance += difference * difference;
    }
    if (distance < least) {
      least = distance;
      nearest = static_cast<int>(c);
    }
  }
  return nearest;
}

__global__ void kmeans_assign_bad(const float* points, const float* centroids, int* labels) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  float point[kDims];
  for (unsigned d = 0; d < kDims; ++d) point[d] = points[i * kDims + d];
  labels[i] = Nearest(point, centroids);
}

__global__ void kmeans_assign_good(const float* points, const float* centroids, int* labels) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  float point[kDims];
  for (unsigned d = 0; d < kDims; ++d) point[d] = points[d * kPoints + i];
  labels[i] = Nearest(point, centroids);
}

// Small whole numbers without an order, of which sums of squares are exact.
float Coordinate(unsigned point, unsigned dim) {
  const unsigned hash = (point * kDims + dim + 1) * 2654435761U;
  return static_cast<float>((hash >> 16U) % 32);
}

template <typename Kernel>
Side Make(Kernel kernel, bool by_dims) {
  std::vector<float> all(std::size_t{kPoints} * kDims);
  for (unsigned i = 0; i < kPoints; ++i) {
    for (unsigned d = 0; d < kDims; ++d) {
      all[by_dims ? d * kPoints + i : i * kDims + d] = Coordinate(i, d);
    }
  }
  std::vector<float> middles(std::size_t{kClusters} * kDims);
  for (unsigned i = 0; i < middles.size(); ++i) middles[i] = Coordinate(kPoints, 3 * i);
  const auto points = std::make_shared<DeviceArray<float>>(all);
  const auto centroids = std::make_shared<DeviceArray<float>>(middles);
  const auto labels = MakeArray<int>(kPoints);
  return {[=] {
            kernel<<<kPoints / kBlock, kBlock>>>(points->data(), centroids->data(), labels->data());
          },
          [=] { return Values(*labels); }};
}

int main(int argc, char** argv) {
  return Main(argc, argv,
              {"kmeans_assign", [] { return Make(kmeans_assign_bad, false); },
               [] { return Make(kmeans_assign_good, true); }});
}
