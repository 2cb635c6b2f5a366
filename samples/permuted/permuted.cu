// SPDX-License-Identifier: Apache-2.0
//
// In order, out of order within the line, and misaligned: order does not matter on any GPU since
// compute capability 1.2, alignment does.
#include "samples/common/sample.h"

using namespace samples;

constexpr int kSequentialLine = __LINE__ + 4;

__global__ void copy_sequential(const float* in, float* out) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  out[i] = in[i];  // expect: load,store clean pattern=coalesced
}

constexpr int kPermutedLine = __LINE__ + 6;

__global__ void copy_permuted(const float* in, float* out) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  // The lanes of a warp still ask for the 32 floats of one line, in the order 3, 8, 13, …
  // expect: load,store clean sectors=4 ideal=4 lines=1 pattern=coalesced
  out[i] = in[(i & ~31u) | ((5 * i + 3) & 31u)];
}

constexpr int kMisalignedLine = __LINE__ + 5;

__global__ void copy_misaligned(const float* in, float* out) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  // expect: load sectors=5 ideal=4 lines=2 pattern=misaligned:4; store clean
  out[i] = in[i + 1];
}

namespace {

constexpr unsigned kBlock = 256;

std::uint64_t Sequential(std::uint64_t i) { return i; }
std::uint64_t Permuted(std::uint64_t i) { return i / 32 * 32 + (5 * i + 3) % 32; }
std::uint64_t Misaligned(std::uint64_t i) { return i + 1; }

void Run(const Arguments& arguments) {
  const unsigned n = static_cast<unsigned>(arguments.n);
  DeviceArray<float> in(n + 1);
  in.FillWithPattern();
  const auto measure = [&](const char* name, auto kernel, auto source) {
    if (!arguments.Wants(name)) return;
    DeviceArray<float> out(n);
    const Timing timing =
        Measure(arguments.launches, [&] { kernel<<<n / kBlock, kBlock>>>(in.data(), out.data()); });
    Verify(name, out, [=](std::size_t i) { return PatternAt<float>(source(i)); });
    PrintBandwidth(name, timing, 2.0 * n * sizeof(float));
  };
  measure("copy_sequential", copy_sequential, Sequential);
  measure("copy_permuted", copy_permuted, Permuted);
  measure("copy_misaligned", copy_misaligned, Misaligned);
}

void CountAccesses(const Arguments& arguments, Reference& reference) {
  const unsigned grid = static_cast<unsigned>(arguments.n) / kBlock;
  const auto add = [&](int line, const char* kernel, auto source) {
    if (!arguments.Wants(kernel)) return;
    reference.Add({line, kernel, "load", 4}, grid, kBlock,
                  [=](const Thread& t) { return At<float>(source(GlobalX(t))); });
    reference.Add({line, kernel, "store", 4}, grid, kBlock,
                  [](const Thread& t) { return At<float>(GlobalX(t)); });
  };
  add(kSequentialLine, "copy_sequential", Sequential);
  add(kPermutedLine, "copy_permuted", Permuted);
  add(kMisalignedLine, "copy_misaligned", Misaligned);
}

}  // namespace

int main(int argc, char** argv) {
  return Main(argc, argv,
              {.name = "permuted",
               .summary = "copies n floats in order, permuted within a line, and misaligned",
               .source = __FILE__,
               .size = {"floats to copy", 1 << 22, kBlock},
               .run = Run,
               .count = CountAccesses,
               .kernels = {"copy_sequential", "copy_permuted", "copy_misaligned"}});
}
