// SPDX-License-Identifier: Apache-2.0
//
// Looks for a compared register that each round steps on, through additions of constants and moves.
#include "libcoalcheck/machine_code/counted_loop.h"

#include <algorithm>
#include <optional>
#include <utility>
#include <vector>

namespace coalcheck::machine_code {
namespace {

constexpr std::uint32_t kMov = 0x002;
constexpr std::uint32_t kIsetp = 0x00c;
constexpr std::uint32_t kIadd3 = 0x010;
constexpr std::uint32_t kViadd = 0x036;
constexpr std::uint32_t kUmov = 0x082;
constexpr std::uint32_t kUisetp = 0x08c;
constexpr std::uint32_t kUiadd3 = 0x090;
constexpr std::uint32_t kImmediate = 4;      // form: the second operand
constexpr std::uint32_t kTruePredicate = 7;  // PT
constexpr unsigned kFirstPredicate = 81;
constexpr unsigned kCombinedWith = 87;
// From one round to the next a counter goes through a few registers.
constexpr int kMostSteps = 4;

bool IsCompare(const Word& word) {
  const bool is_extended = word.Bits(72, 1) != 0;  // the upper half of 64 bits
  return (word.opcode() == kIsetp || word.opcode() == kUisetp) && !is_extended &&
         !word.is_guarded() && word.Bits(kCombinedWith, 3) == kTruePredicate;
}

bool AddsConstant(const Word& word) {
  const bool adds = word.opcode() == kIadd3 || word.opcode() == kViadd || word.opcode() == kUiadd3;
  const bool negated_or_extended = word.Bits(72, 1) != 0 || word.Bits(74, 1) != 0;
  return adds && word.form() == kImmediate && word.Bits(32, 32) != 0 && !negated_or_extended;
}

bool Moves(const Word& word) { return word.opcode() == kMov || word.opcode() == kUmov; }

bool IsPredicate(unsigned place) { return place >= kPredicate && place < kSharedMemory; }

class CountedLoop {
 public:
  CountedLoop(const CodeView& code, std::span<const std::uint32_t> loop)
      : code_(code), loop_(loop) {}

  bool Ends() const {
    return std::ranges::any_of(loop_, [this](std::uint32_t block) { return LeavesByCount(block); });
  }

 private:
  bool IsInside(std::uint32_t block) const {
    return std::binary_search(loop_.begin(), loop_.end(), block);
  }

  bool LeavesByCount(std::uint32_t number) const {
    const Block& block = code_.blocks[number];
    const bool leaves = block.leaves || std::ranges::any_of(block.successors, [this](auto to) {
                          return !IsInside(to);
                        });
    if (!leaves || !IsInEveryRound(number)) return false;
    const std::optional<std::uint32_t> compare = CompareOf(block);
    if (!compare) return false;
    for (const PlaceRange& read : ReadOperands(code_.words[*compare], code_.sm).reads) {
      if (read.count == 1 && !IsPredicate(read.first) && IsCounter(read.first)) return true;
    }
    return false;
  }

  // The comparison that decides the branch at the end of `block`.
  std::optional<std::uint32_t> CompareOf(const Block& block) const {
    const Word& branch = code_.words[block.end - 1];
    if (!branch.is_guarded()) return std::nullopt;
    const unsigned predicate = branch.guard();
    for (std::uint32_t n = block.end - 1; n > block.begin; --n) {
      const Word& word = code_.words[n - 1];
      for (const PlaceRange& write : ReadOperands(word, code_.sm).writes) {
        const unsigned place = kPredicate + predicate;
        if (place < write.first || place >= write.first + write.count) continue;
        const bool is_it = IsCompare(word) && word.opcode() == kIsetp &&
                           word.Bits(kFirstPredicate, 3) == predicate;
        return is_it ? std::optional(n - 1) : std::nullopt;
      }
    }
    return std::nullopt;
  }

  // The only instruction of the loop that writes `place`, if there is just one.
  std::optional<std::uint32_t> OnlyWriter(unsigned place) const {
    std::optional<std::uint32_t> writer;
    for (const std::uint32_t block : loop_) {
      for (std::uint32_t n = code_.blocks[block].begin; n < code_.blocks[block].end; ++n) {
        if (!code_.MayWrite(n, place)) continue;
        if (writer || !IsInEveryRound(block)) return std::nullopt;
        writer = n;
      }
    }
    return writer;
  }

  // Whether the value of `place` in one round is that of the round before and a constant.
  bool IsCounter(unsigned place) const {
    bool adds = false;
    unsigned at = place;
    for (int step = 0; step < kMostSteps; ++step) {
      const std::optional<std::uint32_t> writer = OnlyWriter(at);
      if (!writer) return false;
      const Word& word = code_.words[*writer];
      if (word.is_guarded() || (!Moves(word) && !AddsConstant(word))) return false;
      if (AddsConstant(word) && std::exchange(adds, true)) return false;
      const std::optional<unsigned> source = OnlySource(word);
      if (!source) return false;
      if (*source == place) return adds;
      at = *source;
    }
    return false;
  }

  std::optional<unsigned> OnlySource(const Word& word) const {
    std::optional<unsigned> source;
    for (const PlaceRange& read : ReadOperands(word, code_.sm).reads) {
      if (source || read.count != 1 || IsPredicate(read.first)) return std::nullopt;
      source = read.first;
    }
    return source;
  }

  // Whether every path through the loop from an entry back to it passes `block`.
  bool IsInEveryRound(std::uint32_t block) const {
    for (const std::uint32_t member : loop_) {
      const auto& from = code_.blocks[member].predecessors;
      const bool is_entry = member == loop_.front() ||
                            std::ranges::any_of(from, [this](auto one) { return !IsInside(one); });
      if (is_entry && member != block && ReachesItself(member, block)) return false;
    }
    return true;
  }

  bool ReachesItself(std::uint32_t start, std::uint32_t without) const {
    std::vector<std::uint32_t> open{start};
    std::vector<std::uint32_t> seen;
    while (!open.empty()) {
      const std::uint32_t from = open.back();
      open.pop_back();
      for (const std::uint32_t to : code_.blocks[from].successors) {
        if (to == start) return true;
        if (to == without || !IsInside(to) || std::ranges::find(seen, to) != seen.end()) continue;
        seen.push_back(to);
        open.push_back(to);
      }
    }
    return false;
  }

  const CodeView& code_;
  std::span<const std::uint32_t> loop_;
};

// Larger loops are not searched: the search is quadratic.
constexpr std::size_t kMostBlocks = 200;

}  // namespace

bool EndsByCounting(const CodeView& code, std::span<const std::uint32_t> loop) {
  return loop.size() <= kMostBlocks && CountedLoop(code, loop).Ends();
}

}  // namespace coalcheck::machine_code
