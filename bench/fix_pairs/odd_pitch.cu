// SPDX-License-Identifier: Apache-2.0
//
// An image of 1001 floats a row, unpadded, or padded to 1024.
#include "bench/fix_pairs/pair.h"

using namespace fix_pairs;

constexpr int kWidth = 1001;
constexpr int kHeight = 4096;
constexpr int kPadded = 1024;

__device__ void Gain(const float* in, float* out, int w, int h, int pitch, float factor) {
  const int x = blockIdx.x * blockDim.x + threadIdx.x;
  const int y = blockIdx.y;
  if (x < w && y < h) out[y * pitch + x] = in[y * pitch + x] * factor;
}

__global__ void odd_pitch_bad(const float* in, float* out, int w, int h, int pitch, float factor) {
  Gain(in, out, w, h, pitch, factor);
}

__global__ void odd_pitch_good(const float* in, float* out, int w, int h, int pitch, float factor) {
  Gain(in, out, w, h, pitch, factor);
}

template <typename Kernel>
Side Make(Kernel kernel, int pitch) {
  std::vector<float> image(static_cast<std::size_t>(pitch) * kHeight);
  for (int y = 0; y < kHeight; ++y) {
    for (int x = 0; x < kWidth; ++x) image[y * pitch + x] = static_cast<float>(y * kWidth + x);
  }
  const auto in = std::make_shared<DeviceArray<float>>(image);
  const auto out = MakeArray<float>(image.size());
  const dim3 grid(4, kHeight);
  return {[=] { kernel<<<grid, 256>>>(in->data(), out->data(), kWidth, kHeight, pitch, 2.0F); },
          [=] {
            const std::vector<float> all = out->Slice(0, out->size());
            std::vector<double> values;
            for (int y = 0; y < kHeight; ++y) {
              for (int x = 0; x < kWidth; ++x) values.push_back(all[y * pitch + x]);
            }
            return values;
          }};
}

int main(int argc, char** argv) {
  return Main(argc, argv,
              {"odd_pitch", [] { return Make(odd_pitch_bad, kWidth); },
               [] { return Make(odd_pitch_good, kPadded); }});
}
