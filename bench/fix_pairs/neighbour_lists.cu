// SPDX-License-Identifier: Apache-2.0
//
// Sums over the neighbours of atoms, whose lists lie one after the other, or interleaved.
#include <random>

#include "bench/fix_pairs/pair.h"

using namespace fix_pairs;

constexpr unsigned kAtoms = 1 << 17;
constexpr unsigned kMost = 96;  // neighbours of an atom
constexpr unsigned kBlock = 128;

__global__ void neighbour_lists_bad(const int* counts, const int* lists, const float* charge,
                                    float* out) {
  const unsigned t = blockIdx.x * blockDim.x + threadIdx.x;
  const int count = counts[t];
  float sum = 0;
  for (int k = 0; k < count; ++k) sum += charge[lists[t * kMost + k]];
  out[t] = sum;
}

__global__ void neighbour_lists_good(const int* counts, const int* lists, const float* charge,
                                     float* out) {
  const unsigned t = blockIdx.x * blockDim.x + threadIdx.x;
  const int count = counts[t];
  float sum = 0;
  for (int k = 0; k < count; ++k) sum += charge[lists[k * kAtoms + t]];
  out[t] = sum;
}

template <typename Kernel>
Side Make(Kernel kernel, bool interleaved) {
  std::mt19937 random(20240229);
  std::vector<int> numbers(kAtoms);
  std::vector<int> neighbours(std::size_t{kAtoms} * kMost);
  for (unsigned t = 0; t < kAtoms; ++t) {
    numbers[t] = static_cast<int>(40 + random() % 50);
    for (int k = 0; k < numbers[t]; ++k) {
      const auto one = static_cast<int>((t + random() % 512) % kAtoms);
      neighbours[interleaved ? k * kAtoms + t : t * kMost + k] = one;
    }
  }
  const auto counts = std::make_shared<DeviceArray<int>>(numbers);
  const auto lists = std::make_shared<DeviceArray<int>>(neighbours);
  const auto charge = MakeArray<float>(kAtoms);
  charge->FillWithSmallPattern();
  const auto out = MakeArray<float>(kAtoms);
  return {[=] {
            kernel<<<kAtoms / kBlock, kBlock>>>(counts->data(), lists->data(), charge->data(),
                                                out->data());
          },
          [=] { return Values(*out); }};
}

int main(int argc, char** argv) {
  return Main(argc, argv,
              {"neighbour_lists", [] { return Make(neighbour_lists_bad, false); },
               [] { return Make(neighbour_lists_good, true); }});
}
