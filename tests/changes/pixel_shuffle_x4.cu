// SPDX-License-Identifier: Apache-2.0
//
// Final layer of a super-resolution network: rearranges [N, 3*16, h, w] into
// [N, 3, 4h, 4w] (depth to space, factor 4), adds the nearest-neighbour enlarged
// low-resolution image and the channel mean, and clamps to [0, 1].
#include "harness.h"

struct LowRes {
  int batch, colors, h, w;
};

template <int R>
__global__ void pixel_shuffle_x4_naive(const float* __restrict__ feat,
                                       const float* __restrict__ low,
                                       const float* __restrict__ mean, float* __restrict__ high,
                                       LowRes d) {
  const int x = blockIdx.x * blockDim.x + threadIdx.x;
  const int y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x >= d.w || y >= d.h) return;
  const int plane = blockIdx.z;  // (n * colors + c) * R*R + sub
  const int sub = plane % (R * R), nc = plane / (R * R);
  const int sy = sub / R, sx = sub % R;

  const float v = feat[((size_t)plane * d.h + y) * d.w + x];
  const float skip = low[((size_t)nc * d.h + y) * d.w + x];
  const float o = v + skip + mean[nc % d.colors];

  const size_t oy = (size_t)nc * d.h * R + (size_t)y * R + sy;
  high[oy * (d.w * R) + x * R + sx] = __saturatef(o);
}

template <int R>
__global__ void pixel_shuffle_x4_repaired(const float* __restrict__ feat,
                                          const float* __restrict__ low,
                                          const float* __restrict__ mean, float* __restrict__ high,
                                          LowRes d) {
  const int X = blockIdx.x * blockDim.x + threadIdx.x;
  const int Y = blockIdx.y * blockDim.y + threadIdx.y;
  if (X >= d.w * R || Y >= d.h * R) return;
  const int nc = blockIdx.z;
  const int x = X / R, sx = X % R, y = Y / R, sy = Y % R;
  const int plane = nc * (R * R) + sy * R + sx;

  const float v = feat[((size_t)plane * d.h + y) * d.w + x];
  const float skip = low[((size_t)nc * d.h + y) * d.w + x];
  const float o = v + skip + mean[nc % d.colors];

  high[((size_t)nc * d.h * R + Y) * (d.w * R) + X] = __saturatef(o);
}

int main(int argc, char** argv) {
  constexpr int R = 4;
  const LowRes d{2, 3, 180, 320};
  const size_t low_total = (size_t)d.batch * d.colors * d.h * d.w, total = low_total * R * R;
  Random rnd{8080};
  const auto feat = Upload(Generate(total, [&](int) { return 0.3f * (Unit(rnd()) - 0.5f); }));
  const auto low = Upload(Generate(low_total, [&](int) { return Unit(rnd()); }));
  const auto mean = Upload(std::vector<float>{0.02f, -0.01f, 0.03f});
  const auto a = Allocate<float>(total), b = Allocate<float>(total);

  const dim3 block(64, 4);
  const dim3 grid_a((d.w + 63) / 64, (d.h + 3) / 4, d.batch * d.colors * R * R);
  const dim3 grid_b((d.w * R + 63) / 64, (d.h * R + 3) / 4, d.batch * d.colors);
  const auto naive = [&] { pixel_shuffle_x4_naive<R><<<grid_a, block>>>(feat, low, mean, a, d); };
  const auto repaired = [&] {
    pixel_shuffle_x4_repaired<R><<<grid_b, block>>>(feat, low, mean, b, d);
  };
  return Run(argc, argv, naive, repaired, [&] { return Near(a, b, 1e-6); });
}
