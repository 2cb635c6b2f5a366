// SPDX-License-Identifier: Apache-2.0
//
// Looking keys up in a table of buckets: a thread goes through its key's bucket; a warp does, side
// by side.
#include <random>

#include "bench/fix_pairs/pair.h"

using namespace fix_pairs;

constexpr unsigned kBuckets = 1 << 16;
constexpr unsigned kSlots = 64;  // of a bucket
constexpr unsigned kKeys = 1 << 18;
constexpr unsigned kBlock = 256;

__host__ __device__ unsigned BucketOf(unsigned key) { return key * 2654435761U >> 16U; }

__global__ void bucket_probe_bad(const unsigned* keys, const unsigned* slots, int* found) {
  const unsigned t = blockIdx.x * blockDim.x + threadIdx.x;
  const unsigned key = keys[t];
  const unsigned* const bucket = slots + BucketOf(key) * kSlots;
  int hits = 0;
  for (unsigned k = 0; k < kSlots; ++k) hits += bucket[k] == key ? 1 : 0;
  found[t] = hits;
}

__global__ void bucket_probe_good(const unsigned* keys, const unsigned* slots, int* found) {
  const unsigned t = (blockIdx.x * blockDim.x + threadIdx.x) / 32;
  const unsigned lane = threadIdx.x % 32;
  const unsigned key = keys[t];
  const unsigned* const bucket = slots + BucketOf(key) * kSlots;
  int hits = 0;
  for (unsigned k = lane; k < kSlots; k += 32) hits += bucket[k] == key ? 1 : 0;
  for (int offset = 16; offset > 0; offset /= 2) hits += __shfl_down_sync(~0U, hits, offset);
  if (lane == 0) found[t] = hits;
}

template <typename Kernel>
Side Make(Kernel kernel, unsigned threads) {
  std::mt19937 random(20240229);
  std::vector<unsigned> some(kKeys);
  for (unsigned& one : some) one = random();
  std::vector<unsigned> table(std::size_t{kBuckets} * kSlots);
  for (std::size_t i = 0; i < some.size(); i += 2) {
    table[BucketOf(some[i]) * kSlots + i / 2 % kSlots] = some[i];
  }
  const auto keys = std::make_shared<DeviceArray<unsigned>>(some);
  const auto slots = std::make_shared<DeviceArray<unsigned>>(table);
  const auto found = MakeArray<int>(kKeys);
  return {[=] { kernel<<<threads / kBlock, kBlock>>>(keys->data(), slots->data(), found->data()); },
          [=] { return Values(*found); }};
}

int main(int argc, char** argv) {
  return Main(argc, argv,
              {"bucket_probe", [] { return Make(bucket_probe_bad, kKeys); },
               [] { return Make(bucket_probe_good, kKeys * 32); }});
}
