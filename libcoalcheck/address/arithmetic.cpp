// SPDX-License-Identifier: Apache-2.0
//
// What the integer instructions compute, and which fields of the word say so.
#include <algorithm>

#include "libcoalcheck/address/analysis.h"

namespace coalcheck::address {
namespace {

using machine_code::Word;

constexpr std::uint32_t kLdcu = 0x1ac;

// Places from the first predicate on are no registers.
bool IsPredicate(std::uint32_t place) { return place >= machine_code::kPredicate; }

bool WritesUniform(std::uint32_t opcode) {
  constexpr std::uint32_t kR2ur = 0x0ca;
  constexpr std::uint32_t kS2ur = 0x1c3;
  return (opcode >= 0x080 && opcode < 0x0c0) || opcode == kR2ur || opcode == kS2ur ||
         opcode == kLdcu;
}

// The register of `place` counted from the destination field.
std::uint32_t IndexIn(const Word& word, std::uint32_t place) {
  return (place & 255U) - word.Bits(16, 8);
}

bool Extended(const Word& word) { return word.Bits(74, 1) != 0; }
bool IsSigned(const Word& word) { return word.Bits(73, 1) != 0; }

bool WritesPredicate(const Word& word, unsigned bit, std::uint32_t place) {
  const std::uint32_t number = word.Bits(bit, 3);
  return number != 7 && (place - machine_code::kPredicate) % 8 == number;
}

}  // namespace

std::optional<Polynomial> Analysis::Compute(std::uint32_t place, std::uint32_t n) {
  const Word& word = code_.words()[n];
  // What an instruction may write is more than its destination.
  const bool uniform = place >= machine_code::kUniform && place < machine_code::kPredicate;
  if (!IsPredicate(place) && uniform != WritesUniform(word.opcode())) return std::nullopt;
  switch (word.opcode()) {
    case 0x010:  // IADD3
    case 0x036:  // VIADD
    case 0x090:  // UIADD3
      return Add3(place, n);
    case 0x035:
      return code_.sm() >= 100 ? Add64(place, n) : Constant(place, n);  // IADD.64, HFMA2.MMA
    case 0x097:                                                         // UIADD3.64
      return Add64(place, n);
    case 0x031:  // HFMA2
      return Constant(place, n);
    case 0x024:  // IMAD
    case 0x0a4:  // UIMAD
      return MultiplyAdd(place, n);
    case 0x025:  // IMAD.WIDE
    case 0x0a5:  // UIMAD.WIDE
      return MultiplyWide(place, n);
    case 0x011:  // LEA
    case 0x091:  // ULEA
      return ShiftAdd(place, n);
    case 0x019:  // SHF
    case 0x099:  // USHF
      return Shift(n);
    case 0x012:  // LOP3
    case 0x092:  // ULOP3
      return IsPredicate(place) ? std::nullopt : Logic(n);
    case 0x002:  // MOV
    case 0x082:  // UMOV
    case 0x0ca:  // R2UR
      return Move(place, n);
    case 0x182:  // LDC
    case 0x0b9:  // ULDC
    case 0x1ac:  // LDCU
      return Constant(place, n);
    case 0x119:  // S2R
    case 0x1c3:  // S2UR
    case 0x005:  // CS2R
      return Special(place, n);
    case 0x181:  // LDG
      return Loaded(place, n);
    default:
      return std::nullopt;
  }
}

std::optional<Polynomial> Analysis::Add3(std::uint32_t place, std::uint32_t n) {
  const Word& word = code_.words()[n];
  const bool two = word.opcode() == 0x036;         // VIADD has neither a third operand nor carries
  if (two && IsSigned(word)) return std::nullopt;  // 16x2
  std::vector<Operand> operands{A(n)};
  for (const auto& operand : {B(n), two ? std::optional(Operand()) : C(n)}) {
    if (!operand) return std::nullopt;
    operands.push_back(*operand);
  }
  const bool extended = !two && Extended(word);
  Polynomial sum;
  Polynomial carry;  // 2^32 times what is carried out
  for (const Operand& operand : operands) {
    const Polynomial value = atoms_.ZeroExtended(operand.word);
    if (!operand.negated) {
      sum.Add(operand.word);
      carry.Add(value);
      continue;
    }
    // -x is ~x + 1; with carries in play (.X) only ~x is added.
    sum.Add(operand.word, ~std::uint64_t{0});
    if (extended) sum.Add(Polynomial(~kWordUnit + 1));
    carry.Add(value, ~std::uint64_t{0});
    carry.Add(Polynomial(kWordUnit));
  }
  if (extended) {
    for (const unsigned bit : {87U, 77U}) {
      const std::optional<Polynomial> in = CarryIn(n, bit);
      if (!in) return std::nullopt;
      sum.Add(*in);
    }
  }
  sum = atoms_.Normal(sum);
  if (!IsPredicate(place)) return sum;
  if (extended) return std::nullopt;  // sums of more than 64 bits
  // Of two carries only the sum matters.
  const bool both = word.Bits(81, 3) != 7 && word.Bits(84, 3) != 7;
  const Polynomial second = atoms_.WordOf(atoms_.Intern(AtomKind::kCarry, n, 0));
  if (both && WritesPredicate(word, 84, place)) return second;
  carry.Add(atoms_.ZeroExtended(sum), ~std::uint64_t{0});
  if (both) carry.Add(second, ~std::uint64_t{0});
  return atoms_.Normal(carry);
}

std::optional<Polynomial> Analysis::Add64(std::uint32_t place, std::uint32_t n) {
  const Word& word = code_.words()[n];
  if (IsPredicate(place)) return std::nullopt;
  const std::uint32_t index = IndexIn(word, place);
  if (index > 1) return std::nullopt;
  const std::optional<Polynomial> a = PairA(n);
  const std::optional<Polynomial> b = PairB(n);
  if (!a || !b) return std::nullopt;
  Polynomial sum;
  const bool immediate = word.form() == 2 || word.form() == 4;
  sum.Add(*a, word.Bits(72, 1) != 0 ? ~std::uint64_t{0} : 1);
  sum.Add(*b, word.Bits(63, 1) != 0 && !immediate ? ~std::uint64_t{0} : 1);
  if (word.opcode() == 0x097) {
    const std::optional<Polynomial> c = PairC(n);
    if (!c || Extended(word)) return std::nullopt;
    sum.Add(*c, word.Bits(75, 1) != 0 ? ~std::uint64_t{0} : 1);
  }
  sum = atoms_.Normal(sum);
  return index == 0 ? atoms_.LowWord(sum) : atoms_.HighWord(sum);
}

std::optional<Polynomial> Analysis::MultiplyAdd(std::uint32_t place, std::uint32_t n) {
  const Word& word = code_.words()[n];
  if (IsPredicate(place)) return std::nullopt;
  const Operand a = A(n);
  const std::optional<Operand> b = B(n);
  const std::optional<Operand> c = C(n);
  if (!b || !c || a.negated) return std::nullopt;
  // A product of words is one of values; halves of longer numbers multiply by constants only.
  Polynomial sum;
  std::optional<Polynomial> product;
  if (const auto constant = b->word.constant()) {
    product = a.word.Times(*constant >> 32U);
  } else if (const auto factor = a.word.constant()) {
    product = b->word.Times(*factor >> 32U);
  } else if (const auto value = SignedValue(b->word)) {
    product = Polynomial::Product(a.word, *value);
  } else if (const auto other = SignedValue(a.word)) {
    product = Polynomial::Product(b->word, *other);
  }
  if (!product) return std::nullopt;
  sum.Add(*product, b->negated ? ~std::uint64_t{0} : 1);
  sum.Add(c->word, c->negated ? ~std::uint64_t{0} : 1);
  if (Extended(word)) {
    if (c->negated) sum.Add(Polynomial(~kWordUnit + 1));
    const std::optional<Polynomial> in = CarryIn(n, 87);
    if (!in) return std::nullopt;
    sum.Add(*in);
  }
  return atoms_.Normal(sum);
}

std::optional<Polynomial> Analysis::MultiplyWide(std::uint32_t place, std::uint32_t n) {
  const Word& word = code_.words()[n];
  if (IsPredicate(place) || Extended(word)) return std::nullopt;
  const std::uint32_t index = IndexIn(word, place);
  const Operand a = A(n);
  const std::optional<Operand> b = B(n);
  const std::optional<Polynomial> c = PairC(n);
  if (!b || !c || a.negated || b->negated || index > 1) return std::nullopt;
  const bool is_signed = IsSigned(word);
  const auto extend = [&](const Polynomial& factor) {
    return is_signed ? atoms_.SignExtended(factor) : atoms_.ZeroExtended(factor);
  };
  const std::optional<Polynomial> product = Polynomial::Product(extend(a.word), extend(b->word));
  if (!product) return std::nullopt;
  const std::uint32_t form = word.form();
  const bool swapped = form == 2 || form == 3 || form == 7;
  const bool negated = swapped ? form != 2 && word.Bits(63, 1) != 0 : word.Bits(75, 1) != 0;
  Polynomial sum = *product;
  sum.Add(*c, negated ? ~std::uint64_t{0} : 1);
  sum = atoms_.Normal(sum);
  return index == 0 ? atoms_.LowWord(sum) : atoms_.HighWord(sum);
}

std::optional<Polynomial> Analysis::ShiftAdd(std::uint32_t place, std::uint32_t n) {
  const Word& word = code_.words()[n];
  const Operand a = A(n);
  const std::optional<Operand> b = B(n);
  if (!b || a.negated) return std::nullopt;
  const std::uint32_t bits = word.Bits(75, 5);
  const std::uint64_t factor = std::uint64_t{1} << bits;
  const bool high = word.Bits(80, 1) != 0;
  Polynomial shifted;  // the word of what is added to b
  if (high) {
    Polynomial number;
    if (IsSigned(word)) {  // SX32
      number = atoms_.SignExtended(a.word);
    } else {
      number = PairOf(a.word, RegisterAt(n, 64, IsUniform(n)));
    }
    shifted = atoms_.HighWord(atoms_.Normal(number.Times(factor)));
  } else {
    shifted = atoms_.Normal(a.word.Times(factor));
  }
  Polynomial sum = shifted;
  Polynomial carry = atoms_.ZeroExtended(shifted);
  if (b->negated) {
    sum.Add(b->word, ~std::uint64_t{0});
    if (Extended(word)) sum.Add(Polynomial(~kWordUnit + 1));
    carry.Add(atoms_.ZeroExtended(b->word), ~std::uint64_t{0});
    carry.Add(Polynomial(kWordUnit));
  } else {
    sum.Add(b->word);
    carry.Add(atoms_.ZeroExtended(b->word));
  }
  if (Extended(word)) {
    const std::optional<Polynomial> in = CarryIn(n, 87);
    if (!in) return std::nullopt;
    sum.Add(*in);
  }
  sum = atoms_.Normal(sum);
  if (!IsPredicate(place)) return sum;
  if (Extended(word)) return std::nullopt;
  carry.Add(atoms_.ZeroExtended(sum), ~std::uint64_t{0});
  return atoms_.Normal(carry);
}

std::optional<Polynomial> Analysis::Shift(std::uint32_t n) {
  const Word& word = code_.words()[n];
  // The number shifted is the third operand above the first; by how much the second says.
  const std::optional<Operand> by = Slot32(n);
  if (!by || (word.form() != 4 && word.form() != 1)) return std::nullopt;
  const std::optional<std::uint64_t> amount = by->word.constant();
  const std::uint64_t bits = amount ? *amount >> 32U : 32;
  const bool wraps = word.Bits(75, 1) != 0;
  if (bits >= 32 || wraps) return std::nullopt;
  const Polynomial low = RegisterAt(n, 24, IsUniform(n));
  const Polynomial upper = RegisterAt(n, 64, IsUniform(n));
  const bool right = word.Bits(76, 1) != 0;
  const bool high = word.Bits(80, 1) != 0;
  const std::uint32_t type = word.Bits(73, 2);  // S64 U64 S32 U32
  if (!right) {
    const std::uint64_t factor = std::uint64_t{1} << bits;
    if (!high) return atoms_.Normal(low.Times(factor));
    return atoms_.HighWord(atoms_.Normal(PairOf(low, upper).Times(factor)));
  }
  if (bits == 0) return high ? upper : low;
  if (!high) {  // the low half of a pair
    if (!upper.constant() || *upper.constant() != 0) return std::nullopt;
    return atoms_.LowWord(atoms_.ShiftRight(low, static_cast<std::uint32_t>(bits)));
  }
  const bool is_signed = type == 0 || type == 2;
  if (!is_signed) {
    return atoms_.LowWord(atoms_.ShiftRight(upper, static_cast<std::uint32_t>(bits)));
  }
  const Polynomial extended = atoms_.SignExtended(upper);
  const Polynomial zero_extended = atoms_.ZeroExtended(upper);
  if (extended == zero_extended) {  // cannot be negative
    return atoms_.LowWord(atoms_.ShiftRight(upper, static_cast<std::uint32_t>(bits)));
  }
  if (bits != 31) return std::nullopt;
  // All bits are the sign: the high half of the sign-extended number.
  Polynomial sign = extended;
  sign.Add(zero_extended, ~std::uint64_t{0});
  return atoms_.Normal(sign);
}

std::optional<Polynomial> Analysis::Move(std::uint32_t place, std::uint32_t n) {
  const Word& word = code_.words()[n];
  const bool between = word.opcode() == 0x0ca;
  const bool pair = code_.sm() >= 100 && !between && (word.Bits(80, 1) != 0 || word.form() == 2);
  if (pair) {  // .64
    if (word.form() != 1 && word.form() != 6) return std::nullopt;
    const std::optional<Polynomial> value = PairAt(n, 32);
    if (!value) return std::nullopt;
    return IndexIn(word, place) == 0 ? atoms_.LowWord(*value) : atoms_.HighWord(*value);
  }
  if (IsPredicate(place)) return std::nullopt;
  if (!between) {
    const std::optional<Operand> source = Slot32(n);
    return source ? std::optional(source->word) : std::nullopt;
  }
  // R2UR takes some lane's value; that is the value only where all lanes have the same.
  Polynomial source = RegisterAt(n, 24, false);
  if (VarianceOf(Solved(source), code_.BlockOf(n)) != Variance::kSame) return std::nullopt;
  return source;
}

std::optional<Polynomial> Analysis::Constant(std::uint32_t place, std::uint32_t n) {
  const Word& word = code_.words()[n];
  if (IsPredicate(place)) return std::nullopt;
  const std::uint32_t index = IndexIn(word, place);
  const std::uint32_t opcode = word.opcode();
  if (opcode == 0x031 || opcode == 0x035) {
    // -RZ * RZ + two constant halves: how ptxas writes a constant to rest the integer units.
    const bool zero = word.form() == 2 && word.Bits(24, 8) == 255 && word.Bits(64, 8) == 255;
    if (!zero || index != 0) return std::nullopt;
    return Polynomial(std::uint64_t{word.Bits(32, 32)} << 32U);
  }
  const std::uint32_t zero = opcode == 0x182 || code_.sm() >= 100 ? 255 : 63;
  const bool indexed = opcode != 0x0b9 && (word.Bits(24, 8) & zero) != zero;
  const std::uint32_t size = word.Bits(73, 3);
  if (indexed || size < 4) return std::nullopt;  // bytes and halves
  const std::uint32_t registers = size == 4 ? 1 : (size == 5 ? 2 : 4);
  if (index >= registers) return std::nullopt;
  const unsigned offset = opcode == kLdcu ? 37 : 38;
  return ConstantWord(word.Bits(54, 5), word.Bits(offset, 16) + 4 * index);
}

std::optional<Polynomial> Analysis::Special(std::uint32_t place, std::uint32_t n) {
  const Word& word = code_.words()[n];
  const std::uint32_t number = word.Bits(72, 8);
  constexpr std::uint32_t kZeros = 0xff;  // SRZ
  if (word.opcode() == 0x005) {
    return number == kZeros && IndexIn(word, place) < 2 ? std::optional(Polynomial())
                                                        : std::nullopt;
  }
  switch (number) {
    case kLaneId:
    case kThreadX:
    case kThreadY:
    case kThreadZ:
    case kBlockX:
    case kBlockY:
    case kBlockZ:
      return atoms_.WordOf(atoms_.Intern(AtomKind::kSpecial, number));
    default:
      return number == kZeros ? std::optional(Polynomial()) : std::nullopt;
  }
}

std::optional<Polynomial> Analysis::Loaded(std::uint32_t place, std::uint32_t n) {
  const Word& word = code_.words()[n];
  const std::uint32_t index = IndexIn(word, place);
  if (IsPredicate(place) || index > 3) return std::nullopt;
  return atoms_.WordOf(atoms_.Intern(AtomKind::kLoaded, n, index));
}

}  // namespace coalcheck::address
