// SPDX-License-Identifier: Apache-2.0
//
// Medical imaging: raw 16-bit CT voxels to Hounsfield units (rescale of each slice) and through a
// window to the 8 bits that the viewer shows.
#include "harness.h"

struct Ct {
  int3 dim;
  size_t row, slice;  // strides, in voxels
};

struct Window {
  float low, inverse_width;
  __device__ uint8_t operator()(float hu) const {
    const float t = __saturatef((hu - low) * inverse_width);
    return (uint8_t)(255.f * t + 0.5f);
  }
};

__global__ void ct_window_naive(const uint16_t* __restrict__ raw, uint8_t* __restrict__ shown,
                                const float2* __restrict__ rescale, Ct ct, Window window) {
  const int x = blockIdx.x * blockDim.x + threadIdx.x;
  const int y = blockIdx.y * blockDim.y + threadIdx.y;
  const int z = blockIdx.z * blockDim.z + threadIdx.z;
  if (x >= ct.dim.x || y >= ct.dim.y || z >= ct.dim.z) return;
  const size_t voxel = z * ct.slice + y * ct.row + x;
  const float2 r = rescale[z];  // slope, intercept
  const float hu = r.x * raw[voxel] + r.y;
  shown[voxel] = window(hu);
}

// The same, for blocks that are a warp wide.
__global__ void ct_window_repaired(const uint16_t* __restrict__ raw, uint8_t* __restrict__ shown,
                                   const float2* __restrict__ rescale, Ct ct, Window window) {
  const int x = blockIdx.x * blockDim.x + threadIdx.x;
  const int y = blockIdx.y * blockDim.y + threadIdx.y;
  const int z = blockIdx.z * blockDim.z + threadIdx.z;
  if (x >= ct.dim.x || y >= ct.dim.y || z >= ct.dim.z) return;
  const size_t voxel = z * ct.slice + y * ct.row + x;
  const float2 r = rescale[z];  // slope, intercept
  const float hu = r.x * raw[voxel] + r.y;
  shown[voxel] = window(hu);
}

int main(int argc, char** argv) {
  const int nx = 512, ny = 512, nz = 120;
  const size_t n = (size_t)nx * ny * nz;
  const Ct ct{make_int3(nx, ny, nz), (size_t)nx, (size_t)nx * ny};
  Random rnd{5};
  const auto raw = Upload(Generate(n, [&](int) { return (uint16_t)(rnd() >> 20); }));
  const auto rescale =
      Upload(Generate(nz, [](int z) { return make_float2(1.f + 0.001f * z, -1024.f - 0.5f * z); }));
  const Window window{-160.f, 1.f / 400.f};
  const auto a = Allocate<uint8_t>(n), b = Allocate<uint8_t>(n);

  const auto blocks = [&](dim3 block) {
    return dim3((nx + block.x - 1) / block.x, (ny + block.y - 1) / block.y,
                (nz + block.z - 1) / block.z);
  };
  const dim3 cube(8, 8, 8), slab(64, 4, 2);
  const auto naive = [&] { ct_window_naive<<<blocks(cube), cube>>>(raw, a, rescale, ct, window); };
  const auto repaired = [&] {
    ct_window_repaired<<<blocks(slab), slab>>>(raw, b, rescale, ct, window);
  };
  return Run(argc, argv, naive, repaired, [&] { return Near(a, b, 1); });
}
