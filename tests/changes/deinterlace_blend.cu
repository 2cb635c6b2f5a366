// SPDX-License-Identifier: Apache-2.0
//
// Motion-adaptive deinterlacing of 8-bit luma: lines of the second field are kept
// where the pixel did not change since the previous frame, and are replaced by
// the rounded mean of the lines above and below where it did.
#include "harness.h"

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

int main(int argc, char** argv) {
  const int frames = 21, width = 1438, height = 1080, out_frames = frames - 1, threshold = 12;
  const Plane tight{width, height, (size_t)width};
  const Plane padded{width, height, ((size_t)width + 127) / 128 * 128};
  Random rnd{600};
  const auto video = Generate(tight.frame_bytes() * frames,
                              [&](int) { return (uint8_t)(100 + ((rnd() >> 24) & 63)); });
  const auto va = Upload(video), vb = Upload(Repitched(video, width, padded.pitch));
  const auto a = Allocate<uint8_t>(tight.frame_bytes() * out_frames);
  const auto b = Allocate<uint8_t>(padded.frame_bytes() * out_frames);

  const dim3 block(64, 4), grid((width + 63) / 64, (height + 3) / 4, out_frames);
  const auto naive = [&] { deinterlace_blend_naive<<<grid, block>>>(va, a, tight, threshold); };
  const auto repaired = [&] {
    deinterlace_blend_repaired<<<grid, block>>>(vb, b, padded, threshold);
  };
  return Run(argc, argv, naive, repaired,
             [&] { return Near(a, Repitched(Host(b), padded.pitch, width)); });
}
