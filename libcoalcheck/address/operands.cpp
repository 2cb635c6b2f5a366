// SPDX-License-Identifier: Apache-2.0
//
// The values of an instruction's operands: registers, constants and immediates, by the fields of
// the instruction word.
#include "libcoalcheck/address/analysis.h"

namespace coalcheck::address {
namespace {

using machine_code::Word;

constexpr std::uint32_t kZeroRegister = 255;

bool HasIndexedConstant(const Word& word) { return word.Bits(91, 1) != 0; }

}  // namespace

// Instructions of the uniform datapath read uniform registers only.
bool Analysis::IsUniform(std::uint32_t n) const {
  const std::uint32_t opcode = code_.words()[n].opcode();
  return opcode >= 0x080 && opcode < 0x0c0;
}

Polynomial Analysis::RegisterAt(std::uint32_t n, unsigned bit, bool uniform) {
  const std::uint32_t number = code_.words()[n].Bits(bit, 8);
  if (!uniform) {
    return number == kZeroRegister ? Polynomial() : WordBefore(machine_code::kVector + number, n);
  }
  const std::uint32_t place = code_.sm() < 100 ? number & 63U : number;
  const std::uint32_t zero = code_.sm() < 100 ? 63 : 255;
  return place == zero ? Polynomial() : WordBefore(machine_code::kUniform + place, n);
}

// Where the driver puts blockDim and gridDim, found by compiling kernels that store them.
Polynomial Analysis::ConstantWord(std::uint32_t bank, std::uint32_t offset) {
  const std::uint32_t block_size = code_.sm() < 100 ? 0x0 : 0x360;
  const std::uint32_t grid_size = code_.sm() < 100 ? 0xc : 0x370;
  for (std::uint32_t axis = 0; bank == 0 && axis < 3; ++axis) {
    if (offset == block_size + 4 * axis) {
      return atoms_.WordOf(atoms_.Intern(AtomKind::kSpecial, kBlockSizeX + axis));
    }
    if (offset == grid_size + 4 * axis) {
      return atoms_.WordOf(atoms_.Intern(AtomKind::kSpecial, kGridSizeX + axis));
    }
  }
  return atoms_.WordOf(atoms_.Intern(AtomKind::kConstant, bank, offset));
}

Analysis::Operand Analysis::A(std::uint32_t n) {
  return {RegisterAt(n, 24, IsUniform(n)), code_.words()[n].Bits(72, 1) != 0};
}

// What stands in bits 32 to 63: a register, an immediate value, a constant or a uniform register.
std::optional<Analysis::Operand> Analysis::Slot32(std::uint32_t n) {
  const Word& word = code_.words()[n];
  const bool negated = word.Bits(63, 1) != 0;
  switch (word.form()) {
    case 1:
      return Operand{RegisterAt(n, 32, IsUniform(n)), negated};
    case 2:
    case 4:
      return Operand{Polynomial(std::uint64_t{word.Bits(32, 32)} << 32U), false};
    case 3:
    case 5:
      if (HasIndexedConstant(word)) return std::nullopt;
      return Operand{ConstantWord(word.Bits(54, 5), word.Bits(40, 14) * 4), negated};
    case 6:
    case 7:
      return Operand{RegisterAt(n, 32, true), negated};
    default:
      return std::nullopt;
  }
}

Analysis::Operand Analysis::Slot64(std::uint32_t n) {
  return {RegisterAt(n, 64, IsUniform(n)), code_.words()[n].Bits(75, 1) != 0};
}

// In forms 2, 3 and 7 the second and third source have changed places.
std::optional<Analysis::Operand> Analysis::B(std::uint32_t n) {
  const std::uint32_t form = code_.words()[n].form();
  if (form == 2 || form == 3 || form == 7) return Slot64(n);
  return Slot32(n);
}

std::optional<Analysis::Operand> Analysis::C(std::uint32_t n) {
  const std::uint32_t form = code_.words()[n].form();
  if (form == 2 || form == 3 || form == 7) return Slot32(n);
  return Slot64(n);
}

// The 64-bit value of a register and the next.
std::optional<Polynomial> Analysis::PairAt(std::uint32_t n, unsigned bit) {
  const Word& word = code_.words()[n];
  if (bit != 32 || word.form() == 1) {
    const bool uniform = IsUniform(n);
    const std::uint32_t number = word.Bits(bit, 8);
    if (uniform) {
      const std::uint32_t zero = code_.sm() < 100 ? 63 : 255;
      const std::uint32_t place = number & zero;
      if (place == zero) return Polynomial();
      return PairBefore(machine_code::kUniform + place, n);
    }
    if (number == kZeroRegister) return Polynomial();
    if (number == 254) return std::nullopt;
    return PairBefore(machine_code::kVector + number, n);
  }
  switch (word.form()) {
    case 2:
    case 4:
      return Polynomial(
          static_cast<std::uint64_t>(std::int64_t{static_cast<std::int32_t>(word.Bits(32, 32))}));
    case 3:
    case 5: {
      if (HasIndexedConstant(word)) return std::nullopt;
      const std::uint32_t bank = word.Bits(54, 5);
      const std::uint32_t offset = word.Bits(40, 14) * 4;
      return PairOf(ConstantWord(bank, offset), ConstantWord(bank, offset + 4));
    }
    case 6:
    case 7: {
      const std::uint32_t zero = code_.sm() < 100 ? 63 : 255;
      const std::uint32_t place = word.Bits(32, 8) & zero;
      if (place == zero) return Polynomial();
      return PairBefore(machine_code::kUniform + place, n);
    }
    default:
      return std::nullopt;
  }
}

std::optional<Polynomial> Analysis::PairA(std::uint32_t n) { return PairAt(n, 24); }

std::optional<Polynomial> Analysis::PairB(std::uint32_t n) {
  const std::uint32_t form = code_.words()[n].form();
  return PairAt(n, form == 2 || form == 3 || form == 7 ? 64 : 32);
}

std::optional<Polynomial> Analysis::PairC(std::uint32_t n) {
  const std::uint32_t form = code_.words()[n].form();
  return PairAt(n, form == 2 || form == 3 || form == 7 ? 32 : 64);
}

// What the carry predicate at `bit` adds, as the word of a register would hold it: 2^32 for a set
// one. Predicates hold the word of their carry, or something unknown.
std::optional<Polynomial> Analysis::CarryIn(std::uint32_t n, unsigned bit) {
  const Word& word = code_.words()[n];
  const std::uint32_t number = word.Bits(bit, 3);
  const bool negated = word.Bits(bit + 3, 1) != 0;
  constexpr std::uint32_t kTrue = 7;
  if (number == kTrue) return Polynomial(negated ? 0 : kWordUnit);
  if (negated) return std::nullopt;
  return WordBefore(
      (IsUniform(n) ? machine_code::kUniformPredicate : machine_code::kPredicate) + number, n);
}

}  // namespace coalcheck::address
