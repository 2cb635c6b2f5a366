// SPDX-License-Identifier: Apache-2.0
//
// Thread order against memory order: a block that is four threads wide spreads each warp over
// eight rows, and reads half a sector in each.
#include "samples/common/sample.h"

using namespace samples;

constexpr int kThreads = 256;
constexpr int kCopyLine = __LINE__ + 11;

// A block is kWidth threads wide and as tall as 256 threads allow.
template <int kWidth>
__global__ void copy_rows(const float* in, float* out, int n) {
  const int col = blockIdx.x * kWidth + threadIdx.x;
  const int row = blockIdx.y * (kThreads / kWidth) + threadIdx.y;
  // expect: load kernel=<4> sectors=8 ideal=4 lines=8 pattern=runs:4
  // expect: store kernel=<4> sectors=8 ideal=4 lines=8 pattern=runs:4
  // expect: load kernel=<64> clean sectors=4 ideal=4 lines=1 pattern=coalesced
  // expect: store kernel=<64> clean sectors=4 ideal=4 lines=1 pattern=coalesced
  out[row * n + col] = in[row * n + col];
}

namespace {

template <int kWidth>
void Measured(const Arguments& arguments, DeviceArray<float>& in, const char* name) {
  if (!arguments.Wants(name)) return;
  const int n = static_cast<int>(arguments.n);
  const dim3 block(kWidth, kThreads / kWidth);
  const dim3 grid(n / block.x, n / block.y);
  DeviceArray<float> out(in.size());
  const Timing timing = Measure(
      arguments.launches, [&] { copy_rows<kWidth><<<grid, block>>>(in.data(), out.data(), n); });
  Verify(name, out, PatternAt<float>);
  PrintBandwidth(name, timing, 2.0 * in.size() * sizeof(float));
}

void Run(const Arguments& arguments) {
  DeviceArray<float> in(static_cast<std::size_t>(arguments.n * arguments.n));
  in.FillWithPattern();
  Measured<4>(arguments, in, "copy_rows<4>");
  Measured<64>(arguments, in, "copy_rows<64>");
}

void CountAccesses(const Arguments& arguments, Reference& reference) {
  const std::uint64_t n = static_cast<std::uint64_t>(arguments.n);
  for (const unsigned width : {4U, 64U}) {
    const std::string kernel = "copy_rows<" + std::to_string(width) + ">";
    if (!arguments.Wants(kernel)) continue;
    const dim3 block(width, kThreads / width);
    const dim3 grid(static_cast<unsigned>(n) / block.x, static_cast<unsigned>(n) / block.y);
    for (const char* kind : {"load", "store"}) {
      reference.Add({kCopyLine, kernel, kind, 4}, grid, block,
                    [=](const Thread& t) { return At<float>(GlobalY(t) * n + GlobalX(t)); });
    }
  }
}

}  // namespace

int main(int argc, char** argv) {
  return Main(argc, argv,
              {.name = "narrow_block",
               .summary = "copies an n x n matrix with blocks of 4 x 64 and of 64 x 4 threads",
               .source = __FILE__,
               .size = {"rows and columns", 4096, 64, 32768},
               .run = Run,
               .count = CountAccesses,
               .kernels = {"copy_rows<4>", "copy_rows<64>"}});
}
