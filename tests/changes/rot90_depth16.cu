// SPDX-License-Identifier: Apache-2.0
//
// Clockwise 90-degree rotation of a batch of 16-bit depth frames (six of 1920 x 1088)
// with rescaling and range clipping, plus a validity mask in the sensor's orientation.
// Usage: rot90_depth16 naive|repaired|both
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

int main(int argc, char** argv) {
  const std::string mode = argc > 1 ? argv[1] : "both";
  const FrameSize sz{1920, 1088};
  const int batch = 6;
  const size_t total = sz.area() * batch;
  const DepthRange range{300, 9000, 1.25f};

  std::vector<uint16_t> frames(total);
  uint32_t s = 77u;
  for (auto& p : frames) {
    s = s * 1664525u + 1013904223u;
    p = (uint16_t)((s >> 16) % 10000);
  }
  uint16_t *d_in = nullptr, *d_out = nullptr;
  uint8_t* d_valid = nullptr;
  CK(cudaMalloc(&d_in, total * sizeof(uint16_t)));
  CK(cudaMalloc(&d_out, total * sizeof(uint16_t)));
  CK(cudaMalloc(&d_valid, total));
  CK(cudaMemcpy(d_in, frames.data(), total * sizeof(uint16_t), cudaMemcpyHostToDevice));

  std::vector<uint16_t> o0(total), o1(total);
  std::vector<uint8_t> v0(total), v1(total);
  const dim3 block(32, 8);
  if (mode != "repaired") {
    CK(cudaMemset(d_out, 0xff, total * sizeof(uint16_t)));
    const dim3 grid((sz.width + 31) / 32, (sz.height + 7) / 8, batch);
    const float ms =
        time_ms([&] { rot90_depth16_naive<<<grid, block>>>(d_in, d_out, d_valid, sz, range); });
    printf("naive    %.4f ms\n", ms);
    CK(cudaMemcpy(o0.data(), d_out, total * sizeof(uint16_t), cudaMemcpyDeviceToHost));
    CK(cudaMemcpy(v0.data(), d_valid, total, cudaMemcpyDeviceToHost));
  }
  if (mode != "naive") {
    CK(cudaMemset(d_out, 0xff, total * sizeof(uint16_t)));
    const dim3 grid((sz.width + EDGE - 1) / EDGE, (sz.height + EDGE - 1) / EDGE, batch);
    const float ms =
        time_ms([&] { rot90_depth16_repaired<<<grid, block>>>(d_in, d_out, d_valid, sz, range); });
    printf("repaired %.4f ms\n", ms);
    CK(cudaMemcpy(o1.data(), d_out, total * sizeof(uint16_t), cudaMemcpyDeviceToHost));
    CK(cudaMemcpy(v1.data(), d_valid, total, cudaMemcpyDeviceToHost));
  }
  if (mode == "both") {
    for (size_t i = 0; i < total; ++i)
      if (o0[i] != o1[i] || v0[i] != v1[i]) {
        fprintf(stderr, "mismatch at %zu\n", i);
        return 1;
      }
    printf("match\n");
  }
  CK(cudaFree(d_in));
  CK(cudaFree(d_out));
  CK(cudaFree(d_valid));
  return 0;
}
