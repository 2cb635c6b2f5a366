// SPDX-License-Identifier: Apache-2.0
//
// An image of three bytes to a pixel that becomes three planes of floats: each thread reads its
// pixel byte by byte. The repair loads words into shared memory and takes the bytes from there.
#include "bench/fix_pairs/pair.h"

using namespace fix_pairs;

constexpr unsigned kPixels = 31 << 20;
constexpr unsigned kChannels = 3;
constexpr unsigned kBlock = 256;
constexpr unsigned kWords = kBlock * kChannels / 4;  // of a block's pixels

__global__ void planar_image_bad(const std::uint8_t* in, float* out) {
  const unsigned i = blockIdx.x * kBlock + threadIdx.x;
  for (unsigned c = 0; c < kChannels; ++c) out[c * kPixels + i] = in[i * kChannels + c];
}

__global__ void planar_image_good(const unsigned* in, float* out) {
  __shared__ unsigned words[kWords];
  const unsigned i = blockIdx.x * kBlock + threadIdx.x;
  if (threadIdx.x < kWords) words[threadIdx.x] = in[blockIdx.x * kWords + threadIdx.x];
  __syncthreads();
  const auto* const bytes = reinterpret_cast<const std::uint8_t*>(words);
  for (unsigned c = 0; c < kChannels; ++c) {
    out[c * kPixels + i] = bytes[threadIdx.x * kChannels + c];
  }
}

template <typename Element, typename Kernel>
Side Make(Kernel kernel) {
  std::vector<std::uint8_t> some(251);
  for (std::size_t i = 0; i < some.size(); ++i) some[i] = static_cast<std::uint8_t>(i);
  const auto in = MakeArray<std::uint8_t>(std::size_t{kPixels} * kChannels);
  in->FillRepeating(some);
  const auto out = MakeArray<float>(in->size());
  return {[=] {
            kernel<<<kPixels / kBlock, kBlock>>>(reinterpret_cast<const Element*>(in->data()),
                                                 out->data());
          },
          [=] { return Values(*out); }};
}

int main(int argc, char** argv) {
  return Main(argc, argv,
              {"planar_image", [] { return Make<std::uint8_t>(planar_image_bad); },
               [] { return Make<unsigned>(planar_image_good); }});
}
