// SPDX-License-Identifier: Apache-2.0
//
// Copies from global to shared memory that pass no register (cp.async, LDGSTS in machine code) are
// global accesses like any other. GPUs before compute capability 8.0 load and store instead.
#include <cuda_pipeline.h>

#include "samples/common/sample.h"

using namespace samples;

constexpr unsigned kBlock = 256;
constexpr unsigned kStride = 8;

constexpr int kStridedCopyLine = __LINE__ + 7;
constexpr int kStridedStoreLine = kStridedCopyLine + 4;

__global__ void fetch_strided(const float* in, float* out) {
  __shared__ float tile[kBlock];
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  // expect: async-copy sectors=32 ideal=4 lines=8 pattern=strided:32
  __pipeline_memcpy_async(&tile[threadIdx.x], &in[i * kStride], sizeof(float));
  __pipeline_commit();
  __pipeline_wait_prior(0);
  // expect: store clean pattern=coalesced
  out[i] = tile[threadIdx.x];
}

constexpr int kUnitCopyLine = __LINE__ + 7;
constexpr int kUnitStoreLine = kUnitCopyLine + 4;

__global__ void fetch_unit(const float* in, float* out) {
  __shared__ float tile[kBlock];
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  // expect: async-copy clean sectors=4 ideal=4 lines=1 pattern=coalesced
  __pipeline_memcpy_async(&tile[threadIdx.x], &in[i], sizeof(float));
  __pipeline_commit();
  __pipeline_wait_prior(0);
  // expect: store clean pattern=coalesced
  out[i] = tile[threadIdx.x];
}

constexpr int kWideCopyLine = __LINE__ + 8;
constexpr int kWideStoreLine = kWideCopyLine + 4;

// Sixteen bytes a lane: four sectors for each eight lanes, nothing wasted.
__global__ void fetch_wide(const float4* in, float4* out) {
  __shared__ float4 tile[kBlock];
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  // expect: async-copy clean sectors=16 ideal=16 lines=4 pattern=coalesced
  __pipeline_memcpy_async(&tile[threadIdx.x], &in[i], sizeof(float4));
  __pipeline_commit();
  __pipeline_wait_prior(0);
  // expect: store clean pattern=coalesced sectors=16 ideal=16 lines=4
  out[i] = tile[threadIdx.x];
}

namespace {

void Run(const Arguments& arguments) {
  const unsigned n = static_cast<unsigned>(arguments.n);
  DeviceArray<float> in(std::size_t(n) * kStride);
  in.FillWithPattern();
  const auto measure = [&](const char* name, unsigned floats, unsigned stride, auto launch) {
    if (!arguments.Wants(name)) return;
    DeviceArray<float> out(floats);
    const Timing timing = Measure(arguments.launches, [&] { launch(out.data()); });
    Verify(name, out, [=](std::size_t i) { return PatternAt<float>(i * stride); });
    PrintBandwidth(name, timing, 2.0 * floats * sizeof(float));
  };
  measure("fetch_strided", n, kStride,
          [&](float* out) { fetch_strided<<<n / kBlock, kBlock>>>(in.data(), out); });
  measure("fetch_unit", n, 1,
          [&](float* out) { fetch_unit<<<n / kBlock, kBlock>>>(in.data(), out); });
  measure("fetch_wide", 4 * n, 1, [&](float* out) {
    fetch_wide<<<n / kBlock, kBlock>>>(reinterpret_cast<const float4*>(in.data()),
                                       reinterpret_cast<float4*>(out));
  });
}

void CountAccesses(const Arguments& arguments, Reference& reference) {
  const unsigned grid = static_cast<unsigned>(arguments.n) / kBlock;
  const auto add = [&](int copy_line, int store_line, const char* kernel, std::uint32_t width,
                       std::uint32_t step) {
    if (!arguments.Wants(kernel)) return;
    reference.Add({copy_line, kernel, "async copy", width}, grid, kBlock,
                  [=](const Thread& t) { return GlobalX(t) * step; });
    reference.Add({store_line, kernel, "store", width}, grid, kBlock,
                  [=](const Thread& t) { return GlobalX(t) * width; });
  };
  add(kStridedCopyLine, kStridedStoreLine, "fetch_strided", 4, kStride * sizeof(float));
  add(kUnitCopyLine, kUnitStoreLine, "fetch_unit", 4, sizeof(float));
  add(kWideCopyLine, kWideStoreLine, "fetch_wide", 16, sizeof(float4));
}

}  // namespace

int main(int argc, char** argv) {
  return Main(argc, argv,
              {.name = "cp_async",
               .summary = "fetches n elements into shared memory with asynchronous copies",
               .source = __FILE__,
               .size = {"elements", 1 << 20, kBlock, 1 << 24},
               .run = Run,
               .count = CountAccesses,
               .kernels = {"fetch_strided", "fetch_unit", "fetch_wide"}});
}
