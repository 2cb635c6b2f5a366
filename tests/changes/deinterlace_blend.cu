// SPDX-License-Identifier: Apache-2.0
//
// Motion-adaptive deinterlacing of 8-bit luma: lines of the second field are kept
// where the pixel did not change since the previous frame, and are replaced by
// the rounded mean of the lines above and below where it did.
#include <cuda_runtime.h>

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <vector>

#define CUDA_OK(x) cuda_ok((x), __LINE__)
static void cuda_ok(cudaError_t e, int line) {
  if (e != cudaSuccess) {
    fprintf(stderr, "line %d: %s\n", line, cudaGetErrorString(e));
    exit(2);
  }
}

struct Plane {
  int width, height;
  size_t pitch;  // bytes from a line to the next
  __host__ __device__ size_t frame_bytes() const { return pitch * height; }
};

__device__ __forceinline__ int clamp_line(int y, int height) {
  return y < 0 ? 1 : (y >= height ? height - 2 : y);
}

__global__ void deinterlace_blend_naive(const uint8_t* __restrict__ video,
                                        uint8_t* __restrict__ progressive, Plane pl,
                                        int threshold) {
  const int x = blockIdx.x * blockDim.x + threadIdx.x;
  const int y = blockIdx.y * blockDim.y + threadIdx.y;
  const int f = blockIdx.z + 1;  // frame 0 only serves as history
  if (x >= pl.width || y >= pl.height) return;

  const uint8_t* frame = video + f * pl.frame_bytes();
  const uint8_t* before = frame - pl.frame_bytes();
  const size_t at = y * pl.pitch + x;
  const int here = frame[at];
  int value = here;
  if (y & 1) {
    const int above = frame[clamp_line(y - 1, pl.height) * pl.pitch + x];
    const int below = frame[clamp_line(y + 1, pl.height) * pl.pitch + x];
    const int moved = abs(here - (int)before[at]);
    if (moved > threshold) value = (above + below + 1) >> 1;
  }
  progressive[(size_t)blockIdx.z * pl.frame_bytes() + at] = (uint8_t)value;
}

__global__ void deinterlace_blend_repaired(const uint8_t* __restrict__ video,
                                           uint8_t* __restrict__ progressive, Plane pl,
                                           int threshold) {
  const int x = blockIdx.x * blockDim.x + threadIdx.x;
  const int y = blockIdx.y * blockDim.y + threadIdx.y;
  const int f = blockIdx.z + 1;  // frame 0 only serves as history
  if (x >= pl.width || y >= pl.height) return;

  const uint8_t* frame = video + f * pl.frame_bytes();
  const uint8_t* before = frame - pl.frame_bytes();
  const size_t at = y * pl.pitch + x;
  const int here = frame[at];
  int value = here;
  if (y & 1) {
    const int above = frame[clamp_line(y - 1, pl.height) * pl.pitch + x];
    const int below = frame[clamp_line(y + 1, pl.height) * pl.pitch + x];
    const int moved = abs(here - (int)before[at]);
    if (moved > threshold) value = (above + below + 1) >> 1;
  }
  progressive[(size_t)blockIdx.z * pl.frame_bytes() + at] = (uint8_t)value;
}

template <class Launch>
static void bench(const char* tag, Launch go) {
  cudaEvent_t a, b;
  CUDA_OK(cudaEventCreate(&a));
  CUDA_OK(cudaEventCreate(&b));
  go();
  CUDA_OK(cudaGetLastError());
  CUDA_OK(cudaDeviceSynchronize());
  CUDA_OK(cudaEventRecord(a));
  for (int r = 0; r < 5; ++r) go();
  CUDA_OK(cudaEventRecord(b));
  CUDA_OK(cudaGetLastError());
  CUDA_OK(cudaEventSynchronize(b));
  float ms;
  CUDA_OK(cudaEventElapsedTime(&ms, a, b));
  printf("%-8s %.4f ms\n", tag, ms / 5);
}

int main(int argc, char** argv) {
  const char* mode = argc > 1 ? argv[1] : "both";
  const bool naive = !strcmp(mode, "naive") || !strcmp(mode, "both");
  const bool repaired = !strcmp(mode, "repaired") || !strcmp(mode, "both");
  if (!naive && !repaired) return 1;

  const int frames = 21, width = 1438, height = 1080;
  const Plane tight{width, height, (size_t)width};
  const Plane padded{width, height, ((size_t)width + 127) / 128 * 128};
  const int out_frames = frames - 1;

  std::vector<uint8_t> video(tight.frame_bytes() * frames);
  uint32_t s = 600u;
  for (size_t i = 0; i < video.size(); ++i) {
    s = s * 1664525u + 1013904223u;
    video[i] = (uint8_t)(100 + ((s >> 24) & 63));
  }

  const dim3 block(64, 4), grid((width + 63) / 64, (height + 3) / 4, out_frames);
  const int threshold = 12;
  std::vector<uint8_t> ra, rb;
  for (int v = 0; v < 2; ++v) {
    if (v == 0 ? !naive : !repaired) continue;
    const Plane pl = v == 0 ? tight : padded;
    const size_t lines = (size_t)height;
    uint8_t *din, *dout;
    CUDA_OK(cudaMalloc(&din, pl.frame_bytes() * frames));
    CUDA_OK(cudaMalloc(&dout, pl.frame_bytes() * out_frames));
    CUDA_OK(cudaMemcpy2D(din, pl.pitch, video.data(), width, width, lines * frames,
                         cudaMemcpyHostToDevice));
    if (v == 0)
      bench("naive", [&] { deinterlace_blend_naive<<<grid, block>>>(din, dout, pl, threshold); });
    else
      bench("repaired",
            [&] { deinterlace_blend_repaired<<<grid, block>>>(din, dout, pl, threshold); });
    std::vector<uint8_t>& r = v == 0 ? ra : rb;
    r.resize((size_t)width * height * out_frames);
    CUDA_OK(cudaMemcpy2D(r.data(), width, dout, pl.pitch, width, lines * out_frames,
                         cudaMemcpyDeviceToHost));
    CUDA_OK(cudaFree(din));
    CUDA_OK(cudaFree(dout));
  }
  if (naive && repaired) {
    if (memcmp(ra.data(), rb.data(), ra.size()) != 0) {
      fprintf(stderr, "results differ\n");
      return 3;
    }
    puts("results agree");
  }
  return 0;
}
