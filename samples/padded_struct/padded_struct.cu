// SPDX-License-Identifier: Apache-2.0
//
// Reading one float of {float; double} looks like unit stride and is a stride of 16 bytes: the
// compiler puts four bytes of padding behind the float.
#include "samples/common/sample.h"

using namespace samples;

struct Record {
  float weight;
  double value;
};
static_assert(sizeof(Record) == 16);

constexpr int kStructLine = __LINE__ + 6;

__global__ void weights_of_structs(const Record* records, float* out, unsigned n) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) {
    // expect: load sectors=16 ideal=4 lines=4 pattern=strided:16; store clean
    out[i] = records[i].weight;
  }
}

constexpr int kArrayLine = __LINE__ + 6;

__global__ void weights_of_array(const float* weights, float* out, unsigned n) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) {
    // expect: load,store clean pattern=coalesced
    out[i] = weights[i];
  }
}

namespace {

constexpr unsigned kBlock = 256;

template <typename Element>
void Measured(const Arguments& arguments, const char* name,
              void (*kernel)(const Element*, float*, unsigned),
              const std::vector<Element>& pattern) {
  if (!arguments.Wants(name)) return;
  const unsigned n = static_cast<unsigned>(arguments.n);
  DeviceArray<Element> in(n);
  DeviceArray<float> out(n);
  in.FillRepeating(pattern);
  const Timing timing = Measure(arguments.launches,
                                [&] { kernel<<<n / kBlock, kBlock>>>(in.data(), out.data(), n); });
  Verify(name, out, PatternAt<float>);
  PrintBandwidth(name, timing, 2.0 * n * sizeof(float));
}

void Run(const Arguments& arguments) {
  std::vector<Record> records(kPatternLength);
  std::vector<float> weights(kPatternLength);
  for (std::size_t i = 0; i < kPatternLength; ++i) {
    weights[i] = PatternAt<float>(i);
    records[i] = {weights[i], 0.5};
  }
  Measured(arguments, "weights_of_structs", weights_of_structs, records);
  Measured(arguments, "weights_of_array", weights_of_array, weights);
}

void CountAccesses(const Arguments& arguments, Reference& reference) {
  const unsigned grid = static_cast<unsigned>(arguments.n) / kBlock;
  const auto add = [&](int line, const char* kernel, std::uint64_t element_size) {
    if (!arguments.Wants(kernel)) return;
    reference.Add({line, kernel, "load", 4}, grid, kBlock,
                  [=](const Thread& t) { return GlobalX(t) * element_size; });
    reference.Add({line, kernel, "store", 4}, grid, kBlock,
                  [=](const Thread& t) { return At<float>(GlobalX(t)); });
  };
  add(kStructLine, "weights_of_structs", sizeof(Record));
  add(kArrayLine, "weights_of_array", sizeof(float));
}

}  // namespace

int main(int argc, char** argv) {
  return Main(argc, argv,
              {.name = "padded_struct",
               .summary = "copies the float out of n structures {float; double}",
               .source = __FILE__,
               .size = {"structures", 1 << 22, kBlock},
               .run = Run,
               .count = CountAccesses,
               .kernels = {"weights_of_structs", "weights_of_array"}});
}
