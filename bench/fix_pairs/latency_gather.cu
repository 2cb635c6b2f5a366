// SPDX-License-Identifier: Apache-2.0
//
// Few threads that gather and wait for each element before they ask for the next: by an index in no
// order, and by the same index sorted. Memory is idle, latency is all there is.
#include <algorithm>
#include <random>

#include "bench/fix_pairs/pair.h"

using namespace fix_pairs;

constexpr unsigned kThreads = 132 * 32;
constexpr unsigned kEach = 512;
constexpr unsigned kValues = 1 << 21;  // about as many as indices: sorted, lanes are neighbours

__device__ int Gather(const int* index, const int* values) {
  const unsigned t = blockIdx.x * blockDim.x + threadIdx.x;
  int sum = 0;
  // Where the next element lies depends on this one's sign bit, which is never set.
  for (unsigned k = 0; k < kEach; ++k) sum += values[index[k * kThreads + t] + (sum < 0)] % 2;
  return sum;
}

__global__ void latency_gather_bad(const int* index, const int* values, int* out) {
  out[blockIdx.x * blockDim.x + threadIdx.x] = Gather(index, values);
}

__global__ void latency_gather_good(const int* index, const int* values, int* out) {
  out[blockIdx.x * blockDim.x + threadIdx.x] = Gather(index, values);
}

template <typename Kernel>
Side Make(Kernel kernel, bool sorted) {
  std::mt19937 random(20240229);
  std::vector<int> indices(std::size_t{kThreads} * kEach);
  for (int& one : indices) one = static_cast<int>(random() % kValues);
  if (sorted) std::sort(indices.begin(), indices.end());
  const auto index = std::make_shared<DeviceArray<int>>(indices);
  const auto values = MakeArray<int>(kValues + 1);
  values->FillWithPattern();
  const auto out = MakeArray<int>(kThreads);
  // Which thread has which element differs, their sum does not.
  const auto result = [=] {
    double sum = 0;
    for (const int one : out->Slice(0, out->size())) sum += one;
    return std::vector<double>{sum};
  };
  return {[=] { kernel<<<kThreads / 32, 32>>>(index->data(), values->data(), out->data()); },
          result};
}

int main(int argc, char** argv) {
  return Main(argc, argv,
              {"latency_gather", [] { return Make(latency_gather_bad, false); },
               [] { return Make(latency_gather_good, true); }});
}
