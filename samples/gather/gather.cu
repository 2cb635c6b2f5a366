// SPDX-License-Identifier: Apache-2.0
//
// A gather through an index array: the index is always read well; what it points at depends on the
// index's order.
#include <numeric>
#include <random>

#include "samples/common/sample.h"

using namespace samples;

constexpr int kUnsortedIndexLine = __LINE__ + 6;
constexpr int kUnsortedValueLine = kUnsortedIndexLine + 4;

__global__ void gather_unsorted(const int* index, const float* values, float* out, unsigned n) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  const int from = index[i];  // expect: load clean sectors=4 ideal=4 lines=1 pattern=coalesced
  // Now and then two lanes meet in one sector, so the average is a little less than 32.
  // expect: load sectors=31.9..32 ideal=4 lines=31.9..32 pattern=scattered
  // expect: store clean pattern=coalesced
  out[i] = values[from];
}

constexpr int kSortedIndexLine = __LINE__ + 6;
constexpr int kSortedValueLine = kSortedIndexLine + 2;

__global__ void gather_sorted(const int* index, const float* values, float* out, unsigned n) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  const int from = index[i];  // expect: load clean
  // expect: load,store clean sectors=4 ideal=4 lines=1 pattern=coalesced
  out[i] = values[from];
}

namespace {

constexpr unsigned kBlock = 256;

// Every index once, in an order that is random and the same everywhere.
std::vector<int> Indices(std::size_t n, bool sorted) {
  std::vector<int> index(n);
  std::iota(index.begin(), index.end(), 0);
  if (sorted) return index;
  std::mt19937_64 random(20240229);
  for (std::size_t i = n - 1; i > 0; --i) std::swap(index[i], index[random() % (i + 1)]);
  return index;
}

void Run(const Arguments& arguments) {
  const unsigned n = static_cast<unsigned>(arguments.n);
  DeviceArray<float> values(n);
  values.FillWithPattern();
  const auto measure = [&](const char* name, auto kernel, bool sorted) {
    if (!arguments.Wants(name)) return;
    const std::vector<int> indices = Indices(n, sorted);
    DeviceArray<int> index(n);
    index.FillRepeating(indices);
    DeviceArray<float> out(n);
    const Timing timing = Measure(arguments.launches, [&] {
      kernel<<<n / kBlock, kBlock>>>(index.data(), values.data(), out.data(), n);
    });
    Verify(name, out, [&](std::size_t i) { return PatternAt<float>(indices[i]); });
    PrintBandwidth(name, timing, n * (2.0 * sizeof(float) + sizeof(int)));
  };
  measure("gather_unsorted", gather_unsorted, false);
  measure("gather_sorted", gather_sorted, true);
}

void CountAccesses(const Arguments& arguments, Reference& reference) {
  const unsigned n = static_cast<unsigned>(arguments.n);
  const auto add = [&](int index_line, int value_line, const char* kernel, bool sorted) {
    if (!arguments.Wants(kernel)) return;
    const std::vector<int> indices = Indices(n, sorted);
    const auto own = [](const Thread& t) { return At<float>(GlobalX(t)); };
    reference.Add({index_line, kernel, "load", 4}, n / kBlock, kBlock, own);
    reference.Add({value_line, kernel, "load", 4}, n / kBlock, kBlock,
                  [&](const Thread& t) { return At<float>(indices[GlobalX(t)]); });
    reference.Add({value_line, kernel, "store", 4}, n / kBlock, kBlock, own);
  };
  add(kUnsortedIndexLine, kUnsortedValueLine, "gather_unsorted", false);
  add(kSortedIndexLine, kSortedValueLine, "gather_sorted", true);
}

}  // namespace

int main(int argc, char** argv) {
  return Main(argc, argv,
              {.name = "gather",
               .summary = "gathers n floats through an index array, unsorted and sorted",
               .source = __FILE__,
               .size = {"floats to gather", 1 << 22, kBlock},
               .run = Run,
               .count = CountAccesses,
               .kernels = {"gather_unsorted", "gather_sorted"}});
}
