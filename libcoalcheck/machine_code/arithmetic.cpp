// SPDX-License-Identifier: Apache-2.0
//
// Sums, products, shifts and masks, as the vendor's disassembler shows their operands.
#include "libcoalcheck/machine_code/arithmetic.h"

#include <algorithm>
#include <cmath>

#include "libcoalcheck/cubin/architecture.h"
#include "libcoalcheck/machine_code/bit_functions.h"
#include "libcoalcheck/machine_code/opcodes.h"

namespace coalcheck::machine_code {
namespace {

// The bits that negate what stands in each place; 0: none does.
struct SignBits {
  unsigned first = 0;
  unsigned second = 0;
  unsigned third = 0;
};

SignBits SignBitsOf(const Word& word) {
  switch (word.opcode()) {
    case opcode::kIadd3:
    case opcode::kUiadd3:
    case opcode::kUiadd3Wide:
      return {72, 63, 75};
    case opcode::kImad:
    case opcode::kUimad:
    case opcode::kImadWide:
    case opcode::kUimadWide:
      return {0, 63, 75};
    case opcode::kLea:
    case opcode::kUlea:
      return {72, 63, 0};
    case opcode::kViadd:
      return {0, 63, 0};
    case opcode::kViaddmnmx:
      return {0, 63, 75};
    default:
      return {};
  }
}

// Of a value beyond 52 bits the low ones are lost.
std::uint32_t BitsOf(double value) {
  return static_cast<std::uint32_t>(static_cast<std::int64_t>(std::clamp(value, -0x1p62, 0x1p62)));
}

double Sum(const Word& /*word*/, double a, double b, double c) { return a + b + c; }

double ProductAndSum(const Word& /*word*/, double a, double b, double c) { return a * b + c; }

double HighProduct(const Word& /*word*/, double a, double b, double /*c*/) {
  return std::floor(a * b * 0x1p-32);
}

double Shifted(const Word& word, double a, double b, double c) {
  return SignedOf(*ShiftOf(word, BitsOf(a), BitsOf(b), BitsOf(c)));
}

double ShiftedSum(const Word& word, double a, double b, double /*c*/) {
  const std::uint64_t shifted = std::uint64_t{BitsOf(a)} << word.Bits(75, 5);
  const bool upper_word = word.Bits(80, 1) != 0;
  return SignedOf(static_cast<std::uint32_t>(upper_word ? shifted >> 32U : shifted)) + b;
}

double Logic(const Word& word, double a, double b, double c) {
  return SignedOf(LogicOf(word.Bits(72, 8), BitsOf(a), BitsOf(b), BitsOf(c)));
}

// IADD.64, whose opcode another instruction has on GPUs without pairs of registers.
bool AddsPairs(const Word& word, std::uint32_t sm) {
  constexpr std::uint32_t kOfConstant = 2;  // form: HFMA2.MMA that sets a register
  return word.opcode() == opcode::kIadd64 && word.form() != kOfConstant &&
         cubin::ArchitectureOf(sm).has_register_pairs;
}

}  // namespace

std::optional<Arithmetic> ArithmeticOf(const Word& word, std::uint32_t sm) {
  if (AddsPairs(word, sm)) return Arithmetic{2, Sum, true};
  switch (word.opcode()) {
    case opcode::kIadd3:
    case opcode::kUiadd3:
      return Arithmetic{3, Sum};
    case opcode::kUiadd3Wide:
      return Arithmetic{3, Sum, true};
    case opcode::kViadd:
    case opcode::kViaddmnmx:
      return Arithmetic{2, Sum};
    case opcode::kImad:
    case opcode::kUimad:
    case opcode::kImadWide:
    case opcode::kUimadWide:
      return Arithmetic{3, ProductAndSum, true};
    case opcode::kImadHigh:
      return Arithmetic{2, HighProduct, true};
    case opcode::kShf:
    case opcode::kUshf:
      return ShiftOf(word, 0, 0, 0) ? std::optional(Arithmetic{3, Shifted}) : std::nullopt;
    case opcode::kLea:
    case opcode::kUlea:
      return Arithmetic{2, ShiftedSum};
    case opcode::kLop3:
    case opcode::kUlop3:
      return Arithmetic{3, Logic};
    default:
      return std::nullopt;
  }
}

bool Chooses(const Word& word) {
  switch (word.opcode()) {
    case opcode::kViaddmnmx:
    case opcode::kSel:
    case opcode::kUsel:
    case opcode::kImnmx:
    case opcode::kVimnmx:
      return true;
    default:
      return false;
  }
}

bool ChoosesOfSum(const Word& word) { return word.opcode() == opcode::kViaddmnmx; }

bool IsUniform(const Word& word) {
  switch (word.opcode()) {
    case opcode::kUmov:
    case opcode::kUsel:
    case opcode::kUiadd3:
    case opcode::kUiadd3Wide:
    case opcode::kUlea:
    case opcode::kUlop3:
    case opcode::kUshf:
    case opcode::kUimad:
    case opcode::kUimadWide:
    case opcode::kUpopc:
    case opcode::kUisetp:
      return true;
    default:
      return false;
  }
}

bool IsNegated(const Word& word, unsigned place) {
  const SignBits bits = SignBitsOf(word);
  const unsigned bit =
      place == kFirstPlace ? bits.first : (place == kSecondPlace ? bits.second : bits.third);
  return bit != 0 && word.Bits(bit, 1) != 0;
}

bool IsSum(const Word& word, std::uint32_t sm) {
  const std::optional<Arithmetic> arithmetic = ArithmeticOf(word, sm);
  return arithmetic && arithmetic->function == Sum && !ChoosesOfSum(word);
}

double SignedOf(std::uint32_t bits) { return static_cast<std::int32_t>(bits); }

double Wrapped(double value) { return SignedOf(BitsOf(value)); }

}  // namespace coalcheck::machine_code
