// SPDX-License-Identifier: Apache-2.0
//
// Eight planar channels of samples that are interleaved: one channel's block stores every eighth
// float. The repair takes all eight through a tile in shared memory.
#include "bench/fix_pairs/pair.h"

using namespace fix_pairs;

constexpr unsigned kChannels = 8;
constexpr unsigned kSamples = 63 << 17;
constexpr unsigned kBlock = 256;
constexpr unsigned kTile = kBlock / kChannels;  // samples of each channel

__global__ void interleave_channels_bad(const float* in, float* out) {
  const unsigned sample = blockIdx.x * blockDim.x + threadIdx.x;
  const unsigned channel = blockIdx.y;
  out[sample * kChannels + channel] = in[channel * kSamples + sample];
}

__global__ void interleave_channels_good(const float* in, float* out) {
  __shared__ float tile[kChannels][kTile + 1];
  const unsigned t = threadIdx.x;
  const unsigned begin = blockIdx.x * kTile;
  tile[t / kTile][t % kTile] = in[t / kTile * kSamples + begin + t % kTile];
  __syncthreads();
  out[begin * kChannels + t] = tile[t % kChannels][t / kChannels];
}

template <typename Kernel>
Side Make(Kernel kernel, dim3 grid) {
  const auto in = MakeArray<float>(std::size_t{kChannels} * kSamples);
  in->FillWithPattern();
  const auto out = MakeArray<float>(in->size());
  return {[=] { kernel<<<grid, kBlock>>>(in->data(), out->data()); }, [=] { return Values(*out); }};
}

int main(int argc, char** argv) {
  return Main(argc, argv,
              {"interleave_channels",
               [] { return Make(interleave_channels_bad, dim3(kSamples / kBlock, kChannels)); },
               [] { return Make(interleave_channels_good, dim3(kSamples / kTile)); }});
}
