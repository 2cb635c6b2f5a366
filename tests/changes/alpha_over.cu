// SPDX-License-Identifier: Apache-2.0
//
// Video: an overlay of 8-bit RGBA with premultiplied alpha over the frame, both pitched.
#include "harness.h"

struct Image {
  uint8_t* data;
  int width, height;
  size_t pitch;  // in bytes
};

__host__ __device__ inline uint8_t over(uint8_t top, uint8_t bottom, uint8_t alpha) {
  // (255 - alpha) bottom / 255, rounded
  const unsigned t = (255u - alpha) * bottom + 128u;
  const unsigned sum = top + ((t + (t >> 8)) >> 8);
  return (uint8_t)(sum < 255u ? sum : 255u);
}

__global__ void alpha_over_naive(Image frame, Image overlay, Image out) {
  const int x = blockIdx.x * blockDim.x + threadIdx.x;
  const int y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x >= out.width || y >= out.height) return;
  const uint8_t* bottom = frame.data + y * frame.pitch + 4 * x;
  const uint8_t* top = overlay.data + y * overlay.pitch + 4 * x;
  uint8_t* to = out.data + y * out.pitch + 4 * x;
  const uint8_t alpha = top[3];
  for (int channel = 0; channel < 4; ++channel) {
    const uint8_t t = top[channel];
    const uint8_t b = bottom[channel];
    to[channel] = over(t, b, alpha);
  }
}

__global__ void alpha_over_repaired(Image frame, Image overlay, Image out) {
  const int x = blockIdx.x * blockDim.x + threadIdx.x;
  const int y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x >= out.width || y >= out.height) return;
  const uchar4 b = ((const uchar4*)(frame.data + y * frame.pitch))[x];
  const uchar4 t = ((const uchar4*)(overlay.data + y * overlay.pitch))[x];
  ((uchar4*)(out.data + y * out.pitch))[x] = make_uchar4(over(t.x, b.x, t.w), over(t.y, b.y, t.w),
                                                         over(t.z, b.z, t.w), over(t.w, b.w, t.w));
}

int main(int argc, char** argv) {
  const int width = 3840, height = 2160;
  const size_t pitch = 4 * width, n = pitch * height;
  Random rnd{12};
  const auto frame = Upload(Generate(n, [&](int) { return (uint8_t)(rnd() >> 24); }));
  const auto overlay = Upload(Generate(n, [&](int) { return (uint8_t)(rnd() >> 24); }));
  const auto a = Allocate<uint8_t>(n), b = Allocate<uint8_t>(n);

  const auto image = [&](uint8_t* data) { return Image{data, width, height, pitch}; };
  const dim3 block(32, 8), grid((width + 31) / 32, (height + 7) / 8);
  const auto naive = [&] {
    alpha_over_naive<<<grid, block>>>(image(frame), image(overlay), image(a));
  };
  const auto repaired = [&] {
    alpha_over_repaired<<<grid, block>>>(image(frame), image(overlay), image(b));
  };
  return Run(argc, argv, naive, repaired, [&] { return Near(a, b); });
}
