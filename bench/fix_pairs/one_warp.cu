// SPDX-License-Identifier: Apache-2.0
//
// Samples that all warps scale side by side, while one warp in 32 also reads a field of its
// detectors, structures of 64 bytes. The repair keeps that field in an array of its own.
#include "bench/fix_pairs/pair.h"

using namespace fix_pairs;

constexpr unsigned kBlock = 1024;
constexpr unsigned kBlocks = 63 << 10;
constexpr unsigned kSamples = kBlocks * kBlock;
constexpr unsigned kDetectors = kBlocks * 32;

struct Detector {
  float gain;
  float rest[15];
};

__global__ void one_warp_bad(const float* in, float* out, const Detector* detectors, float* gains) {
  const unsigned i = blockIdx.x * kBlock + threadIdx.x;
  out[i] = 2 * in[i];
  const unsigned detector = blockIdx.x * 32 + threadIdx.x;
  if (threadIdx.x < 32) gains[detector] = detectors[detector].gain + 1;
}

__global__ void one_warp_good(const float* in, float* out, const float* detectors, float* gains) {
  const unsigned i = blockIdx.x * kBlock + threadIdx.x;
  out[i] = 2 * in[i];
  const unsigned detector = blockIdx.x * 32 + threadIdx.x;
  if (threadIdx.x < 32) gains[detector] = detectors[detector] + 1;
}

template <typename Element, typename Kernel>
Side Make(Kernel kernel, const Shared<Element>& detectors) {
  const auto in = MakeArray<float>(kSamples);
  in->FillWithPattern();
  const auto out = MakeArray<float>(kSamples);
  const auto gains = MakeArray<float>(kDetectors);
  const auto result = [=] {
    std::vector<double> values = Values(*out);
    const std::vector<float> all = gains->Slice(0, gains->size());
    values.insert(values.end(), all.begin(), all.end());
    return values;
  };
  return {[=] {
            kernel<<<kBlocks, kBlock>>>(in->data(), out->data(), detectors->data(), gains->data());
          },
          result};
}

Side Bad() {
  std::vector<Detector> some(samples::kSmallPatternLength);
  for (std::size_t i = 0; i < some.size(); ++i) some[i].gain = samples::SmallPatternAt<float>(i);
  const auto detectors = MakeArray<Detector>(kDetectors);
  detectors->FillRepeating(some);
  return Make(one_warp_bad, detectors);
}

Side Good() {
  const auto detectors = MakeArray<float>(kDetectors);
  detectors->FillWithSmallPattern();
  return Make(one_warp_good, detectors);
}

int main(int argc, char** argv) { return Main(argc, argv, {"one_warp", Bad, Good}); }
