// SPDX-License-Identifier: Apache-2.0
//
// 64 planes of samples to samples of 64 channels: straight, or through a shared tile.
#include "bench/fix_pairs/pair.h"

using namespace fix_pairs;

constexpr int kPixels = 1 << 17;
constexpr int kChannels = 64;
constexpr int kTile = 32;

__global__ void volume_to_channels_bad(const float* in, float* out, int pixels, int channels) {
  const int p = blockIdx.x * blockDim.x + threadIdx.x;
  const int c = blockIdx.y;
  if (p < pixels) out[p * channels + c] = in[c * pixels + p];
}

__global__ void volume_to_channels_good(const float* in, float* out, int pixels, int channels) {
  __shared__ float tile[kTile][kTile + 1];
  const int p = blockIdx.x * kTile;
  const int c = blockIdx.y * kTile;
  for (int k = threadIdx.y; k < kTile; k += blockDim.y) {
    tile[k][threadIdx.x] = in[(c + k) * pixels + p + threadIdx.x];
  }
  __syncthreads();
  for (int k = threadIdx.y; k < kTile; k += blockDim.y) {
    out[(p + k) * channels + c + threadIdx.x] = tile[threadIdx.x][k];
  }
}

template <typename Kernel>
Side Make(Kernel kernel, dim3 grid, dim3 block) {
  const auto in = MakeArray<float>(std::size_t{kPixels} * kChannels);
  in->FillWithPattern();
  const auto out = MakeArray<float>(in->size());
  return {[=] { kernel<<<grid, block>>>(in->data(), out->data(), kPixels, kChannels); },
          [=] { return Values(*out); }};
}

int main(int argc, char** argv) {
  return Main(argc, argv,
              {"volume_to_channels",
               [] { return Make(volume_to_channels_bad, dim3(kPixels / 256, kChannels), 256); },
               [] {
                 return Make(volume_to_channels_good, dim3(kPixels / kTile, kChannels / kTile),
                             dim3(kTile, 8));
               }});
}
