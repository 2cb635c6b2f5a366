// SPDX-License-Identifier: Apache-2.0
//
// What one SASS instruction does to the flow of control, and whether it is one of the few that
// matter to waiting.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

namespace coalcheck::machine_code {

// One 128-bit instruction word.
struct Word {
  std::uint64_t low = 0;
  std::uint64_t high = 0;

  // The low nine bits of the opcode; the three above them say where the operands are.
  std::uint32_t opcode() const { return static_cast<std::uint32_t>(low & 0x1ffU); }
  std::uint32_t form() const { return static_cast<std::uint32_t>((low >> 9U) & 7U); }
  // The predicate that the instruction is executed under; 7 (PT) is always true.
  std::uint32_t guard() const { return Bits(12, 3); }
  bool is_guarded() const { return guard() != 7; }
  // `count` bits (at most 32, not across bit 64) from bit `first` on.
  std::uint32_t Bits(unsigned first, unsigned count) const {
    const std::uint64_t half = first < 64 ? low >> first : high >> (first - 64);
    return static_cast<std::uint32_t>(half & ((std::uint64_t{1} << count) - 1));
  }
};

// The whole instructions of `code`, copied out of bytes of any alignment.
std::vector<Word> ReadWords(std::string_view code);

enum class Flow : std::uint8_t {
  kNext,
  kJump,       // to `target`
  kJumpTable,  // to addresses that only the cubin's attributes list
  kSetSync,    // the next kSync of `barrier` goes to `target`
  kLoseSync,   // where the next kSync of `barrier` goes cannot be told any more
  kSync,
  kCollective,  // to `target` and on
  kCall,        // of `target` in the same section
  kCallSymbol,  // of what a relocation names
  kCallRegister,
  kReturn,
  kExit,
  kUnknown,  // somewhere
};

enum class Effect : std::uint8_t {
  kNone,
  kWeakLoad,
  kStrongLoad,
  kReturningAtomic,
  kFence,
  kNanosleep,
  kBarrier,
};

struct Instruction {
  Flow flow = Flow::kNext;
  Effect effect = Effect::kNone;
  bool conditional = false;  // the flow may also go on to the next instruction
  std::uint8_t barrier = 0;  // B0 to B15
  std::int64_t target = 0;   // byte offset in the section; may lie outside it
};

// Decodes the instruction at byte offset `pc` of its section.
Instruction DecodeInstruction(const Word& word, std::int64_t pc, std::uint32_t sm);

}  // namespace coalcheck::machine_code
