// SPDX-License-Identifier: Apache-2.0
//
// The same copy with its loads moved by k = 0 … 31 floats: a fifth sector whenever the first one
// does not start on a sector.
#include <utility>

#include "samples/common/sample.h"

using namespace samples;

constexpr int kOffsets = 32;
constexpr int kCopyLine = __LINE__ + 10;

template <int kOffset>
__global__ void copy_offset(const float* in, float* out, unsigned n) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) {
    // expect: load kernel=<0> clean sectors=4 ideal=4 lines=1 pattern=coalesced
    // expect: load kernel=<8>,<16>,<24> clean sectors=4 lines=2 pattern=coalesced
    // expect: load kernel=<1..7>,<9..15>,<17..23>,<25..31> sectors=5 pattern=misaligned
    // expect: store clean pattern=coalesced
    out[i] = in[i + kOffset];
  }
}

namespace {

constexpr unsigned kBlock = 256;

template <int kOffset>
void Measured(const Arguments& arguments, DeviceArray<float>& in, DeviceArray<float>& out) {
  const unsigned n = static_cast<unsigned>(arguments.n);
  const std::string name = "copy_offset<" + std::to_string(kOffset) + ">";
  const Timing timing = Measure(arguments.launches, [&] {
    copy_offset<kOffset><<<n / kBlock, kBlock>>>(in.data(), out.data(), n);
  });
  Verify(name.c_str(), out, [](std::size_t i) { return PatternAt<float>(i + kOffset); });
  PrintBandwidth(name.c_str(), timing, 2.0 * n * sizeof(float));
}

template <int... kAll>
void MeasureAll(const Arguments& arguments, std::integer_sequence<int, kAll...>) {
  const std::size_t n = static_cast<std::size_t>(arguments.n);
  DeviceArray<float> in(n + kOffsets);
  DeviceArray<float> out(n);
  in.FillWithPattern();
  (Measured<kAll>(arguments, in, out), ...);
}

void Run(const Arguments& arguments) {
  MeasureAll(arguments, std::make_integer_sequence<int, kOffsets>());
}

void CountAccesses(const Arguments& arguments, Reference& reference) {
  const unsigned grid = static_cast<unsigned>(arguments.n) / kBlock;
  for (int offset = 0; offset < kOffsets; ++offset) {
    const std::string kernel = "copy_offset<" + std::to_string(offset) + ">";
    reference.Add({kCopyLine, kernel, "load", 4}, grid, kBlock,
                  [=](const Thread& t) { return At<float>(GlobalX(t) + offset); });
    reference.Add({kCopyLine, kernel, "store", 4}, grid, kBlock,
                  [=](const Thread& t) { return At<float>(GlobalX(t)); });
  }
}

}  // namespace

int main(int argc, char** argv) {
  return Main(argc, argv,
              {.name = "misaligned",
               .summary = "copies n floats, reading from 0, 1, 2, ... 31 floats further on",
               .source = __FILE__,
               .size = {"floats to copy", 1 << 22, kBlock},
               .run = Run,
               .count = CountAccesses});
}
