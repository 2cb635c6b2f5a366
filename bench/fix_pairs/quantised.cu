// SPDX-License-Identifier: Apache-2.0
//
// Quantised weights in blocks of 34 bytes, a half and 32 bytes, as inference libraries keep them;
// and scales and bytes in arrays of their own, four bytes to a lane.
#include <cuda_fp16.h>

#include "bench/fix_pairs/pair.h"

using namespace fix_pairs;

constexpr unsigned kEach = 32;
constexpr unsigned kBlocks = 1 << 21;
constexpr unsigned kBlock = 256;
constexpr unsigned kScales = 5;  // different ones; a prime, as is kBytes
constexpr unsigned kBytes = 127;

struct Quantised {
  __half scale;
  std::int8_t values[kEach];
};
static_assert(sizeof(Quantised) == 34);

__global__ void quantised_bad(const Quantised* in, float* out) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  const Quantised& block = in[i / kEach];
  out[i] = __half2float(block.scale) * block.values[i % kEach];
}

__global__ void quantised_good(const __half* scales, const char4* values, float4* out) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  const float scale = __half2float(scales[i / (kEach / 4)]);
  const char4 four = values[i];
  out[i] = make_float4(scale * four.x, scale * four.y, scale * four.z, scale * four.w);
}

std::int8_t ByteAt(std::size_t i) { return static_cast<std::int8_t>(i % kBytes); }
__half ScaleAt(std::size_t block) { return __half(static_cast<float>(1 + block % kScales)); }

Side Bad() {
  std::vector<Quantised> some(std::size_t{kScales} * kBytes);
  for (std::size_t b = 0; b < some.size(); ++b) {
    some[b].scale = ScaleAt(b);
    for (unsigned k = 0; k < kEach; ++k) some[b].values[k] = ByteAt(b * kEach + k);
  }
  const auto in = MakeArray<Quantised>(kBlocks);
  in->FillRepeating(some);
  const auto out = MakeArray<float>(std::size_t{kBlocks} * kEach);
  return {[=] { quantised_bad<<<kBlocks * kEach / kBlock, kBlock>>>(in->data(), out->data()); },
          [=] { return Values(*out); }};
}

Side Good() {
  std::vector<std::int8_t> bytes(kBytes);
  for (std::size_t i = 0; i < bytes.size(); ++i) bytes[i] = ByteAt(i);
  std::vector<__half> some(kScales);
  for (std::size_t b = 0; b < some.size(); ++b) some[b] = ScaleAt(b);
  const auto values = MakeArray<std::int8_t>(std::size_t{kBlocks} * kEach);
  values->FillRepeating(bytes);
  const auto scales = MakeArray<__half>(kBlocks);
  scales->FillRepeating(some);
  const auto out = MakeArray<float>(std::size_t{kBlocks} * kEach);
  return {[=] {
            quantised_good<<<kBlocks * kEach / 4 / kBlock, kBlock>>>(
                scales->data(), reinterpret_cast<const char4*>(values->data()),
                reinterpret_cast<float4*>(out->data()));
          },
          [=] { return Values(*out); }};
}

int main(int argc, char** argv) { return Main(argc, argv, {"quantised", Bad, Good}); }
