// SPDX-License-Identifier: Apache-2.0
//
// Helpers inlined from headers, each called from two lines: each call site is an access of its own.
// Of the toolkit's helper the caller's line is shown, of this project's own the helper's.
#include "samples/common/sample.h"
#include "samples/inlined_helper/column.h"

using namespace samples;

constexpr int kColumnLine = 15;             // of column.h
constexpr int kToolkitLine = __LINE__ + 8;  // and the second call two lines on
constexpr int kToolkitStoreLine = kToolkitLine + 4;

// __ldcg is an inline function of the toolkit's: no user can edit it, so its callers are shown.
__global__ void add_columns_toolkit(const float* in, float* out, int width) {
  const int row = blockIdx.x * blockDim.x + threadIdx.x;
  const float* const start = in + row * width;
  // expect: load sites=1 sectors=32 ideal=4 lines=32 pattern=strided:256
  float sum = __ldcg(start);
  // expect: load sites=1 sectors=32 ideal=4 lines=32 pattern=strided:256
  sum += __ldcg(start + 8);
  // expect: store clean pattern=coalesced
  out[row] = sum;
}

constexpr int kFunctorStoreLine = __LINE__ + 7;

__global__ void add_columns_functor(const float* in, float* out, int width) {
  const int row = blockIdx.x * blockDim.x + threadIdx.x;
  float sum = Column<float>{in, width, 0}(row);
  sum += Column<float>{in, width, 8}(row);
  // expect: store clean pattern=coalesced
  out[row] = sum;
}

constexpr int kTwinLine = __LINE__ + 7;  // and the second call two lines on
constexpr int kTwinStoreLine = kTwinLine + 4;

// The silent twin: the matrix is stored by columns.
__global__ void add_columns_contiguous(const float* in, float* out, int height) {
  const int row = blockIdx.x * blockDim.x + threadIdx.x;
  // expect: load clean sites=1 sectors=4 ideal=4 lines=1 pattern=coalesced
  float sum = __ldcg(in + row);
  // expect: load clean sites=1 sectors=4 ideal=4 lines=1 pattern=coalesced
  sum += __ldcg(in + 8 * height + row);
  // expect: store clean pattern=coalesced
  out[row] = sum;
}

namespace {

constexpr unsigned kBlock = 256;
constexpr int kWidth = 64;
constexpr int kCols[2] = {0, 8};

void Run(const Arguments& arguments) {
  const int rows = static_cast<int>(arguments.n);
  DeviceArray<float> in(std::size_t(rows) * kWidth);
  in.FillWithSmallPattern();
  const auto measure = [&](const char* name, auto kernel, int argument, auto index) {
    if (!arguments.Wants(name)) return;
    DeviceArray<float> out(rows);
    const Timing timing = Measure(arguments.launches, [&] {
      kernel<<<rows / kBlock, kBlock>>>(in.data(), out.data(), argument);
    });
    Verify(name, out, [=](std::size_t row) {
      return SmallPatternAt<float>(index(row, kCols[0])) +
             SmallPatternAt<float>(index(row, kCols[1]));
    });
    PrintBandwidth(name, timing, 3.0 * rows * sizeof(float));
  };
  const auto by_rows = [](std::size_t row, int col) { return row * kWidth + col; };
  const auto by_columns = [=](std::size_t row, int col) { return std::size_t(col) * rows + row; };
  measure("add_columns_toolkit", add_columns_toolkit, kWidth, by_rows);
  measure("add_columns_functor", add_columns_functor, kWidth, by_rows);
  measure("add_columns_contiguous", add_columns_contiguous, rows, by_columns);
}

void CountAccesses(const Arguments& arguments, Reference& reference) {
  const unsigned rows = static_cast<unsigned>(arguments.n);
  const std::string header = std::string(__FILE__).replace(
      std::string(__FILE__).rfind("inlined_helper.cu"), std::string::npos, "column.h");
  const auto add = [&](const Access& access, auto element) {
    if (!arguments.Wants(access.kernel)) return;
    reference.Add(access, rows / kBlock, kBlock,
                  [=](const Thread& t) { return At<float>(element(GlobalX(t))); });
  };
  for (int call = 0; call < 2; ++call) {
    const auto by_rows = [=](std::uint64_t row) { return row * kWidth + kCols[call]; };
    add({kToolkitLine + 2 * call, "add_columns_toolkit", "load", 4}, by_rows);
    add({kColumnLine, "add_columns_functor", "load", 4, header}, by_rows);
    add({kTwinLine + 2 * call, "add_columns_contiguous", "load", 4},
        [=](std::uint64_t row) { return std::uint64_t{rows} * kCols[call] + row; });
  }
  const auto own = [](std::uint64_t row) { return row; };
  add({kToolkitStoreLine, "add_columns_toolkit", "store", 4}, own);
  add({kFunctorStoreLine, "add_columns_functor", "store", 4}, own);
  add({kTwinStoreLine, "add_columns_contiguous", "store", 4}, own);
}

}  // namespace

int main(int argc, char** argv) {
  return Main(
      argc, argv,
      {.name = "inlined_helper",
       .summary = "adds two columns of an n x 64 matrix through helpers inlined from headers",
       .source = __FILE__,
       .size = {"rows", 1 << 18, kBlock, 1 << 24},
       .run = Run,
       .count = CountAccesses,
       .kernels = {"add_columns_toolkit", "add_columns_functor", "add_columns_contiguous"}});
}
