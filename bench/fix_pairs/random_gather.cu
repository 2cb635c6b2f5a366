// SPDX-License-Identifier: Apache-2.0
//
// A gather by a random permutation with all the GPU's threads, and by the same indices sorted.
#include <algorithm>
#include <numeric>
#include <random>

#include "bench/fix_pairs/pair.h"

using namespace fix_pairs;

constexpr unsigned kCount = 20 << 20;
constexpr unsigned kBlock = 256;
constexpr int kBins = 4099;

__device__ void Gather(const int* index, const int* values, int* out) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  out[i] = 2 * values[index[i]];
}

__global__ void random_gather_bad(const int* index, const int* values, int* out) {
  Gather(index, values, out);
}

__global__ void random_gather_good(const int* index, const int* values, int* out) {
  Gather(index, values, out);
}

template <typename Kernel>
Side Make(Kernel kernel, bool sorted) {
  std::vector<int> indices(kCount);
  std::iota(indices.begin(), indices.end(), 0);
  if (!sorted) std::shuffle(indices.begin(), indices.end(), std::mt19937(20240229));
  const auto index = std::make_shared<DeviceArray<int>>(indices);
  const auto values = MakeArray<int>(kCount);
  values->FillWithPattern();
  const auto out = MakeArray<int>(kCount);
  // Where a value ends up differs, how often each does not.
  const auto result = [=] {
    std::vector<double> bins(kBins);
    for (const int one : out->Slice(0, out->size())) ++bins[one % kBins];
    return bins;
  };
  return {[=] { kernel<<<kCount / kBlock, kBlock>>>(index->data(), values->data(), out->data()); },
          result};
}

int main(int argc, char** argv) {
  return Main(argc, argv,
              {"random_gather", [] { return Make(random_gather_bad, false); },
               [] { return Make(random_gather_good, true); }});
}
