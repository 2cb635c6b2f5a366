// SPDX-License-Identifier: Apache-2.0
//
// Two equal bad copies, one of them inside the NVTX range `step`: under --nvtx-include step/ only
// that one is looked at. The twin is inside the range, too.
#include <nvtx3/nvToolsExt.h>

#include "samples/common/sample.h"

using namespace samples;

constexpr unsigned kStride = 32;

constexpr int kOutsideLine = __LINE__ + 6;

__global__ void copy_outside(const float* in, float* out, unsigned n) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) {
    // expect: load sectors=32 lines=32 pattern=strided:128; store clean
    out[i] = in[i * kStride % n];
  }
}

constexpr int kInsideLine = __LINE__ + 6;

__global__ void copy_inside(const float* in, float* out, unsigned n) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) {
    // expect: load sectors=32 lines=32 pattern=strided:128; store clean
    out[i] = in[i * kStride % n];
  }
}

constexpr int kTwinLine = __LINE__ + 6;

__global__ void copy_coalesced(const float* in, float* out, unsigned n) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) {
    // expect: load,store clean pattern=coalesced
    out[i] = in[i];
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
  measure("copy_outside", copy_outside, kStride);
  nvtxRangePushA("step");
  measure("copy_inside", copy_inside, kStride);
  measure("copy_coalesced", copy_coalesced, 1);
  nvtxRangePop();
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
  add(kOutsideLine, "copy_outside", kStride);
  add(kInsideLine, "copy_inside", kStride);
  add(kTwinLine, "copy_coalesced", 1);
}

}  // namespace

int main(int argc, char** argv) {
  return Main(argc, argv,
              {.name = "nvtx_ranges",
               .summary = "copies n floats badly twice, the second time inside an NVTX range",
               .source = __FILE__,
               .size = {"floats to copy", 1 << 22, kBlock, (1LL << 32) / kStride - kBlock},
               .run = Run,
               .count = CountAccesses,
               .kernels = {"copy_outside", "copy_inside", "copy_coalesced"}});
}
