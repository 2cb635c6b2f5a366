// SPDX-License-Identifier: Apache-2.0
//
// A histogram of 16 bins for each thread: its bins side by side, or bin by bin for all threads.
#include "bench/fix_pairs/pair.h"

using namespace fix_pairs;

constexpr unsigned kThreads = 1 << 17;
constexpr unsigned kEach = 64;
constexpr unsigned kBins = 16;
constexpr unsigned kBlock = 256;

__global__ void own_histograms_bad(const std::uint8_t* in, unsigned* bins) {
  const unsigned t = blockIdx.x * blockDim.x + threadIdx.x;
  for (unsigned k = 0; k < kEach; ++k) bins[t * kBins + in[k * kThreads + t] % kBins] += 1;
}

__global__ void own_histograms_good(const std::uint8_t* in, unsigned* bins) {
  const unsigned t = blockIdx.x * blockDim.x + threadIdx.x;
  for (unsigned k = 0; k < kEach; ++k) bins[in[k * kThreads + t] % kBins * kThreads + t] += 1;
}

template <typename Kernel>
Side Make(Kernel kernel, bool is_by_bin) {
  std::vector<std::uint8_t> some(997);
  for (std::size_t i = 0; i < some.size(); ++i) some[i] = static_cast<std::uint8_t>(i * i / 7);
  const auto in = MakeArray<std::uint8_t>(std::size_t{kThreads} * kEach);
  in->FillRepeating(some);
  const auto bins =
      std::make_shared<DeviceArray<unsigned>>(std::vector<unsigned>(std::size_t{kThreads} * kBins));
  const auto result = [=] {
    const std::vector<unsigned> all = bins->Slice(0, bins->size());
    std::vector<double> values;
    for (std::size_t i = 0; i < all.size(); ++i) {
      values.push_back(all[is_by_bin ? i % kBins * kThreads + i / kBins : i]);
    }
    return values;
  };
  return {[=] { kernel<<<kThreads / kBlock, kBlock>>>(in->data(), bins->data()); }, result};
}

int main(int argc, char** argv) {
  return Main(argc, argv,
              {"own_histograms", [] { return Make(own_histograms_bad, false); },
               [] { return Make(own_histograms_good, true); }});
}
