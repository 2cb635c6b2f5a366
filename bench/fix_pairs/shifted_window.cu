// SPDX-License-Identifier: Apache-2.0
//
// What lies behind a header of three floats, or of a whole line.
#include "bench/fix_pairs/pair.h"

using namespace fix_pairs;

constexpr int kCount = 1 << 22;
constexpr int kBlock = 256;
constexpr int kHeader = 3;
constexpr int kWholeHeader = 32;

__global__ void shifted_window_bad(const float* in, float* out, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i] = in[i + kHeader] * 2 + 1;
}

__global__ void shifted_window_good(const float* in, float* out, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i] = in[i + kWholeHeader] * 2 + 1;
}

template <typename Kernel>
Side Make(Kernel kernel, int header) {
  std::vector<float> all(kCount + header);
  for (int i = 0; i < kCount; ++i) all[i + header] = static_cast<float>(i % 4099);
  const auto in = std::make_shared<DeviceArray<float>>(all);
  const auto out = MakeArray<float>(kCount);
  return {[=] { kernel<<<kCount / kBlock, kBlock>>>(in->data(), out->data(), kCount); },
          [=] { return Values(*out); }};
}

int main(int argc, char** argv) {
  return Main(argc, argv,
              {"shifted_window", [] { return Make(shifted_window_bad, kHeader); },
               [] { return Make(shifted_window_good, kWholeHeader); }});
}
