// SPDX-License-Identifier: Apache-2.0
//
// How far words of 32 letters agree with one: a thread to a word, whose letters lie side by side or
// beside those of the other words.
#include "bench/fix_pairs/pair.h"

using namespace fix_pairs;

constexpr unsigned kWords = 1 << 19;
constexpr unsigned kLetters = 32;
constexpr unsigned kBlock = 256;

__global__ void fixed_words_bad(const char* words, const char* wanted, unsigned* agrees,
                                unsigned count) {
  const unsigned w = blockIdx.x * blockDim.x + threadIdx.x;
  if (w >= count) return;
  unsigned k = 0;
  while (k < kLetters && words[w * kLetters + k] == wanted[k]) ++k;
  agrees[w] = k;
}

__global__ void fixed_words_good(const char* words, const char* wanted, unsigned* agrees,
                                 unsigned count) {
  const unsigned w = blockIdx.x * blockDim.x + threadIdx.x;
  if (w >= count) return;
  unsigned k = 0;
  while (k < kLetters && words[k * count + w] == wanted[k]) ++k;
  agrees[w] = k;
}

template <typename Kernel>
Side Make(Kernel kernel, bool is_by_letter) {
  std::vector<char> all(std::size_t{kWords} * kLetters, 'a');
  for (std::size_t w = 0; w < kWords; ++w) {
    const std::size_t k = w * 7 % 40;
    if (k < kLetters) all[is_by_letter ? k * kWords + w : w * kLetters + k] = 'b';
  }
  const auto words = std::make_shared<DeviceArray<char>>(all);
  const auto wanted =
      std::make_shared<DeviceArray<char>>(std::vector<char>(std::size_t{kLetters}, 'a'));
  const auto agrees = MakeArray<unsigned>(kWords);
  return {[=] {
            kernel<<<kWords / kBlock, kBlock>>>(words->data(), wanted->data(), agrees->data(),
                                                kWords);
          },
          [=] { return Values(*agrees); }};
}

int main(int argc, char** argv) {
  return Main(argc, argv,
              {"fixed_words", [] { return Make(fixed_words_bad, false); },
               [] { return Make(fixed_words_good, true); }});
}
