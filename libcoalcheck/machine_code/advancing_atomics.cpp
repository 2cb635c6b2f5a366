// SPDX-License-Identifier: Apache-2.0
//
// Follows what an atomic adds back to a constant, or to the number of the warp's active lanes:
// compilers let one lane add for all of them.
#include "libcoalcheck/machine_code/advancing_atomics.h"

#include <algorithm>
#include <optional>

#include "libcoalcheck/cubin/sass.h"
#include "libcoalcheck/machine_code/launch_values.h"
#include "libcoalcheck/machine_code/opcodes.h"

namespace coalcheck::machine_code {
namespace {

constexpr unsigned kAddend = 32;                   // the register with what is added
constexpr unsigned kOperation = 87;                // of an atomic; 0 adds
constexpr unsigned kType = 73;                     // of what an atomic adds
constexpr std::uint32_t kIntegerTypes = 0b100111;  // U32 S32 U64 S64, by bit
constexpr std::uint32_t kWithImmediate = 4;        // form: the second operand
constexpr std::uint32_t kAlwaysVoted = 7;
constexpr int kMostDefinitions = 8;  // from the atomic back to where its addend begins
constexpr int kMostBlocksBack = 16;  // from a block back to those that come before it

class AddedNumbers {
 public:
  AddedNumbers(const CodeView& code, std::span<const std::uint32_t> loop, std::uint64_t& steps_left)
      : code_(code), loop_(loop), steps_left_(steps_left), values_(code, {}, steps_left) {}

  bool IsAboveZero(std::uint32_t block, std::uint32_t n, unsigned location, int depth = 0) {
    const std::optional<Definition> found = DefinitionBefore(block, n, location);
    if (!found || depth == kMostDefinitions || code_.words[found->n].is_guarded()) return false;
    const Word& word = code_.words[found->n];
    const auto is_above = [&](const Operand& operand) {
      if (operand.kind == Operand::Kind::kValue) return operand.value > 0;
      return operand.kind == Operand::Kind::kRegister &&
             IsAboveZero(found->block, found->n, operand.location, depth + 1);
    };
    switch (word.opcode()) {
      case opcode::kPopc:
      case opcode::kUpopc:
        return CountsActiveLanes(*found, values_.Second(word));
      case opcode::kImad:
      case opcode::kImadWide:
      case opcode::kUimad:
      case opcode::kUimadWide:
        if (HasNegatedOperand(word)) return false;
        if (IsZero(values_.Third(word))) {
          return is_above(values_.First(word)) && is_above(values_.Second(word));
        }
        return IsZero(values_.First(word)) && is_above(values_.Third(word));
      case opcode::kMov:
      case opcode::kUmov:
        return is_above(values_.Second(word));
      case opcode::kR2ur:
        return is_above(values_.First(word));
      default:
        return IsConstantAboveZero(*found, location);
    }
  }

 private:
  struct Definition {
    std::uint32_t block = 0;
    std::uint32_t n = 0;
  };

  static bool IsZero(const Operand& operand) {
    return operand.kind == Operand::Kind::kValue && operand.value == 0;
  }

  // Of a product and a sum; an immediate operand reaches into the first of the bits.
  static bool HasNegatedOperand(const Word& word) {
    const bool second = word.form() != kWithImmediate && word.Bits(63, 1) != 0;
    return second || word.Bits(72, 1) != 0 || word.Bits(75, 1) != 0;
  }

  bool IsConstantAboveZero(const Definition& at, unsigned location) {
    const Operands operands = ReadOperands(code_.words[at.n], code_.sm);
    if (operands.reads.begin() != operands.reads.end()) return false;
    return values_.Before(at.block, at.n + 1, location).value_or(Range{}).least > 0;
  }

  // A vote of the lanes for which a true predicate is true.
  bool CountsActiveLanes(const Definition& count, const Operand& lanes) {
    if (lanes.kind != Operand::Kind::kRegister) return false;
    const auto vote = DefinitionBefore(count.block, count.n, lanes.location);
    if (!vote) return false;
    const Word& word = code_.words[vote->n];
    const bool is_vote = word.opcode() == opcode::kVote || word.opcode() == opcode::kVoteu;
    return is_vote && !word.is_guarded() && word.Bits(kOperation, 4) == kAlwaysVoted;
  }

  // The instruction that wrote the register last, where no other can have on the way.
  std::optional<Definition> DefinitionBefore(std::uint32_t block, std::uint32_t n,
                                             unsigned location) {
    for (int i = 0; i < kMostBlocksBack; ++i) {
      for (; n > code_.blocks[block].begin; --n) {
        if (!Spend()) return std::nullopt;
        if (code_.MayWrite(n - 1, location)) return Definition{block, n - 1};
      }
      const std::optional<std::uint32_t> before = BlockBefore(block, location);
      if (!before) return std::nullopt;
      block = *before;
      n = code_.blocks[block].end;
    }
    return std::nullopt;
  }

  // The one that every way to `block` comes from; the one before the loop, where nothing in the
  // loop writes the register.
  std::optional<std::uint32_t> BlockBefore(std::uint32_t block, unsigned location) {
    const bool is_kept = IsInLoop(block) && !IsWrittenInLoop(location);
    const std::optional<std::uint32_t> at = is_kept ? EntryOfLoop() : block;
    if (!at) return std::nullopt;
    std::optional<std::uint32_t> only;
    for (const std::uint32_t from : code_.blocks[*at].predecessors) {
      if (is_kept && IsInLoop(from)) continue;
      if (only) return std::nullopt;
      only = from;
    }
    return only;
  }

  // The block that is first in every round, if there is one way in.
  std::optional<std::uint32_t> EntryOfLoop() const {
    std::optional<std::uint32_t> entry;
    for (const std::uint32_t block : loop_) {
      for (const std::uint32_t from : code_.blocks[block].predecessors) {
        if (IsInLoop(from) || entry == block) continue;
        if (entry) return std::nullopt;
        entry = block;
      }
    }
    return entry;
  }

  bool IsInLoop(std::uint32_t block) const {
    return std::binary_search(loop_.begin(), loop_.end(), block);
  }

  bool IsWrittenInLoop(unsigned location) {
    return std::ranges::any_of(loop_, [&](std::uint32_t block) {
      for (std::uint32_t n = code_.blocks[block].begin; n < code_.blocks[block].end; ++n) {
        if (!Spend() || code_.MayWrite(n, location)) return true;
      }
      return false;
    });
  }

  bool Spend() { return steps_left_ > 0 && steps_left_-- > 0; }

  const CodeView& code_;
  std::span<const std::uint32_t> loop_;
  std::uint64_t& steps_left_;
  LaunchEvaluator values_;
};

bool HasIntegerType(const Word& word) { return ((kIntegerTypes >> word.Bits(kType, 3)) & 1U) != 0; }

bool IsIntegerAddition(const Word& word) {
  const bool returns = word.opcode() == opcode::kAtom || word.opcode() == opcode::kAtomg;
  if (!returns && word.opcode() != opcode::kRed) return false;
  const unsigned bits = returns ? 4 : 3;
  return word.Bits(kOperation, bits) == 0 && HasIntegerType(word);
}

// Changes memory as one step: an atomic, or a reduction that returns nothing.
bool IsAtomic(const Word& word, std::uint32_t sm) {
  const auto access = cubin::DecodeSass(word.low, word.high, sm);
  return access && (access->kind == cubin::AccessKind::kAtomic ||
                    access->kind == cubin::AccessKind::kReduction);
}

// A sum of floating-point numbers that the loop does not see.
bool IsBlindSumOfFloats(const Word& word) {
  return word.opcode() == opcode::kRedFloat ||
         (word.opcode() == opcode::kRed && !HasIntegerType(word));
}

}  // namespace

bool OnlyCountsOn(const CodeView& code, std::span<const std::uint32_t> loop,
                  std::uint64_t& steps_left) {
  AddedNumbers added(code, loop, steps_left);
  for (const std::uint32_t block : loop) {
    for (std::uint32_t n = code.blocks[block].begin; n < code.blocks[block].end; ++n) {
      const Word& word = code.words[n];
      if (code.IsCall(n)) return false;
      if (!IsAtomic(word, code.sm) || IsBlindSumOfFloats(word)) continue;
      const unsigned addend = kVector + word.Bits(kAddend, 8);
      if (!IsIntegerAddition(word) || !added.IsAboveZero(block, n, addend)) return false;
    }
  }
  return true;
}

}  // namespace coalcheck::machine_code
