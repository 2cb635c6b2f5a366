// SPDX-License-Identifier: Apache-2.0
//
// Runs a fuzzer's entry point as a normal test: every file of a corpus, then mutants of those files
// made with a fixed seed, so that a failure comes again.
#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <random>
#include <string>
#include <vector>

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size);

namespace {

constexpr std::uint32_t kSeed = 20251120;

std::vector<std::string> ReadCorpus(const std::filesystem::path& folder) {
  std::vector<std::filesystem::path> files;
  for (const auto& entry : std::filesystem::directory_iterator(folder)) {
    if (entry.is_regular_file()) files.push_back(entry.path());
  }
  std::sort(files.begin(), files.end());  // the mutants depend on the order
  std::vector<std::string> corpus;
  for (const auto& file : files) {
    std::ifstream stream(file, std::ios::binary);
    corpus.emplace_back(std::istreambuf_iterator<char>(stream), std::istreambuf_iterator<char>());
  }
  return corpus;
}

class Mutator {
 public:
  explicit Mutator(const std::vector<std::string>& corpus) : corpus_(corpus) {}

  std::string Next() {
    std::string input = corpus_[Below(corpus_.size())];
    // Formats made of offsets break at once when bytes move, so half of the mutants keep their
    // size.
    const std::size_t ways = Below(2) == 0 ? 3 : 6;
    for (std::size_t left = 1 + Below(6); left > 0; --left) MutateOnce(input, Below(ways));
    return input;
  }

 private:
  std::size_t Below(std::size_t limit) { return limit == 0 ? 0 : random_() % limit; }

  void MutateOnce(std::string& input, std::size_t way) {
    if (input.empty()) return;
    const std::size_t at = Below(input.size());
    switch (way) {
      case 0:
        input[at] = static_cast<char>(input[at] ^ (1 << Below(8)));
        break;
      case 1:
        input[at] = static_cast<char>(random_());
        break;
      case 2:  // a length or an offset at its limits
        for (std::size_t i = at; i < std::min(at + 4, input.size()); ++i) {
          input[i] = at % 2 == 0 ? '\xff' : '\0';
        }
        break;
      case 3:
        input.resize(at);
        break;
      case 4:
        input.erase(at, 1 + Below(16));
        break;
      default: {
        const std::string& other = corpus_[Below(corpus_.size())];
        input.insert(at, other.substr(Below(other.size()), 1 + Below(64)));
      }
    }
  }

  const std::vector<std::string>& corpus_;
  std::mt19937 random_{kSeed};
};

void RunOne(const std::string& input) {
  LLVMFuzzerTestOneInput(reinterpret_cast<const std::uint8_t*>(input.data()), input.size());
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 3) {
    std::fprintf(stderr, "usage: %s CORPUS_FOLDER MUTANTS\n", argv[0]);
    return EXIT_FAILURE;
  }
  const std::vector<std::string> corpus = ReadCorpus(argv[1]);
  if (corpus.empty()) {
    std::fprintf(stderr, "no file in %s\n", argv[1]);
    return EXIT_FAILURE;
  }
  for (const std::string& input : corpus) RunOne(input);
  const int mutants = std::atoi(argv[2]);
  Mutator mutator(corpus);
  for (int i = 0; i < mutants; ++i) RunOne(mutator.Next());
  std::printf("%zu corpus files and %d mutants\n", corpus.size(), mutants);
  return EXIT_SUCCESS;
}
