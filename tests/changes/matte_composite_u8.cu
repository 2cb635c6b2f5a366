// SPDX-License-Identifier: Apache-2.0
//
// Composites an 8-bit foreground over a background with an 8-bit matte (alpha) for one
// plane of a 4021 x 2500 scan, rounding to nearest.
#include "harness.h"

template <typename T>
struct Plane {
  T* origin;
  int pitch;
  __device__ T& at(int x, int y) const { return origin[(size_t)y * pitch + x]; }
};

struct Extent {
  int w, h;
};

__device__ __forceinline__ uint8_t over(unsigned f, unsigned b, unsigned a) {
  const unsigned t = f * a + b * (255u - a) + 128u;
  return (uint8_t)((t + (t >> 8)) >> 8);
}

__global__ void matte_composite_u8_naive(Plane<const uint8_t> fg, Plane<const uint8_t> bg,
                                         Plane<const uint8_t> matte, Plane<uint8_t> dst,
                                         Extent ext) {
  const int x = blockIdx.x * blockDim.x + threadIdx.x;
  if (x >= ext.w) return;
  for (int y = blockIdx.y * blockDim.y + threadIdx.y; y < ext.h; y += gridDim.y * blockDim.y) {
    const unsigned a = matte.at(x, y);
    const unsigned f = fg.at(x, y);
    const unsigned b = bg.at(x, y);
    dst.at(x, y) = over(f, b, a);
  }
}

__global__ void matte_composite_u8_repaired(Plane<const uint8_t> fg, Plane<const uint8_t> bg,
                                            Plane<const uint8_t> matte, Plane<uint8_t> dst,
                                            Extent ext) {
  const int x = blockIdx.x * blockDim.x + threadIdx.x;
  if (x >= ext.w) return;
  for (int y = blockIdx.y * blockDim.y + threadIdx.y; y < ext.h; y += gridDim.y * blockDim.y) {
    const unsigned a = matte.at(x, y);
    const unsigned f = fg.at(x, y);
    const unsigned b = bg.at(x, y);
    dst.at(x, y) = over(f, b, a);
  }
}

int main(int argc, char** argv) {
  const Extent ext{4021, 2500};
  const size_t px = (size_t)ext.w * ext.h;
  const int pitch = (ext.w + 127) / 128 * 128;
  const int lead = 21;  // bytes of the scan's file header in front of the first pixel
  std::vector<uint8_t> f(px), b(px), m(px);
  Random rnd{31337};
  for (size_t i = 0; i < px; ++i) {
    const uint32_t s = rnd();
    f[i] = (uint8_t)(s >> 24);
    b[i] = (uint8_t)(s >> 16);
    m[i] = (uint8_t)(s >> 8);
  }
  auto scan = [&](std::vector<uint8_t> v) {
    v.insert(v.begin(), lead, 0);
    return Plane<const uint8_t>{Upload(v) + lead, ext.w};
  };
  auto padded = [&](const std::vector<uint8_t>& v) {
    return Plane<const uint8_t>{Upload(Repitched(v, ext.w, pitch)), pitch};
  };
  const auto fa = scan(f), ba = scan(b), ma = scan(m);
  const auto fb = padded(f), bb = padded(b), mb = padded(m);
  const Device<uint8_t> da{Allocate<uint8_t>(lead + px) + lead, px};
  const auto db = Allocate<uint8_t>((size_t)pitch * ext.h);
  const Plane<uint8_t> pa{da, ext.w}, pb{db, pitch};

  const dim3 block(64, 4), grid((ext.w + 63) / 64, 125);
  const auto naive = [&] { matte_composite_u8_naive<<<grid, block>>>(fa, ba, ma, pa, ext); };
  const auto repaired = [&] { matte_composite_u8_repaired<<<grid, block>>>(fb, bb, mb, pb, ext); };
  return Run(argc, argv, naive, repaired,
             [&] { return Near(da, Repitched(Host(db), pitch, ext.w)); });
}
