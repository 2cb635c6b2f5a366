// SPDX-License-Identifier: Apache-2.0
//
// A hash of each of many messages, a thread to a message: lanes read 256 bytes apart, between much
// integer arithmetic. The repair interleaves the messages' words.
#include "bench/fix_pairs/pair.h"

using namespace fix_pairs;

constexpr unsigned kMessages = 1 << 19;
constexpr unsigned kWords = 64;
constexpr unsigned kRounds = 16;
constexpr unsigned kBlock = 256;

__device__ unsigned Absorb(unsigned hash, unsigned word) {
  hash ^= word;
  for (unsigned round = 0; round < kRounds; ++round) {
    hash ^= hash >> 15U;
    hash = hash * 2654435761U + round;
  }
  return hash;
}

__global__ void batch_hash_bad(const unsigned* words, unsigned* hashes) {
  const unsigned message = blockIdx.x * blockDim.x + threadIdx.x;
  unsigned hash = 1;
  for (unsigned w = 0; w < kWords; ++w) hash = Absorb(hash, words[message * kWords + w]);
  hashes[message] = hash;
}

__global__ void batch_hash_good(const unsigned* words, unsigned* hashes) {
  const unsigned message = blockIdx.x * blockDim.x + threadIdx.x;
  unsigned hash = 1;
  for (unsigned w = 0; w < kWords; ++w) hash = Absorb(hash, words[w * kMessages + message]);
  hashes[message] = hash;
}

Side Make(void (*kernel)(const unsigned*, unsigned*), bool interleaved) {
  std::vector<unsigned> text(std::size_t{kMessages} * kWords);
  for (unsigned i = 0; i < text.size(); ++i) {
    text[i] = interleaved ? i % kMessages * kWords + i / kMessages : i;
  }
  const auto words = std::make_shared<DeviceArray<unsigned>>(text);
  const auto hashes = MakeArray<unsigned>(kMessages);
  return {[=] { kernel<<<kMessages / kBlock, kBlock>>>(words->data(), hashes->data()); },
          [=] { return Values(*hashes); }};
}

int main(int argc, char** argv) {
  return Main(argc, argv,
              {"batch_hash", [] { return Make(batch_hash_bad, false); },
               [] { return Make(batch_hash_good, true); }});
}
