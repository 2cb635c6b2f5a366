// SPDX-License-Identifier: Apache-2.0
//
// Looks for a compared register that each round steps on, through additions of constants and moves.
#include "libcoalcheck/machine_code/counted_loop.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <optional>
#include <utility>
#include <vector>

#include "libcoalcheck/machine_code/opcodes.h"

namespace coalcheck::machine_code {
namespace {

constexpr std::uint32_t kImmediate = 4;      // form: the second operand
constexpr std::uint32_t kTruePredicate = 7;  // PT
constexpr unsigned kFirstPredicate = 81;
constexpr unsigned kShiftOfLea = 75;
constexpr unsigned kUpperWord = 80;
constexpr unsigned kExtendedBy = 68;  // the predicate of the lower half
constexpr unsigned kCombinedWith = 87;
// From one round to the next a counter goes through a few registers.
constexpr int kMostSteps = 4;

bool IsCompare(const Word& word) {
  const bool is_extended = word.Bits(72, 1) != 0;  // the upper half of 64 bits
  return (word.opcode() == opcode::kIsetp || word.opcode() == opcode::kUisetp) && !is_extended &&
         !word.is_guarded() && word.Bits(kCombinedWith, 3) == kTruePredicate;
}

bool AddsConstant(const Word& word) {
  const bool adds = word.opcode() == opcode::kIadd3 || word.opcode() == opcode::kViadd ||
                    word.opcode() == opcode::kUiadd3;
  const bool negated_or_extended = word.Bits(72, 1) != 0 || word.Bits(74, 1) != 0;
  return adds && word.form() == kImmediate && word.Bits(32, 32) != 0 && !negated_or_extended;
}

bool Moves(const Word& word) {
  return word.opcode() == opcode::kMov || word.opcode() == opcode::kUmov;
}

bool IsPredicate(unsigned location) { return location >= kPredicate && location < kSharedMemory; }

class CountedLoop {
 public:
  CountedLoop(const CodeView& code, std::span<const std::uint32_t> loop, std::uint64_t& steps_left)
      : code_(code), loop_(loop), steps_left_(steps_left) {}

  bool Ends() {
    return std::ranges::any_of(loop_, [this](std::uint32_t block) { return LeavesByCount(block); });
  }

  std::optional<double> Rounds(LaunchEvaluator& values) {
    std::optional<double> least;
    for (const std::uint32_t block : loop_) {
      if (!Leaves(block) || !IsInEveryRound(block)) continue;
      const std::optional<std::uint32_t> compare = AnyCompareOf(block);
      if (!compare) continue;
      const Word& word = code_.words[*compare];
      const Operand sides[] = {values.First(word), values.Second(word)};
      for (int counter = 0; counter < 2; ++counter) {
        const auto rounds = RoundsTo(sides[1 - counter], sides[counter], *compare, values);
        if (rounds) least = std::min(least.value_or(*rounds), *rounds);
      }
    }
    return least;
  }

 private:
  // Takes a step, of which there may be none left: then what is searched for is not there.
  bool Step() {
    const bool has_room = steps_left_ > 0;
    if (has_room) --steps_left_;
    return has_room;
  }

  bool MayWrite(std::uint32_t n, unsigned location) {
    return Step() && code_.MayWrite(n, location);
  }

  bool IsInside(std::uint32_t block) const {
    return std::binary_search(loop_.begin(), loop_.end(), block);
  }

  bool Leaves(std::uint32_t number) const {
    const Block& block = code_.blocks[number];
    return block.leaves ||
           std::ranges::any_of(block.successors, [this](auto to) { return !IsInside(to); });
  }

  bool LeavesByCount(std::uint32_t number) {
    const Block& block = code_.blocks[number];
    if (!Leaves(number) || !IsInEveryRound(number)) return false;
    const std::optional<std::uint32_t> compare = CompareOf(block);
    if (!compare) return false;
    for (const LocationRange& read : ReadOperands(code_.words[*compare], code_.sm).reads) {
      if (read.count == 1 && !IsPredicate(read.first) && IsCounter(read.first)) return true;
    }
    return false;
  }

  // The comparison that decides the branch at the end of `block`.
  std::optional<std::uint32_t> CompareOf(const Block& block) {
    const Word& branch = code_.words[block.end - 1];
    if (!branch.is_guarded()) return std::nullopt;
    const unsigned predicate = branch.guard();
    for (std::uint32_t n = block.end - 1; n > block.begin && Step(); --n) {
      const Word& word = code_.words[n - 1];
      for (const LocationRange& write : ReadOperands(word, code_.sm).writes) {
        const unsigned location = kPredicate + predicate;
        if (location < write.first || location >= write.first + write.count) continue;
        const bool is_it = IsCompare(word) && word.opcode() == opcode::kIsetp &&
                           word.Bits(kFirstPredicate, 3) == predicate;
        return is_it ? std::optional(n - 1) : std::nullopt;
      }
    }
    return std::nullopt;
  }

  // The same, also of the lower halves of 64 bits, of uniform registers, in a block before, and
  // where other conditions are asked, too.
  std::optional<std::uint32_t> AnyCompareOf(std::uint32_t block) {
    unsigned location = kPredicate + code_.words[code_.blocks[block].end - 1].guard();
    std::uint32_t before = code_.blocks[block].end;
    for (int i = 0; i < kMostSteps; ++i) {
      const std::optional<std::uint32_t> n = WriterBefore(block, before, location);
      if (!n) return std::nullopt;
      const Word& word = code_.words[*n];
      const bool is_uniform = word.opcode() == opcode::kUisetp;
      if (is_uniform || word.opcode() == opcode::kIsetp) {
        if (word.Bits(72, 1) == 0) return n;
        location = (is_uniform ? kUniformPredicate : kPredicate) + word.Bits(kExtendedBy, 3);
      } else if (word.opcode() == opcode::kPlop3) {
        location = kUniformPredicate + word.Bits(kExtendedBy, 3);
      } else {
        return std::nullopt;
      }
      block = BlockOf(*n);
      before = *n;
    }
    return std::nullopt;
  }

  // The instruction of the loop that wrote `location` last, whichever way led to instruction `n`.
  std::optional<std::uint32_t> WriterBefore(std::uint32_t block, std::uint32_t n,
                                            unsigned location) {
    std::optional<std::uint32_t> writer;
    std::vector<std::pair<std::uint32_t, std::uint32_t>> open{{block, n}};
    std::vector<std::uint32_t> seen;
    while (!open.empty()) {
      if (steps_left_ == 0) return std::nullopt;
      const auto [at, end] = open.back();
      open.pop_back();
      std::uint32_t i = end;
      while (i > code_.blocks[at].begin && !Writes(i - 1, location)) --i;
      if (i > code_.blocks[at].begin) {
        if (writer && *writer != i - 1) return std::nullopt;
        writer = i - 1;
        continue;
      }
      for (const std::uint32_t from : code_.blocks[at].predecessors) {
        if (!Step() || !IsInside(from)) return std::nullopt;
        if (std::ranges::find(seen, from) != seen.end()) continue;
        seen.push_back(from);
        open.emplace_back(from, code_.blocks[from].end);
      }
    }
    return writer;
  }

  bool Writes(std::uint32_t n, unsigned location) {
    return Step() && std::ranges::any_of(ReadOperands(code_.words[n], code_.sm).writes,
                                         [location](const LocationRange& write) {
                                           return location >= write.first &&
                                                  location < write.first + write.count;
                                         });
  }

  // From what the counter is when the loop begins to `bound`, step by step.
  std::optional<double> RoundsTo(const Operand& bound, const Operand& counter,
                                 std::uint32_t compare, LaunchEvaluator& values) {
    if (counter.kind != Operand::Kind::kRegister) return std::nullopt;
    const std::optional<double> step = StepOf(counter.location, values);
    if (!step || *step == 0) return std::nullopt;
    const std::optional<double> from = AtEntry(counter.location, values);
    const std::optional<double> to = values.Of(bound, BlockOf(compare), compare);
    if (!from || !to) return std::nullopt;
    return std::abs(*to - *from) / std::abs(*step) + 1;
  }

  // The greatest that the location holds where the loop is entered.
  std::optional<double> AtEntry(unsigned location, LaunchEvaluator& values) const {
    std::optional<double> greatest;
    for (const std::uint32_t block : loop_) {
      for (const std::uint32_t from : code_.blocks[block].predecessors) {
        if (IsInside(from)) continue;
        const auto value = values.Before(from, code_.blocks[from].end, location);
        if (!value) return std::nullopt;
        greatest = std::max(greatest.value_or(*value), *value);
      }
    }
    return greatest;
  }

  // By how much each round steps the location on; nothing where that cannot be seen.
  std::optional<double> StepOf(unsigned location, LaunchEvaluator& values) {
    if (const auto sum = SumOfSteps(location, values)) return sum;
    double step = 0;
    unsigned at = location;
    for (int i = 0; i < kMostSteps; ++i) {
      const std::optional<std::uint32_t> writer = OnlyWriter(at);
      if (!writer || code_.words[*writer].is_guarded()) return std::nullopt;
      const std::optional<unsigned> source = SteppedFrom(*writer, location, step, values);
      if (!source) return std::nullopt;
      if (*source == location) return step;
      at = *source;
    }
    return std::nullopt;
  }

  // Where each instruction that writes the location adds to it.
  std::optional<double> SumOfSteps(unsigned location, LaunchEvaluator& values) {
    double step = 0;
    for (const std::uint32_t block : loop_) {
      for (std::uint32_t n = code_.blocks[block].begin; n < code_.blocks[block].end; ++n) {
        if (!MayWrite(n, location)) continue;
        if (code_.words[n].is_guarded() || !IsInEveryRound(block)) return std::nullopt;
        if (SteppedFrom(n, location, step, values) != location) return std::nullopt;
      }
    }
    return step == 0 || steps_left_ == 0 ? std::nullopt : std::optional(step);
  }

  // The location that instruction `n` adds something to, or moves; what it adds is added to `step`.
  std::optional<unsigned> SteppedFrom(std::uint32_t n, unsigned location, double& step,
                                      LaunchEvaluator& values) const {
    const Word& word = code_.words[n];
    const bool sums = word.opcode() == opcode::kIadd3 || word.opcode() == opcode::kUiadd3;
    const bool multiplies = word.opcode() == opcode::kImad;
    const bool shifts = word.opcode() == opcode::kLea && word.Bits(kUpperWord, 1) == 0;
    if (!sums && !multiplies && !shifts && !Moves(word) && word.opcode() != opcode::kViadd) {
      return std::nullopt;
    }
    Operand operands[3] = {values.First(word), values.Second(word), values.Third(word)};
    if (Moves(word)) operands[0] = operands[2] = {.kind = Operand::Kind::kValue};
    if (word.opcode() == opcode::kViadd || shifts) operands[2] = {.kind = Operand::Kind::kValue};
    int moving = -1;
    double constants[3] = {};
    for (int i = 0; i < 3; ++i) {
      const bool is_it =
          operands[i].kind == Operand::Kind::kRegister && operands[i].location == location;
      const auto value = is_it ? std::nullopt : values.Of(operands[i], BlockOf(n), n);
      if (value) constants[i] = *value;
      if (!value && std::exchange(moving, i) >= 0) return std::nullopt;
    }
    if (moving >= 0 && operands[moving].kind != Operand::Kind::kRegister) return std::nullopt;
    if (moving < 0 || (multiplies && moving == 1) || (shifts && moving == 0)) return std::nullopt;
    if (shifts) constants[0] *= std::exp2(word.Bits(kShiftOfLea, 5));
    if (multiplies && moving == 0 && constants[1] != 1) return std::nullopt;
    const bool adds_product = multiplies && moving == 2;
    const double rest = constants[0] + constants[1] + constants[2];
    step += adds_product ? constants[0] * constants[1] : (multiplies ? constants[2] : rest);
    return operands[moving].location;
  }

  std::uint32_t BlockOf(std::uint32_t n) const {
    const auto behind = std::ranges::upper_bound(code_.blocks, n, {}, &Block::begin);
    return static_cast<std::uint32_t>(behind - code_.blocks.begin()) - 1;
  }

  // The only instruction of the loop that writes `location`, if there is just one.
  std::optional<std::uint32_t> OnlyWriter(unsigned location) {
    const auto [known, fresh] = only_writers_.try_emplace(location);
    if (fresh) known->second = FindOnlyWriter(location);
    return known->second;
  }

  std::optional<std::uint32_t> FindOnlyWriter(unsigned location) {
    std::optional<std::uint32_t> writer;
    for (const std::uint32_t block : loop_) {
      for (std::uint32_t n = code_.blocks[block].begin; n < code_.blocks[block].end; ++n) {
        if (!MayWrite(n, location)) continue;
        if (writer || !IsInEveryRound(block)) return std::nullopt;
        writer = n;
      }
      if (steps_left_ == 0) return std::nullopt;
    }
    return writer;
  }

  // Whether the value of `location` in one round is that of the round before and a constant.
  bool IsCounter(unsigned location) {
    bool adds = false;
    unsigned at = location;
    for (int step = 0; step < kMostSteps; ++step) {
      const std::optional<std::uint32_t> writer = OnlyWriter(at);
      if (!writer) return false;
      const Word& word = code_.words[*writer];
      if (word.is_guarded() || (!Moves(word) && !AddsConstant(word))) return false;
      if (AddsConstant(word) && std::exchange(adds, true)) return false;
      const std::optional<unsigned> source = OnlySource(word);
      if (!source) return false;
      if (*source == location) return adds;
      at = *source;
    }
    return false;
  }

  std::optional<unsigned> OnlySource(const Word& word) const {
    std::optional<unsigned> source;
    for (const LocationRange& read : ReadOperands(word, code_.sm).reads) {
      if (source || read.count != 1 || IsPredicate(read.first)) return std::nullopt;
      source = read.first;
    }
    return source;
  }

  // Whether every path through the loop from an entry back to it passes `block`.
  bool IsInEveryRound(std::uint32_t block) {
    for (const std::uint32_t member : loop_) {
      const auto& from = code_.blocks[member].predecessors;
      steps_left_ -= std::min<std::uint64_t>(from.size(), steps_left_);
      const bool is_entry = member == loop_.front() ||
                            std::ranges::any_of(from, [this](auto one) { return !IsInside(one); });
      if (is_entry && member != block && ReachesItself(member, block)) return false;
    }
    return steps_left_ > 0;
  }

  bool ReachesItself(std::uint32_t start, std::uint32_t without) {
    std::vector<std::uint32_t> open{start};
    std::vector<std::uint32_t> seen;
    while (!open.empty()) {
      const std::uint32_t from = open.back();
      open.pop_back();
      for (const std::uint32_t to : code_.blocks[from].successors) {
        if (to == start || !Step()) return true;
        if (to == without || !IsInside(to) || std::ranges::find(seen, to) != seen.end()) continue;
        seen.push_back(to);
        open.push_back(to);
      }
    }
    return false;
  }

  const CodeView& code_;
  std::span<const std::uint32_t> loop_;
  std::uint64_t& steps_left_;
  std::map<unsigned, std::optional<std::uint32_t>> only_writers_;  // by location
};

// Larger loops are not searched: the search is quadratic.
constexpr std::size_t kMostBlocks = 200;

}  // namespace

bool EndsByCounting(const CodeView& code, std::span<const std::uint32_t> loop,
                    std::uint64_t& steps_left) {
  return loop.size() <= kMostBlocks && CountedLoop(code, loop, steps_left).Ends();
}

std::optional<double> MostRounds(const CodeView& code, std::span<const std::uint32_t> loop,
                                 LaunchEvaluator& values, std::uint64_t& steps_left) {
  if (loop.size() > kMostBlocks) return std::nullopt;
  return CountedLoop(code, loop, steps_left).Rounds(values);
}

}  // namespace coalcheck::machine_code
