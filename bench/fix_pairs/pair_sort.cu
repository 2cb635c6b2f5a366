// SPDX-License-Identifier: Apache-2.0
//
// A step of a bitonic sort of keys with values: field by field, or a pair at once.
#include "bench/fix_pairs/pair.h"

using namespace fix_pairs;

constexpr unsigned kPairs = 1 << 22;
constexpr unsigned kBlock = 256;
constexpr unsigned kApart = 1 << 10;

struct KeyValue {
  unsigned key;
  unsigned value;
};

__global__ void pair_sort_bad(KeyValue* pairs, unsigned apart, unsigned run) {
  const unsigned t = blockIdx.x * blockDim.x + threadIdx.x;
  const unsigned i = t / apart * 2 * apart + t % apart;
  const unsigned j = i + apart;
  const bool is_rising = (i & run) == 0;
  if ((pairs[i].key > pairs[j].key) != is_rising) return;
  const unsigned key = pairs[i].key;
  const unsigned value = pairs[i].value;
  pairs[i].key = pairs[j].key;
  pairs[i].value = pairs[j].value;
  pairs[j].key = key;
  pairs[j].value = value;
}

__global__ void pair_sort_good(uint2* pairs, unsigned apart, unsigned run) {
  const unsigned t = blockIdx.x * blockDim.x + threadIdx.x;
  const unsigned i = t / apart * 2 * apart + t % apart;
  const unsigned j = i + apart;
  const bool is_rising = (i & run) == 0;
  const uint2 a = pairs[i];
  const uint2 b = pairs[j];
  if ((a.x > b.x) != is_rising) return;
  pairs[i] = b;
  pairs[j] = a;
}

template <typename T, typename Kernel>
Side Make(Kernel kernel) {
  const auto start = MakeArray<unsigned>(std::size_t{2} * kPairs);
  start->FillWithPattern();
  return {[=] {
            kernel<<<kPairs / 2 / kBlock, kBlock>>>(reinterpret_cast<T*>(start->data()), kApart,
                                                    4 * kApart);
          },
          [=] { return Values(*start); }};
}

int main(int argc, char** argv) {
  return Main(argc, argv,
              {"pair_sort", [] { return Make<KeyValue>(pair_sort_bad); },
               [] { return Make<uint2>(pair_sort_good); }});
}
