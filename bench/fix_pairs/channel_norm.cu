// SPDX-License-Identifier: Apache-2.0
//
// Takes its mean from each channel of each picture: a thread to a channel, or a warp.
#include "bench/fix_pairs/pair.h"

using namespace fix_pairs;

constexpr int kChannels = 64 * 256;
constexpr int kPixels = 28 * 28;
constexpr int kBlock = 128;

__global__ void channel_norm_bad(float* x, int channels, int pixels) {
  const int c = blockIdx.x * blockDim.x + threadIdx.x;
  if (c >= channels) return;
  float* own = x + c * pixels;
  float sum = 0;
  for (int p = 0; p < pixels; ++p) sum += own[p];
  const float mean = sum * 0.5F;
  for (int p = 0; p < pixels; ++p) own[p] = own[p] - mean;
}

__global__ void channel_norm_good(float* x, int channels, int pixels) {
  const int c = (blockIdx.x * blockDim.x + threadIdx.x) / 32;
  const int lane = threadIdx.x % 32;
  if (c >= channels) return;
  float* own = x + c * pixels;
  float sum = 0;
  for (int p = lane; p < pixels; p += 32) sum += own[p];
  for (int offset = 16; offset > 0; offset /= 2) sum += __shfl_xor_sync(~0U, sum, offset);
  const float mean = sum * 0.5F;
  for (int p = lane; p < pixels; p += 32) own[p] = own[p] - mean;
}

template <typename Kernel>
Side Make(Kernel kernel, int threads) {
  const auto x = MakeArray<float>(std::size_t{kChannels} * kPixels);
  x->FillWithSmallPattern();
  return {[=] { kernel<<<threads / kBlock, kBlock>>>(x->data(), kChannels, kPixels); },
          [=] { return Values(*x); }};
}

int main(int argc, char** argv) {
  return Main(argc, argv,
              {"channel_norm", [] { return Make(channel_norm_bad, kChannels); },
               [] { return Make(channel_norm_good, kChannels * 32); }});
}
