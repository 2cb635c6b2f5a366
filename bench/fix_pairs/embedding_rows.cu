// SPDX-License-Identifier: Apache-2.0
//
// An embedding lookup by 64-bit indices: a thread copies a whole row of 64 floats, so that lanes
// are in rows of their own; a warp copies a row side by side.
#include <random>

#include "bench/fix_pairs/pair.h"

using namespace fix_pairs;

constexpr unsigned kVocabulary = 1 << 19;
constexpr unsigned kTokens = 31 << 14;
constexpr unsigned kDim = 64;
constexpr unsigned kBlock = 256;

__global__ void embedding_rows_bad(const std::int64_t* tokens, const float* table, float* out) {
  const std::int64_t t = std::int64_t{blockIdx.x} * blockDim.x + threadIdx.x;
  const std::int64_t row = tokens[t];
  for (unsigned k = 0; k < kDim; ++k) out[t * kDim + k] = table[row * kDim + k];
}

__global__ void embedding_rows_good(const std::int64_t* tokens, const float* table, float* out) {
  const std::int64_t t = (std::int64_t{blockIdx.x} * blockDim.x + threadIdx.x) / 32;
  const std::int64_t row = tokens[t];
  for (unsigned k = threadIdx.x % 32; k < kDim; k += 32) {
    out[t * kDim + k] = table[row * kDim + k];
  }
}

template <typename Kernel>
Side Make(Kernel kernel, unsigned threads) {
  std::mt19937 random(20240229);
  std::vector<std::int64_t> some(kTokens);
  for (std::int64_t& one : some) one = random() % kVocabulary;
  const auto tokens = std::make_shared<DeviceArray<std::int64_t>>(some);
  const auto table = MakeArray<float>(std::size_t{kVocabulary} * kDim);
  table->FillWithPattern();
  const auto out = MakeArray<float>(std::size_t{kTokens} * kDim);
  return {[=] { kernel<<<threads / kBlock, kBlock>>>(tokens->data(), table->data(), out->data()); },
          [=] { return Values(*out); }};
}

int main(int argc, char** argv) {
  return Main(argc, argv,
              {"embedding_rows", [] { return Make(embedding_rows_bad, kTokens); },
               [] { return Make(embedding_rows_good, kTokens * 32); }});
}
