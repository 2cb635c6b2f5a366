// SPDX-License-Identifier: Apache-2.0
//
// Fifteen different kernels in turn, round after round: copies whose loads lie 1, 2, … 15 floats
// apart, some 0.1 ms each on an H200.
#include <memory>
#include <string>
#include <utility>

#include "bench/programs/program.h"
#include "samples/common/device_array.h"

namespace bench {
namespace {

constexpr unsigned kFloats = 23U << 19;  // twenty rounds take 30 ms on an H200
constexpr unsigned kBlock = 256;
constexpr int kKernels = 15;

template <int kStride>
__global__ void copy_apart(const float* in, float* out) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  out[i] = in[std::size_t(i) * kStride];
}

class Copies {
 public:
  Copies() : in_(std::size_t(kFloats) * kKernels) {
    in_.FillWithPattern();
    for (auto& out : outs_) out = std::make_unique<samples::DeviceArray<float>>(kFloats);
  }

  void LaunchAll() { LaunchAll(std::make_integer_sequence<int, kKernels>()); }

  void VerifyAll() const {
    for (int stride = 1; stride <= kKernels; ++stride) {
      const std::string name = "copy_apart<" + std::to_string(stride) + ">";
      samples::Verify(name.c_str(), *outs_[stride - 1], [=](std::size_t i) {
        return samples::PatternAt<float>(i * static_cast<std::size_t>(stride));
      });
    }
  }

 private:
  template <int... kIndex>
  void LaunchAll(std::integer_sequence<int, kIndex...>) {
    (Launch<kIndex>(), ...);
  }

  template <int kIndex>
  void Launch() {
    copy_apart<kIndex + 1><<<kFloats / kBlock, kBlock>>>(in_.data(), outs_[kIndex]->data());
    samples::CheckLaunch();
  }

  samples::DeviceArray<float> in_;
  std::unique_ptr<samples::DeviceArray<float>> outs_[kKernels];
};

}  // namespace

void RunManyKernels(std::int64_t rounds) {
  Copies copies;
  const Times times = Timed([&] {
    for (std::int64_t round = 0; round < rounds; ++round) copies.LaunchAll();
  });
  copies.VerifyAll();
  PrintMeasured(rounds * kKernels, times);
}

}  // namespace bench
