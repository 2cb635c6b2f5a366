// SPDX-License-Identifier: Apache-2.0
//
// The textbook's naive transpose: it reads rows and writes columns, so only its store wastes
// sectors. transpose_tiled is the same job done well.
#include "samples/common/sample.h"

using namespace samples;

constexpr int kCopyLine = __LINE__ + 8;

__global__ void transpose_naive(const float* in, float* out, int width, int height) {
  const int col = blockIdx.x * blockDim.x + threadIdx.x;
  const int row = blockIdx.y * blockDim.y + threadIdx.y;
  if (col < width && row < height) {
    // Neighbouring threads read neighbouring floats and write floats that lie a row apart.
    // expect: load clean; store sectors=32 ideal=4 lines=32 pattern=strided:16384
    out[col * height + row] = in[row * width + col];
  }
}

namespace {

const dim3 kBlock(32, 8);

dim3 GridFor(int n) { return dim3(n / kBlock.x, n / kBlock.y); }

void Run(const Arguments& arguments) {
  const int n = static_cast<int>(arguments.n);
  const std::size_t size = std::size_t(n) * n;
  DeviceArray<float> in(size);
  DeviceArray<float> out(size);
  in.FillWithPattern();
  const Timing timing = Measure(arguments.launches, [&] {
    transpose_naive<<<GridFor(n), kBlock>>>(in.data(), out.data(), n, n);
  });
  Verify("transpose_naive", out,
         [=](std::size_t i) { return PatternAt<float>(i % n * n + i / n); });
  PrintBandwidth("transpose_naive", timing, 2.0 * size * sizeof(float));
}

void CountAccesses(const Arguments& arguments, Reference& reference) {
  const unsigned n = static_cast<unsigned>(arguments.n);
  reference.Add({kCopyLine, "transpose_naive", "load", 4}, GridFor(n), kBlock,
                [=](const Thread& t) { return At<float>(GlobalY(t) * n + GlobalX(t)); });
  reference.Add({kCopyLine, "transpose_naive", "store", 4}, GridFor(n), kBlock,
                [=](const Thread& t) { return At<float>(GlobalX(t) * n + GlobalY(t)); });
}

}  // namespace

int main(int argc, char** argv) {
  return Main(argc, argv,
              {.name = "transpose_naive",
               .summary = "transposes an n x n matrix, reading rows and writing columns",
               .source = __FILE__,
               .size = {"rows and columns", 4096, 32, 32768},
               .run = Run,
               .count = CountAccesses});
}
