// SPDX-License-Identifier: Apache-2.0
//
// Composites an 8-bit foreground over a background with an 8-bit matte (alpha) for one
// plane of a 4021 x 2500 scan, rounding to nearest.
// Usage: matte_composite_u8 naive|repaired|both
#include <cuda_runtime.h>

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <vector>

#define CK(call)                                                            \
  do {                                                                      \
    cudaError_t err_ = (call);                                              \
    if (err_ != cudaSuccess) {                                              \
      fprintf(stderr, "line %d: %s\n", __LINE__, cudaGetErrorString(err_)); \
      exit(2);                                                              \
    }                                                                       \
  } while (0)

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

template <class F>
static float time_ms(F launch) {
  launch();
  CK(cudaGetLastError());
  CK(cudaDeviceSynchronize());
  cudaEvent_t a, b;
  CK(cudaEventCreate(&a));
  CK(cudaEventCreate(&b));
  CK(cudaEventRecord(a));
  for (int r = 0; r < 5; ++r) launch();
  CK(cudaEventRecord(b));
  CK(cudaEventSynchronize(b));
  CK(cudaGetLastError());
  float ms = 0.f;
  CK(cudaEventElapsedTime(&ms, a, b));
  return ms / 5.f;
}

struct DeviceImage {
  uint8_t* alloc = nullptr;
  uint8_t* origin = nullptr;
  int pitch = 0;
};

// lead: bytes in front of the first pixel (the scan's file header, kept in the buffer)
static DeviceImage make_image(Extent e, int lead, int pitch, const std::vector<uint8_t>* pixels) {
  DeviceImage im;
  CK(cudaMalloc(&im.alloc, (size_t)lead + (size_t)pitch * e.h));
  im.origin = im.alloc + lead;
  im.pitch = pitch;
  if (pixels)
    CK(cudaMemcpy2D(im.origin, pitch, pixels->data(), e.w, e.w, e.h, cudaMemcpyHostToDevice));
  return im;
}

static std::vector<uint8_t> fetch(const DeviceImage& im, Extent e) {
  std::vector<uint8_t> out((size_t)e.w * e.h);
  CK(cudaMemcpy2D(out.data(), e.w, im.origin, im.pitch, e.w, e.h, cudaMemcpyDeviceToHost));
  return out;
}

int main(int argc, char** argv) {
  const std::string mode = argc > 1 ? argv[1] : "both";
  const Extent ext{4021, 2500};
  const size_t px = (size_t)ext.w * ext.h;
  std::vector<uint8_t> f(px), b(px), m(px);
  uint32_t s = 31337u;
  for (size_t i = 0; i < px; ++i) {
    s = s * 1664525u + 1013904223u;
    f[i] = (uint8_t)(s >> 24);
    b[i] = (uint8_t)(s >> 16);
    m[i] = (uint8_t)(s >> 8);
  }
  const dim3 block(64, 4), grid((ext.w + 63) / 64, 125);

  auto go = [&](bool naive) {
    const int lead = naive ? 21 : 0;
    const int pitch = naive ? ext.w : (ext.w + 127) / 128 * 128;
    DeviceImage df = make_image(ext, lead, pitch, &f);
    DeviceImage db = make_image(ext, lead, pitch, &b);
    DeviceImage dm = make_image(ext, lead, pitch, &m);
    DeviceImage dd = make_image(ext, lead, pitch, nullptr);
    const Plane<const uint8_t> pf{df.origin, pitch}, pb{db.origin, pitch}, pm{dm.origin, pitch};
    const Plane<uint8_t> pd{dd.origin, pitch};
    float ms;
    if (naive)
      ms = time_ms([&] { matte_composite_u8_naive<<<grid, block>>>(pf, pb, pm, pd, ext); });
    else
      ms = time_ms([&] { matte_composite_u8_repaired<<<grid, block>>>(pf, pb, pm, pd, ext); });
    printf("%s %.4f ms\n", naive ? "naive   " : "repaired", ms);
    std::vector<uint8_t> out = fetch(dd, ext);
    CK(cudaFree(df.alloc));
    CK(cudaFree(db.alloc));
    CK(cudaFree(dm.alloc));
    CK(cudaFree(dd.alloc));
    return out;
  };
  std::vector<uint8_t> o0, o1;
  if (mode != "repaired") o0 = go(true);
  if (mode != "naive") o1 = go(false);
  if (mode == "both") {
    for (size_t i = 0; i < px; ++i)
      if (o0[i] != o1[i]) {
        fprintf(stderr, "mismatch at %zu: %d %d\n", i, o0[i], o1[i]);
        return 1;
      }
    printf("match\n");
  }
  return 0;
}
