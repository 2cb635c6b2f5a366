// SPDX-License-Identifier: Apache-2.0
//
// The coalesced copy with its loads spread out: thread i reads element 32·i (modulo n), so every
// lane asks for a 128-byte line of its own and uses four bytes of it.
#include "samples/common/sample.h"

using namespace samples;

constexpr unsigned kStride = 32;

constexpr int kStridedLine = __LINE__ + 6;

__global__ void strided_copy(const float* in, float* out, unsigned n) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) {
    // expect: load sectors=32 ideal=4 lines=32 pattern=strided:128; store clean
    out[i] = in[i * kStride % n];
  }
}

constexpr int kUnitLine = __LINE__ + 6;

__global__ void unit_copy(const float* in, float* out, unsigned n) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) {
    // expect: load,store clean pattern=coalesced
    out[i] = in[i % n];
  }
}

namespace {

constexpr unsigned kBlock = 256;

void Run(const Arguments& arguments) {
  const unsigned n = static_cast<unsigned>(arguments.n);
  DeviceArray<float> in(n);
  in.FillWithPattern();
  const auto measure = [&](const char* name, auto kernel, unsigned stride) {
    if (!arguments.Wants(name)) return;
    DeviceArray<float> out(n);
    const Timing timing = Measure(
        arguments.launches, [&] { kernel<<<n / kBlock, kBlock>>>(in.data(), out.data(), n); });
    Verify(name, out, [=](std::size_t i) { return PatternAt<float>(i * stride % n); });
    PrintBandwidth(name, timing, 2.0 * n * sizeof(float));
  };
  measure("strided_copy", strided_copy, kStride);
  measure("unit_copy", unit_copy, 1);
}

void CountAccesses(const Arguments& arguments, Reference& reference) {
  const unsigned n = static_cast<unsigned>(arguments.n);
  const auto add = [&](int line, const char* kernel, unsigned stride) {
    if (!arguments.Wants(kernel)) return;
    reference.Add({line, kernel, "load", 4}, n / kBlock, kBlock,
                  [=](const Thread& t) { return At<float>(GlobalX(t) * stride % n); });
    reference.Add({line, kernel, "store", 4}, n / kBlock, kBlock,
                  [=](const Thread& t) { return At<float>(GlobalX(t)); });
  };
  add(kStridedLine, "strided_copy", kStride);
  add(kUnitLine, "unit_copy", 1);
}

}  // namespace

int main(int argc, char** argv) {
  return Main(argc, argv,
              {.name = "strided_copy",
               .summary = "copies n floats, reading element 32*i mod n; beside it, the unit stride",
               .source = __FILE__,
               .size = {"floats to copy", 1 << 26, kBlock, (1LL << 32) / kStride - kBlock},
               .run = Run,
               .count = CountAccesses,
               .kernels = {"strided_copy", "unit_copy"}});
}
