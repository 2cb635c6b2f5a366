// SPDX-License-Identifier: Apache-2.0
//
// Numbers packed in frames of 64, each of as many bits as its frame needs: a thread unpacks a
// frame, so that lanes write 256 bytes apart. The repair has a warp to a frame.
#include "bench/fix_pairs/pair.h"

using namespace fix_pairs;

constexpr unsigned kFrames = 1U << 17;
constexpr unsigned kFrame = 64;  // numbers
constexpr unsigned kBlock = 128;

struct alignas(8) Frame {
  int base;
  unsigned first_word : 26;
  unsigned bits : 6;
};

__device__ __forceinline__ unsigned Extract(const unsigned* __restrict__ words, unsigned bits,
                                            unsigned at) {
  const unsigned bit = at * bits;
  const unsigned low = words[bit / 32];
  const unsigned high = words[bit / 32 + 1];
  return __funnelshift_r(low, high, bit % 32) & ((1U << bits) - 1);
}

__global__ void unpack_frames_bad(const Frame* __restrict__ frames,
                                  const unsigned* __restrict__ words, int* __restrict__ out) {
  const unsigned f = blockIdx.x * blockDim.x + threadIdx.x;
  const Frame frame = frames[f];
  int* to = out + f * kFrame;
  for (unsigned at = 0; at < kFrame; ++at) {
    *to++ = frame.base + static_cast<int>(Extract(words + frame.first_word, frame.bits, at));
  }
}

__global__ void unpack_frames_good(const Frame* __restrict__ frames,
                                   const unsigned* __restrict__ words, int* __restrict__ out) {
  const unsigned f = (blockIdx.x * blockDim.x + threadIdx.x) / 32;
  const Frame frame = frames[f];
  for (unsigned at = threadIdx.x % 32; at < kFrame; at += 32) {
    out[f * kFrame + at] =
        frame.base + static_cast<int>(Extract(words + frame.first_word, frame.bits, at));
  }
}

template <typename Kernel>
Side Make(Kernel kernel, unsigned threads) {
  std::vector<Frame> all_frames(kFrames);
  std::vector<unsigned> all_words;
  for (unsigned f = 0; f < kFrames; ++f) {
    const unsigned bits = 5 + (f * 2654435761U >> 16U) % 12;
    all_frames[f].base = static_cast<int>(f * 3);
    all_frames[f].first_word = static_cast<unsigned>(all_words.size());
    all_frames[f].bits = bits;
    unsigned long long rest = 0;
    unsigned filled = 0;
    for (unsigned at = 0; at < kFrame; ++at) {
      const unsigned number = ((f * kFrame + at + 1) * 2654435761U >> 8U) & ((1U << bits) - 1);
      rest |= static_cast<unsigned long long>(number) << filled;
      filled += bits;
      if (filled < 32) continue;
      all_words.push_back(static_cast<unsigned>(rest));
      rest >>= 32U;
      filled -= 32;
    }
  }
  all_words.push_back(0);  // the last number reads one word more
  const auto frames = std::make_shared<DeviceArray<Frame>>(all_frames);
  const auto words = std::make_shared<DeviceArray<unsigned>>(all_words);
  const auto out = MakeArray<int>(std::size_t{kFrames} * kFrame);
  return {[=] { kernel<<<threads / kBlock, kBlock>>>(frames->data(), words->data(), out->data()); },
          [=] { return Values(*out); }};
}

int main(int argc, char** argv) {
  return Main(argc, argv,
              {"unpack_frames", [] { return Make(unpack_frames_bad, kFrames); },
               [] { return Make(unpack_frames_good, kFrames * 32); }});
}
