// SPDX-License-Identifier: Apache-2.0
//
// The transpose done well: a tile goes through shared memory, so that both the load and the store
// walk along rows. The silent twin of transpose_naive.
#include "samples/common/sample.h"

using namespace samples;

constexpr int kTile = 32;  // a block moves a tile of 32 x 32 floats
constexpr int kRows = 8;   // with 32 x 8 threads, four rows apart

constexpr int kLoadLine = __LINE__ + 10;
constexpr int kStoreLine = kLoadLine + 8;

__global__ void transpose_tiled(const float* in, float* out, int width, int height) {
  // One column more than needed: threads that read a column then hit 32 different banks.
  __shared__ float tile[kTile][kTile + 1];
  const int col = blockIdx.x * kTile + threadIdx.x;
  const int row = blockIdx.y * kTile + threadIdx.y;
  for (int j = 0; j < kTile; j += kRows) {
    // expect: load clean pattern=coalesced
    tile[threadIdx.y + j][threadIdx.x] = in[(row + j) * width + col];
  }
  __syncthreads();
  // The tile's corner in the output: block coordinates swap, thread coordinates do not.
  const int out_col = blockIdx.y * kTile + threadIdx.x;
  const int out_row = blockIdx.x * kTile + threadIdx.y;
  for (int j = 0; j < kTile; j += kRows) {
    // expect: store clean pattern=coalesced
    out[(out_row + j) * height + out_col] = tile[threadIdx.x][threadIdx.y + j];
  }
}

namespace {

const dim3 kBlock(kTile, kRows);

dim3 GridFor(int n) { return dim3(n / kTile, n / kTile); }

void Run(const Arguments& arguments) {
  const int n = static_cast<int>(arguments.n);
  const std::size_t size = std::size_t(n) * n;
  DeviceArray<float> in(size);
  DeviceArray<float> out(size);
  in.FillWithPattern();
  const Timing timing = Measure(arguments.launches, [&] {
    transpose_tiled<<<GridFor(n), kBlock>>>(in.data(), out.data(), n, n);
  });
  Verify("transpose_tiled", out,
         [=](std::size_t i) { return PatternAt<float>(i % n * n + i / n); });
  PrintBandwidth("transpose_tiled", timing, 2.0 * size * sizeof(float));
}

void CountAccesses(const Arguments& arguments, Reference& reference) {
  const unsigned n = static_cast<unsigned>(arguments.n);
  const std::int64_t rounds = kTile / kRows;
  reference.AddRepeated({kLoadLine, "transpose_tiled", "load", 4}, GridFor(n), kBlock, rounds,
                        [=](const Thread& t, std::int64_t round) {
                          const std::uint64_t row =
                              t.blockIdx.y * kTile + t.threadIdx.y + round * kRows;
                          return At<float>(row * n + t.blockIdx.x * kTile + t.threadIdx.x);
                        });
  reference.AddRepeated({kStoreLine, "transpose_tiled", "store", 4}, GridFor(n), kBlock, rounds,
                        [=](const Thread& t, std::int64_t round) {
                          const std::uint64_t row =
                              t.blockIdx.x * kTile + t.threadIdx.y + round * kRows;
                          return At<float>(row * n + t.blockIdx.y * kTile + t.threadIdx.x);
                        });
}

}  // namespace

int main(int argc, char** argv) {
  return Main(argc, argv,
              {.name = "transpose_tiled",
               .summary = "transposes an n x n matrix through a tile in shared memory",
               .source = __FILE__,
               .size = {"rows and columns", 4096, 32, 32768},
               .run = Run,
               .count = CountAccesses});
}
