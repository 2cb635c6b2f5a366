// SPDX-License-Identifier: Apache-2.0
//
// A matrix updated in place, once with threads along its rows and once with threads along its
// columns.
#include "samples/common/sample.h"

using namespace samples;

constexpr int kRowMajorLine = __LINE__ + 6;

__global__ void update_row_major(float* matrix, int n) {
  const int x = blockIdx.x * blockDim.x + threadIdx.x;
  const int y = blockIdx.y * blockDim.y + threadIdx.y;
  // expect: load,store clean sectors=4 ideal=4 lines=1 pattern=coalesced
  matrix[y * n + x] += 1.0f;
}

constexpr int kColumnMajorLine = __LINE__ + 6;

__global__ void update_column_major(float* matrix, int n) {
  const int x = blockIdx.x * blockDim.x + threadIdx.x;
  const int y = blockIdx.y * blockDim.y + threadIdx.y;
  // expect: load,store sectors=32 ideal=4 lines=32 pattern=strided:65536
  matrix[x * n + y] += 1.0f;
}

namespace {

const dim3 kBlock(32, 32);

dim3 GridFor(std::int64_t n) {
  return dim3(static_cast<unsigned>(n) / kBlock.x, static_cast<unsigned>(n) / kBlock.y);
}

void Run(const Arguments& arguments) {
  const int n = static_cast<int>(arguments.n);
  const std::size_t size = std::size_t(n) * n;
  DeviceArray<float> matrix(size);
  const auto measure = [&](const char* name, auto kernel) {
    if (!arguments.Wants(name)) return;
    matrix.Zero();
    const Timing timing =
        Measure(arguments.launches, [&] { kernel<<<GridFor(n), kBlock>>>(matrix.data(), n); });
    Verify(name, matrix, [&](std::size_t) { return static_cast<float>(arguments.launches); });
    PrintBandwidth(name, timing, 2.0 * size * sizeof(float));
  };
  measure("update_row_major", update_row_major);
  measure("update_column_major", update_column_major);
}

void CountAccesses(const Arguments& arguments, Reference& reference) {
  const std::uint64_t n = static_cast<std::uint64_t>(arguments.n);
  const auto add = [&](int line, const char* kernel, auto element) {
    if (!arguments.Wants(kernel)) return;
    for (const char* kind : {"load", "store"}) {
      reference.Add({line, kernel, kind, 4}, GridFor(arguments.n), kBlock,
                    [=](const Thread& t) { return At<float>(element(t)); });
    }
  };
  add(kRowMajorLine, "update_row_major",
      [=](const Thread& t) { return GlobalY(t) * n + GlobalX(t); });
  add(kColumnMajorLine, "update_column_major",
      [=](const Thread& t) { return GlobalX(t) * n + GlobalY(t); });
}

}  // namespace

int main(int argc, char** argv) {
  return Main(argc, argv,
              {.name = "matrix_update",
               .summary = "adds one to an n x n matrix, threads along its rows or its columns",
               .source = __FILE__,
               .size = {"rows and columns", 16384, 32, 32768},
               .run = Run,
               .count = CountAccesses,
               .kernels = {"update_row_major", "update_column_major"}});
}
