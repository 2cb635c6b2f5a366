// SPDX-License-Identifier: Apache-2.0
//
// Clockwise 90-degree rotation of a batch of 16-bit depth frames (six of 1920 x 1088)
// with rescaling and range clipping, plus a validity mask in the sensor's orientation.
#include "harness.h"

struct DepthRange {
  uint16_t lo, hi;
  float scale;
};

struct FrameSize {
  int width, height;
  __host__ __device__ size_t area() const { return (size_t)width * height; }
};

__device__ __forceinline__ bool in_range(uint16_t raw, const DepthRange& r) {
  return raw >= r.lo && raw <= r.hi;
}

__device__ __forceinline__ uint16_t rescale(uint16_t raw, const DepthRange& r) {
  return in_range(raw, r) ? (uint16_t)(raw * r.scale + 0.5f) : (uint16_t)0;
}

__global__ void rot90_depth16_naive(const uint16_t* __restrict__ frames,
                                    uint16_t* __restrict__ rotated, uint8_t* __restrict__ valid,
                                    FrameSize sz, DepthRange range) {
  const int x = blockIdx.x * blockDim.x + threadIdx.x;
  const int y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x >= sz.width || y >= sz.height) return;
  const size_t frame = blockIdx.z * sz.area();
  const size_t src = frame + (size_t)y * sz.width + x;
  const uint16_t raw = frames[src];
  valid[src] = in_range(raw, range) ? 255 : 0;
  const int col = sz.height - 1 - y;
  rotated[frame + (size_t)x * sz.height + col] = rescale(raw, range);
}

constexpr int EDGE = 32;
constexpr int ROWS = 8;

__global__ void rot90_depth16_repaired(const uint16_t* __restrict__ frames,
                                       uint16_t* __restrict__ rotated, uint8_t* __restrict__ valid,
                                       FrameSize sz, DepthRange range) {
  __shared__ uint16_t tile[EDGE][EDGE + 2];
  const size_t frame = blockIdx.z * sz.area();
  const int x0 = blockIdx.x * EDGE, y0 = blockIdx.y * EDGE;
  for (int r = threadIdx.y; r < EDGE; r += ROWS) {
    const int x = x0 + threadIdx.x, y = y0 + r;
    if (x < sz.width && y < sz.height) {
      const size_t src = frame + (size_t)y * sz.width + x;
      const uint16_t raw = frames[src];
      valid[src] = in_range(raw, range) ? 255 : 0;
      tile[r][threadIdx.x] = rescale(raw, range);
    }
  }
  __syncthreads();
  for (int r = threadIdx.y; r < EDGE; r += ROWS) {
    const int x = x0 + r, y = y0 + threadIdx.x;
    if (x < sz.width && y < sz.height) {
      const int col = sz.height - 1 - y;
      rotated[frame + (size_t)x * sz.height + col] = tile[threadIdx.x][r];
    }
  }
}

int main(int argc, char** argv) {
  const FrameSize sz{1920, 1088};
  const int batch = 6;
  const size_t total = sz.area() * batch;
  const DepthRange range{300, 9000, 1.25f};
  Random rnd{77};
  const auto in = Upload(Generate(total, [&](int) { return (uint16_t)((rnd() >> 16) % 10000); }));
  const auto a = Allocate<uint16_t>(total), b = Allocate<uint16_t>(total);
  const auto va = Allocate<uint8_t>(total), vb = Allocate<uint8_t>(total);

  const dim3 block(32, 8);
  const dim3 grid_a((sz.width + 31) / 32, (sz.height + 7) / 8, batch);
  const dim3 grid_b((sz.width + EDGE - 1) / EDGE, (sz.height + EDGE - 1) / EDGE, batch);
  const auto naive = [&] { rot90_depth16_naive<<<grid_a, block>>>(in, a, va, sz, range); };
  const auto repaired = [&] { rot90_depth16_repaired<<<grid_b, block>>>(in, b, vb, sz, range); };
  return Run(argc, argv, naive, repaired, [&] { return Near(a, b) && Near(va, vb); });
}
