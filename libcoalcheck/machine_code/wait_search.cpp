// SPDX-License-Identifier: Apache-2.0
//
// A search over blocks, each of which is looked at once from its end.
#include "libcoalcheck/machine_code/wait_search.h"

#include <algorithm>
#include <utility>

namespace coalcheck::machine_code {
namespace {

bool IsCall(Flow flow) {
  return flow == Flow::kCall || flow == Flow::kCallSymbol || flow == Flow::kCallRegister;
}

// Not the one in std::ranges: clang 14 cannot compile what it returns.
void SortOnce(std::vector<std::uint32_t>& numbers) {
  std::ranges::sort(numbers);
  numbers.erase(std::unique(numbers.begin(), numbers.end()), numbers.end());
}

}  // namespace

WaitSearch::WaitSearch(std::span<const Word> words, std::span<const Instruction> instructions,
                       const ControlFlow& flow, std::uint64_t most_steps)
    : words_(words),
      instructions_(instructions),
      flow_(flow),
      steps_left_(most_steps),
      seen_by_(flow.blocks.size(), 0) {}

WaitSearch::Found WaitSearch::PassedBefore(std::uint32_t n,
                                           const std::function<bool(std::uint32_t)>& is_wanted,
                                           const std::function<bool(std::uint32_t)>& ends) {
  Found found;
  if (n >= instructions_.size()) return found;
  ++searches_;
  std::vector<std::uint32_t> open;
  // Searches the instructions before `end` in its block, then the preceding blocks, unless the path
  // ends here.
  const auto scan = [&](std::uint32_t block, std::uint32_t end) {
    for (std::uint32_t i = end; i > flow_.blocks[block].begin; --i) {
      if (steps_left_ == 0 || IsCall(instructions_[i - 1].flow)) {
        found.complete = false;
        return;
      }
      --steps_left_;
      if (is_wanted(i - 1)) found.instructions.push_back(i - 1);
      if (ends(i - 1)) return;
    }
    for (const std::uint32_t before : flow_.blocks[block].predecessors) {
      if (std::exchange(seen_by_[before], searches_) != searches_) open.push_back(before);
    }
  };
  scan(flow_.block_of[n], n);
  while (!open.empty()) {
    const std::uint32_t block = open.back();
    open.pop_back();
    scan(block, flow_.blocks[block].end);
  }
  SortOnce(found.instructions);
  return found;
}

WaitSearch::Found WaitSearch::SettersFor(std::uint32_t n) {
  Found all;
  if (n >= words_.size()) return all;
  const ControlBits waiting = ReadControlBits(words_[n]);
  for (Scoreboard scoreboard = 0; scoreboard < kScoreboards; ++scoreboard) {
    if (!waiting.WaitsFor(scoreboard)) continue;
    const Found one = PassedBefore(
        n, [&](std::uint32_t i) { return ReadControlBits(words_[i]).Sets(scoreboard); },
        [&](std::uint32_t i) { return ReadControlBits(words_[i]).WaitsFor(scoreboard); });
    all.instructions.insert(all.instructions.end(), one.instructions.begin(),
                            one.instructions.end());
    all.complete = all.complete && one.complete;
  }
  SortOnce(all.instructions);
  return all;
}

}  // namespace coalcheck::machine_code
