// SPDX-License-Identifier: Apache-2.0
//
// The access every other sample is measured against: thread i copies element i.
#include "samples/common/sample.h"

using namespace samples;

constexpr int kCopyLine = __LINE__ + 6;

__global__ void coalesced_copy(const float* in, float* out, unsigned n) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) {
    // expect: load,store clean sectors=4 ideal=4 lines=1 pattern=coalesced
    out[i] = in[i];
  }
}

namespace {

constexpr unsigned kBlock = 256;

void Run(const Arguments& arguments) {
  const unsigned n = static_cast<unsigned>(arguments.n);
  DeviceArray<float> in(n);
  DeviceArray<float> out(n);
  in.FillWithPattern();
  const Timing timing = Measure(arguments.launches, [&] {
    coalesced_copy<<<n / kBlock, kBlock>>>(in.data(), out.data(), n);
  });
  Verify("coalesced_copy", out, PatternAt<float>);
  PrintBandwidth("coalesced_copy", timing, 2.0 * n * sizeof(float));
}

void CountAccesses(const Arguments& arguments, Reference& reference) {
  const unsigned grid = static_cast<unsigned>(arguments.n) / kBlock;
  const auto element = [](const Thread& t) { return At<float>(GlobalX(t)); };
  reference.Add({kCopyLine, "coalesced_copy", "load", 4}, grid, kBlock, element);
  reference.Add({kCopyLine, "coalesced_copy", "store", 4}, grid, kBlock, element);
}

}  // namespace

int main(int argc, char** argv) {
  return Main(argc, argv,
              {.name = "coalesced_copy",
               .summary = "copies n floats, thread i element i",
               .source = __FILE__,
               .size = {"floats to copy", 1 << 26, kBlock},
               .run = Run,
               .count = CountAccesses});
}
