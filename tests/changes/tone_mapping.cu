// SPDX-License-Identifier: Apache-2.0
//
// Graphics: Reinhard tone mapping of a float RGBA frame by the luminance of each pixel.
#include "harness.h"

struct Reinhard {
  float exposure, white2;
  __device__ __forceinline__ float Scale(float r, float g, float b) const {
    const float l = exposure * (0.2126f * r + 0.7152f * g + 0.0722f * b);
    return exposure * (1.f + l / white2) / (1.f + l);
  }
};

template <class Curve>
__global__ void tone_mapping_naive(const float* __restrict__ hdr, float* __restrict__ ldr,
                                   int width, int height, Curve curve) {
  const int x = blockIdx.x * blockDim.x + threadIdx.x;
  const int y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x >= width || y >= height) return;
  const int p = 4 * (y * width + x);
  const float r = hdr[p], g = hdr[p + 1], b = hdr[p + 2];
  const float s = curve.Scale(r, g, b);
  ldr[p + 0] = __saturatef(r * s);
  ldr[p + 1] = __saturatef(g * s);
  ldr[p + 2] = __saturatef(b * s);
  ldr[p + 3] = hdr[p + 3];
}

template <class Curve>
__global__ void tone_mapping_repaired(const float4* __restrict__ hdr, float4* __restrict__ ldr,
                                      int width, int height, Curve curve) {
  const int x = blockIdx.x * blockDim.x + threadIdx.x;
  const int y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x >= width || y >= height) return;
  const int p = y * width + x;
  const float4 c = hdr[p];
  const float s = curve.Scale(c.x, c.y, c.z);
  ldr[p] = make_float4(__saturatef(c.x * s), __saturatef(c.y * s), __saturatef(c.z * s), c.w);
}

int main(int argc, char** argv) {
  const int width = 2560, height = 1440;
  const size_t n = (size_t)width * height * 4;
  Random rnd{21};
  const auto hdr = Upload(Generate(n, [&](int i) { return i % 4 == 3 ? 1.f : 6.f * Unit(rnd()); }));
  const auto a = Allocate<float>(n), b = Allocate<float>(n);

  const dim3 block(32, 8), blocks((width + 31) / 32, (height + 7) / 8);
  const Reinhard curve{0.7f, 9.f};
  const auto naive = [&] {
    tone_mapping_naive<<<blocks, block>>>(hdr.data, a.data, width, height, curve);
  };
  const auto repaired = [&] {
    tone_mapping_repaired<<<blocks, block>>>((const float4*)hdr.data, (float4*)b.data, width,
                                             height, curve);
  };
  return Run(argc, argv, naive, repaired, [&] { return Near(a, b, 1e-5); });
}
