// SPDX-License-Identifier: Apache-2.0
//
// Looks for a compared register that each round steps on, through additions of constants and moves.
#include "libcoalcheck/machine_code/counted_loop.h"

#include <algorithm>
#include <cmath>
#include <optional>
#include <utility>
#include <vector>

#include "libcoalcheck/machine_code/loop_view.h"
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
  return word.opcode() == opcode::kIsetp && !is_extended && !word.is_guarded() &&
         word.Bits(kCombinedWith, 3) == kTruePredicate;
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

Range Times(const Range& range, double factor) {
  const Range ends{range.least * factor, range.greatest * factor};
  return factor < 0 ? Range{ends.greatest, ends.least} : ends;
}

bool IsOne(const Range& range) { return range.least == 1 && range.greatest == 1; }

bool IsPredicate(unsigned location) { return location >= kPredicate && location < kSharedMemory; }

class CountedLoop {
 public:
  CountedLoop(const CodeView& code, std::span<const std::uint32_t> loop, std::uint64_t& steps_left)
      : code_(code), loop_(code, loop, steps_left) {}

  bool Ends() {
    return std::ranges::any_of(loop_.blocks(),
                               [this](std::uint32_t block) { return LeavesByCount(block); });
  }

  std::optional<double> Rounds(LaunchEvaluator& values) {
    std::optional<double> least;
    for (const std::uint32_t block : loop_.blocks()) {
      if (!loop_.Leaves(block) || !loop_.IsInEveryRound(block)) continue;
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
  bool LeavesByCount(std::uint32_t number) {
    if (!loop_.Leaves(number) || !loop_.IsInEveryRound(number)) return false;
    const std::optional<std::uint32_t> compare = CompareOf(number);
    if (!compare) return false;
    for (const LocationRange& read : ReadOperands(code_.words[*compare], code_.sm).reads) {
      if (read.count == 1 && !IsPredicate(read.first) && IsCounter(read.first)) return true;
    }
    return false;
  }

  // The comparison that alone decides the branch at the end of block `number`, and stands in it.
  std::optional<std::uint32_t> CompareOf(std::uint32_t number) {
    const std::uint32_t end = code_.blocks[number].end - 1;
    const Word& branch = code_.words[end];
    if (!branch.is_guarded()) return std::nullopt;
    const auto writer = LastWriterIn(number, end, kPredicate + branch.guard());
    if (!writer) return std::nullopt;
    const Word& word = code_.words[*writer];
    const bool is_it = IsCompare(word) && word.Bits(kFirstPredicate, 3) == branch.guard();
    return is_it ? writer : std::nullopt;
  }

  // The same, also of the lower halves of 64 bits, of uniform registers, in a block before, and
  // where other conditions are asked, too.
  std::optional<std::uint32_t> AnyCompareOf(std::uint32_t block) {
    std::uint32_t before = code_.blocks[block].end;
    const LocationRanges conditions = ReadCondition(code_.words[before - 1]);
    if (conditions.begin() == conditions.end()) return std::nullopt;
    unsigned location = conditions.begin()->first;
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
      block = loop_.BlockOf(*n);
      before = *n;
    }
    return std::nullopt;
  }

  // The last instruction of `block` before `n` that writes `location`.
  std::optional<std::uint32_t> LastWriterIn(std::uint32_t block, std::uint32_t n,
                                            unsigned location) {
    while (n > code_.blocks[block].begin) {
      if (loop_.Writes(--n, location)) return n;
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
      if (!loop_.has_steps()) return std::nullopt;
      const auto [at, end] = open.back();
      open.pop_back();
      if (const auto last = LastWriterIn(at, end, location)) {
        if (writer && writer != last) return std::nullopt;
        writer = last;
        continue;
      }
      for (const std::uint32_t from : code_.blocks[at].predecessors) {
        if (!loop_.Step() || !loop_.IsInside(from)) return std::nullopt;
        if (std::ranges::find(seen, from) != seen.end()) continue;
        seen.push_back(from);
        open.emplace_back(from, code_.blocks[from].end);
      }
    }
    return writer;
  }

  // From what the counter is when the loop begins to `bound`, step by step.
  std::optional<double> RoundsTo(const Operand& bound, const Operand& counted,
                                 std::uint32_t compare, LaunchEvaluator& values) {
    if (counted.kind != Operand::Kind::kRegister) return std::nullopt;
    const std::optional<Counter> counter = CounterBefore(compare, counted.location, values);
    const std::optional<Range> to = values.Of(bound, loop_.BlockOf(compare), compare);
    if (!counter || !to) return std::nullopt;
    const double farthest =
        std::max(to->greatest - counter->start.least, counter->start.greatest - to->least);
    return std::max(farthest, 0.0) / counter->step + 1;
  }

  struct Counter {
    Range start;      // where the loop is entered
    double step = 0;  // forwards or backwards
  };

  // The location's own steps, or those of another one from which it is always as far where
  // instruction `n` reads it.
  std::optional<Counter> CounterBefore(std::uint32_t n, unsigned location,
                                       LaunchEvaluator& values) {
    Range distance;
    for (int i = 0; i < kMostSteps; ++i) {
      if (const std::optional<double> step = StepOf(location, values)) {
        const std::optional<Range> start = AtEntry(location, values);
        return start ? std::optional(Counter{*start + distance, *step}) : std::nullopt;
      }
      const std::optional<std::uint32_t> writer = WriterBefore(loop_.BlockOf(n), n, location);
      if (!writer || code_.words[*writer].is_guarded()) return std::nullopt;
      const auto source = SteppedFrom(*writer, location, distance, values);
      if (!source || *source == location) return std::nullopt;
      location = *source;
      n = *writer;
    }
    return std::nullopt;
  }

  // What the location holds where the loop is entered.
  std::optional<Range> AtEntry(unsigned location, LaunchEvaluator& values) const {
    std::optional<Range> all;
    for (const std::uint32_t block : loop_.blocks()) {
      for (const std::uint32_t from : code_.blocks[block].predecessors) {
        if (loop_.IsInside(from)) continue;
        const auto value = values.Before(from, code_.blocks[from].end, location);
        if (!value) return std::nullopt;
        if (!all) all = value;
        all->Include(*value);
      }
    }
    return all;
  }

  // By how much each round steps the location on at least, forwards or backwards; nothing where
  // that cannot be seen.
  std::optional<double> StepOf(unsigned location, LaunchEvaluator& values) {
    std::optional<Range> step = SumOfSteps(location, values);
    if (!step) step = StepsInACircle(location, values);
    const bool turns = !step || (step->least <= 0 && step->greatest >= 0);
    return turns ? std::nullopt
                 : std::optional(std::min(std::abs(step->least), std::abs(step->greatest)));
  }

  // Where it goes through other locations and comes back.
  std::optional<Range> StepsInACircle(unsigned location, LaunchEvaluator& values) {
    Range step;
    unsigned at = location;
    for (int i = 0; i < kMostSteps; ++i) {
      const std::optional<std::uint32_t> writer = loop_.OnlyWriter(at);
      if (!writer || code_.words[*writer].is_guarded()) return std::nullopt;
      const std::optional<unsigned> source = SteppedFrom(*writer, location, step, values);
      if (!source) return std::nullopt;
      if (*source == location) return step;
      at = *source;
    }
    return std::nullopt;
  }

  // Where each instruction that writes the location adds to it.
  std::optional<Range> SumOfSteps(unsigned location, LaunchEvaluator& values) {
    Range step;
    for (const std::uint32_t block : loop_.blocks()) {
      for (std::uint32_t n = code_.blocks[block].begin; n < code_.blocks[block].end; ++n) {
        if (!loop_.MayWrite(n, location)) continue;
        if (code_.words[n].is_guarded() || !loop_.IsInEveryRound(block)) return std::nullopt;
        if (SteppedFrom(n, location, step, values) != location) return std::nullopt;
      }
    }
    return !loop_.has_steps() ? std::nullopt : std::optional(step);
  }

  // The location that instruction `n` adds something to, or moves; what it adds is added to `step`.
  std::optional<unsigned> SteppedFrom(std::uint32_t n, unsigned location, Range& step,
                                      LaunchEvaluator& values) const {
    const Word& word = code_.words[n];
    const std::optional<Arithmetic> arithmetic = ArithmeticOf(word, code_.sm);
    const bool sums = IsSum(word, code_.sm);
    const bool multiplies = word.opcode() == opcode::kImad;
    const bool shifts = word.opcode() == opcode::kLea && word.Bits(kUpperWord, 1) == 0;
    if (!sums && !multiplies && !shifts && !Moves(word)) return std::nullopt;
    Operand operands[3] = {values.First(word), values.Second(word), values.Third(word)};
    if (Moves(word)) operands[0] = operands[2] = {.kind = Operand::Kind::kValue};
    if (arithmetic && arithmetic->operands == 2) operands[2] = {.kind = Operand::Kind::kValue};
    int moving = -1;
    Range constants[3];
    for (int i = 0; i < 3; ++i) {
      const bool is_it =
          operands[i].kind == Operand::Kind::kRegister && operands[i].location == location;
      const auto value = is_it ? std::nullopt : values.Of(operands[i], loop_.BlockOf(n), n);
      if (value) constants[i] = *value;
      if (!value && std::exchange(moving, i) >= 0) return std::nullopt;
    }
    if (moving < 0 || operands[moving].kind != Operand::Kind::kRegister) return std::nullopt;
    if (operands[moving].is_negated || (multiplies && moving == 1) || (shifts && moving == 0)) {
      return std::nullopt;
    }
    if (shifts) constants[0] = Times(constants[0], std::exp2(word.Bits(kShiftOfLea, 5)));
    if (multiplies && moving == 0 && !IsOne(constants[1])) return std::nullopt;
    if (multiplies && moving == 2) {
      if (constants[1].least != constants[1].greatest) return std::nullopt;
      constants[0] = Times(constants[0], constants[1].least);
    }
    // Of a product, a factor of one adds nothing.
    step = step + constants[0] + (multiplies ? Range{} : constants[1]) + constants[2];
    return operands[moving].location;
  }

  // Whether the value of `location` in one round is that of the round before and a constant.
  bool IsCounter(unsigned location) {
    bool adds = false;
    unsigned at = location;
    for (int step = 0; step < kMostSteps; ++step) {
      const std::optional<std::uint32_t> writer = loop_.OnlyWriter(at);
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

  const CodeView& code_;
  LoopView loop_;
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
