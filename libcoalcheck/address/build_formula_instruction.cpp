// SPDX-License-Identifier: Apache-2.0
//
// What each opcode computes, as a formula.
#include <algorithm>

#include "libcoalcheck/address/build_formula.h"
#include "libcoalcheck/ptx/slice.h"

namespace coalcheck::address {
namespace {

using ptx::Mode;
using ptx::Op;
using ptx::Special;

FormulaBounds BoundsOf(Special special) {
  switch (special) {
    case Special::kTidX:
    case Special::kTidY:
      return {false, 1023};
    case Special::kTidZ:
      return {false, 63};
    case Special::kNtidX:
    case Special::kNtidY:
      return {false, 1024};
    case Special::kNtidZ:
      return {false, 64};
    case Special::kLaneid:
      return {false, 31};
    case Special::kWarpid:
      return {false, 63};
    case Special::kCtaidX:
    case Special::kNctaidX:
      return {false, 0x7fffffff};
    case Special::kCtaidY:
    case Special::kCtaidZ:
    case Special::kNctaidY:
    case Special::kNctaidZ:
      return {false, 0xffff};
    default:
      return {false, 0xffffffff};
  }
}

FormulaBounds BoundsOf(ptx::Type type) {
  if (type.kind == ptx::Type::Kind::kPredicate) return {false, 1};
  const bool is_short = type.bytes > 0 && type.bytes <= 2;
  if (!is_short || type.IsSigned() || type.IsFloat()) return {};
  return {false, (std::uint64_t{1} << (8U * type.bytes)) - 1};
}

// Reads of memory that have no address here: textures, matrices.
bool ReadsMemory(std::string_view opcode) {
  return opcode.starts_with("tex.") || opcode.starts_with("tld4.") || opcode.starts_with("suld.") ||
         opcode.starts_with("ldmatrix.") || opcode.starts_with("wmma.load.") ||
         opcode.starts_with("ld_");
}

}  // namespace

Formula FormulaBuilder::Operand(const ptx::Operand& operand, ptx::Type type) {
  const auto offset = static_cast<std::uint64_t>(operand.value);
  switch (operand.kind) {
    case ptx::Operand::Kind::kRegister: {
      Formula value = At(operand.id, block_).value_or(Unknown(instruction_));
      if (operand.is_negated) value = algebra_.Difference(Formula(1), value);
      value.Add(Monomial(), offset);
      return value;
    }
    case ptx::Operand::Kind::kImmediate: {
      if (type.bytes >= 8 || type.bytes == 0) return Formula(offset);
      const std::uint32_t unused = 64U - 8U * type.bytes;
      const std::uint64_t high = offset << unused;
      const bool is_unsigned = type.kind == ptx::Type::Kind::kUnsigned;
      return Formula(is_unsigned
                         ? high >> unused
                         : static_cast<std::uint64_t>(static_cast<std::int64_t>(high) >> unused));
    }
    case ptx::Operand::Kind::kSpecial: {
      const auto special = static_cast<Special>(operand.id);
      if (special == Special::kWarpSize) return Formula(32);
      if (special == Special::kOther) return Unknown(instruction_);
      return algebra_.Atom({FormulaKind::kSpecial, operand.id, 0, {}}, BoundsOf(special));
    }
    case ptx::Operand::Kind::kSymbol: {
      Formula value = algebra_.Atom({FormulaKind::kSymbol, operand.id, 0, {}}, {false});
      value.Add(Monomial(), offset);
      return value;
    }
    default:
      return Unknown(instruction_);
  }
}

// An operand of the instruction that is being built. Numbers are signed where the sign does not
// matter.
Formula FormulaBuilder::Argument(std::size_t index) {
  const auto operands = function_.OperandsOf(*one_);
  if (index >= operands.size()) return Unknown(instruction_);
  ptx::Type type = one_->code.op == Op::kCvt ? one_->code.from : one_->code.type;
  const Op op = one_->code.op;
  const bool sign_matters = op == Op::kDiv || op == Op::kRem || op == Op::kMin || op == Op::kMax ||
                            op == Op::kSetp || one_->code.mode == Mode::kWide ||
                            one_->code.mode == Mode::kHi;
  if (!sign_matters && type.IsInteger()) type.kind = ptx::Type::Kind::kSigned;
  return Operand(operands[index], type);
}

// An atom for a value that is not computed here; its arguments are the values it depends on.
Formula FormulaBuilder::Opaque(FormulaKind kind, std::size_t index, FormulaBounds bounds) {
  constexpr std::size_t kMostArguments = 8;
  std::vector<Formula> arguments;
  const std::vector<std::uint32_t> results = ptx::Writes(function_, *one_);
  for (const std::uint32_t reg : ptx::Reads(function_, *one_)) {
    if (arguments.size() >= kMostArguments) break;
    const Formula value = At(reg, block_).value_or(Unknown(instruction_));
    if (value.constant() || std::ranges::find(arguments, value) != arguments.end()) continue;
    arguments.push_back(value);
  }
  return algebra_.Atom(
      {kind, instruction_, static_cast<std::uint32_t>(index), std::move(arguments)}, bounds);
}

Formula FormulaBuilder::Result(std::size_t index) {
  const ptx::Opcode& code = one_->code;
  if (code.carries || code.saturates) return Opaque(FormulaKind::kComputed, index);
  switch (code.op) {
    case Op::kMov:
      return Moved(index);
    case Op::kCvta:
      return Argument(1);
    case Op::kCvt:
      return Converted();
    case Op::kLd:
    case Op::kAtom:
      return Loaded(index);
    case Op::kSetp: {
      const auto operands = function_.OperandsOf(*one_);
      const bool is_first = !operands.empty() && operands[0].kind == ptx::Operand::Kind::kRegister;
      if (index == 0 && is_first) return Compared();
      if (one_->code.combine != ptx::Combine::kNone) {
        return Opaque(FormulaKind::kComputed, index + 1, {false, 1});
      }
      return algebra_.Difference(Formula(1), Compared());
    }
    case Op::kSelp:
      return algebra_.Select(Operand(function_.OperandsOf(*one_).back(), {}), Argument(1),
                             Argument(2));
    case Op::kShfl:
    case Op::kVote:
    case Op::kMatch:
    case Op::kRedux:
    case Op::kElect:
    case Op::kActivemask:
      return Opaque(FormulaKind::kExchanged, index, BoundsOf(code.type));
    case Op::kCall:
      return algebra_.Atom({FormulaKind::kReturned, instruction_, 0, {}});
    case Op::kOfLane:
    case Op::kBlockVote:
    case Op::kMbarrierWait:
    case Op::kDp4a:
    case Op::kOther:
    case Op::kUnread:
      if (ReadsMemory(one_->text)) return Opaque(FormulaKind::kLoaded, index);
      return code.type.IsFloat() ? Opaque(FormulaKind::kComputed, index) : Unknown(instruction_);
    default:
      if (index > 0) return Opaque(FormulaKind::kComputed, index, {false, 1});  // of lop3: not zero
      return code.type.IsInteger() || code.type.kind == ptx::Type::Kind::kPredicate
                 ? Integer()
                 : Opaque(FormulaKind::kComputed, index);
  }
}

Formula FormulaBuilder::Integer() {
  const ptx::Opcode& code = one_->code;
  if (MayOverflow()) return Opaque(FormulaKind::kFunction, 0);
  const bool is_wrapped =
      code.mode != Mode::kWide && code.mode != Mode::kHi && code.type.bytes == 4;
  const auto wrapped = [&](const Formula& x) { return is_wrapped ? algebra_.Wrap(x, 32) : x; };
  const Rounding rounding = Rounding::kToZero;
  switch (code.op) {
    case Op::kAdd:
      return wrapped(algebra_.Sum(Argument(1), Argument(2)));
    case Op::kSub:
      return wrapped(algebra_.Difference(Argument(1), Argument(2)));
    case Op::kMul:
    case Op::kMad: {
      Formula product = algebra_.Product(Argument(1), Argument(2));
      if (code.mode == Mode::kHi) {
        if (code.type.bytes > 4) return Opaque(FormulaKind::kComputed, 0);
        const Formula high(std::uint64_t{1} << (8U * code.type.bytes));
        product = algebra_.Quotient(product, high, Rounding::kDown);
      }
      if (code.op == Op::kMad) product = algebra_.Sum(product, Argument(3));
      return wrapped(product);
    }
    case Op::kDiv:
      return algebra_.Quotient(Argument(1), Argument(2), rounding);
    case Op::kRem:
      return algebra_.Remainder(Argument(1), Argument(2), rounding);
    case Op::kMin:
      return algebra_.Min(Argument(1), Argument(2));
    case Op::kMax:
      return algebra_.Max(Argument(1), Argument(2));
    case Op::kAbs:
      return algebra_.Abs(Argument(1));
    case Op::kNeg:
      return wrapped(Argument(1).Times(~std::uint64_t{0}));
    case Op::kSad:
      return algebra_.Sum(algebra_.Abs(algebra_.Difference(Argument(1), Argument(2))), Argument(3));
    case Op::kShl:
    case Op::kShr:
    case Op::kShf:
      return Shifted();
    case Op::kBfe:
    case Op::kBfi:
      return FieldOf();
    case Op::kPopc:
    case Op::kClz:
      return Opaque(FormulaKind::kFunction, 0, {false, 64});
    default:
      return Bitwise();
  }
}

Formula FormulaBuilder::Bitwise() {
  switch (one_->code.op) {
    case Op::kAnd:
      return algebra_.And(Argument(1), Argument(2));
    case Op::kOr:
      return algebra_.Or(Argument(1), Argument(2));
    case Op::kXor:
      return algebra_.Xor(Argument(1), Argument(2));
    case Op::kNot:
      return one_->code.type.kind == ptx::Type::Kind::kPredicate
                 ? algebra_.Difference(Formula(1), Argument(1))
                 : algebra_.Difference(Formula(~std::uint64_t{0}), Argument(1));
    case Op::kSlct:
      if (one_->code.from.IsFloat()) return Opaque(FormulaKind::kComputed, 0);
      return algebra_.Select(algebra_.Compare(ptx::Compare::kGe, Argument(3), Formula(0)),
                             Argument(1), Argument(2));
    default:
      return Opaque(FormulaKind::kFunction, 0);
  }
}

Formula FormulaBuilder::Shifted() {
  const ptx::Opcode& code = one_->code;
  const std::uint32_t width = 8U * code.type.bytes;
  if (code.op == Op::kShf) {
    const bool is_left = code.mode == Mode::kLeft;
    const Formula unused = is_left ? Argument(1) : Argument(2);
    const auto amount = Argument(3).constant();
    if (unused != Formula(0) || !amount || *amount >= width)
      return Opaque(FormulaKind::kFunction, 0);
    const Formula by(std::uint64_t{1} << *amount);
    return is_left ? algebra_.Wrap(algebra_.Product(Argument(2), by), width)
                   : algebra_.Quotient(Argument(1), by, Rounding::kDown);
  }
  const Formula amount = Argument(2);
  if (amount.constant().value_or(0) >= width) return Formula(0);
  const Formula by = algebra_.PowerOfTwo(amount);
  const Formula x = Argument(1);
  if (code.op == Op::kShl) {
    const Formula product = algebra_.Product(x, by);
    return width == 32 ? algebra_.Wrap(product, width) : product;
  }
  const std::uint32_t kept = width - static_cast<std::uint32_t>(amount.constant().value_or(0));
  if (code.type.IsSigned() || kept == width) return algebra_.Quotient(x, by, Rounding::kDown);
  // The high bits of what a number's sign fills.
  if (kept == 1) return algebra_.SignBits(x, 1);
  const FormulaAtom* sign = atoms_.Alone(x, FormulaKind::kQuotient);
  if (sign != nullptr && sign->arguments[1] == Formula(std::uint64_t{1} << (width - 1))) {
    const Formula of = sign->arguments[0];
    return algebra_.SignBits(of, kept);
  }
  return algebra_.Quotient(x, by, Rounding::kDown);
}

// Bit fields at places that are known.
Formula FormulaBuilder::FieldOf() {
  const bool inserts = one_->code.op == Op::kBfi;
  const auto at = Argument(inserts ? 3 : 2).constant();
  const auto bits = Argument(inserts ? 4 : 3).constant();
  if (!at || !bits || *at > 31 || *bits > 31 || one_->code.type.IsSigned()) {
    return Opaque(FormulaKind::kFunction, 0);
  }
  const Formula place(std::uint64_t{1} << *at);
  const Formula size(std::uint64_t{1} << *bits);
  const auto field = [&](const Formula& of) {
    return algebra_.Remainder(algebra_.Quotient(of, place, Rounding::kDown), size, Rounding::kDown);
  };
  if (!inserts) return field(Argument(1));
  const Formula inserted = algebra_.Remainder(Argument(1), size, Rounding::kDown);
  const Formula change = algebra_.Difference(inserted, field(Argument(2)));
  return algebra_.Sum(Argument(2), algebra_.Product(change, place));
}

// A register, or several in one and back.
Formula FormulaBuilder::Moved(std::size_t index) {
  const auto operands = function_.OperandsOf(*one_);
  if (operands.size() < 2) return Unknown(instruction_);
  const ptx::Type type = one_->code.type;
  const auto half = [&](std::size_t count) {
    return Formula(std::uint64_t{1}
                   << (std::size_t{8} * type.bytes / std::max<std::size_t>(count, 1)));
  };
  if (operands[1].kind == ptx::Operand::Kind::kVector) {
    const auto elements = function_.ElementsOf(operands[1]);
    if (elements.size() != 2 || type.bytes > 8) return Opaque(FormulaKind::kFunction, index);
    const Formula high = Operand(elements[1], type);
    return algebra_.Sum(Operand(elements[0], type), algebra_.Product(high, half(2)));
  }
  if (operands[0].kind == ptx::Operand::Kind::kVector) {
    const std::size_t count = function_.ElementsOf(operands[0]).size();
    if (count != 2 || type.bytes > 8) return Opaque(FormulaKind::kFunction, index);
    const bool is_low =
        index == 0 && function_.ElementsOf(operands[0])[0].kind == ptx::Operand::Kind::kRegister;
    return is_low ? algebra_.Remainder(Argument(1), half(2), Rounding::kDown)
                  : algebra_.Quotient(Argument(1), half(2), Rounding::kDown);
  }
  return Operand(operands[1],
                 {type.IsInteger() ? ptx::Type::Kind::kSigned : type.kind, type.bytes});
}

// What is kept of a number that may be larger.
Formula FormulaBuilder::Narrowed(const Formula& x, std::uint32_t bits) {
  const FormulaBounds bounds = atoms_.BoundsOf(x);
  if (!bounds.may_be_negative && bounds.most >> bits == 0) return x;
  return algebra_.Remainder(x, Formula(std::uint64_t{1} << bits), Rounding::kDown);
}

Formula FormulaBuilder::Converted() {
  const ptx::Type to = one_->code.type;
  const ptx::Type from = one_->code.from;
  if (!to.IsInteger() || !from.IsInteger()) return Opaque(FormulaKind::kComputed, 0);
  const Formula x = Argument(1);
  const std::uint32_t bytes = std::min(to.bytes, from.bytes);
  const bool keeps = bytes >= 4 || (from.IsSigned() && bytes == from.bytes);
  if (keeps) return x;
  const bool may_turn_negative = to.IsSigned() && bytes == to.bytes;
  const FormulaBounds bounds = atoms_.BoundsOf(x);
  const bool stays = !bounds.may_be_negative && bounds.most >> (8 * bytes - 1) == 0;
  if (may_turn_negative && !stays) return Opaque(FormulaKind::kFunction, 0);
  return Narrowed(x, 8 * bytes);
}

Formula FormulaBuilder::Compared() {
  const ptx::Opcode& code = one_->code;
  const bool is_number = code.type.IsInteger();
  const std::size_t first = function_.HasTwoResults(*one_) ? 2 : 1;
  Formula result = is_number ? algebra_.Compare(code.compare, Argument(first), Argument(first + 1))
                             : Opaque(FormulaKind::kComputed, 0, {false, 1});
  if (code.combine == ptx::Combine::kNone) return result;
  const Formula other = Operand(function_.OperandsOf(*one_).back(), {});
  if (code.combine == ptx::Combine::kAnd) return algebra_.And(result, other);
  if (code.combine == ptx::Combine::kOr) return algebra_.Or(result, other);
  return algebra_.Xor(result, other);
}

// Where the register that is written as number `index` stands in a vector: `_` is none.
std::uint32_t FormulaBuilder::PlaceOf(const ptx::Operand& vector, std::uint32_t index) const {
  if (vector.kind != ptx::Operand::Kind::kVector) return 0;
  const auto elements = function_.ElementsOf(vector);
  for (std::uint32_t i = 0; i < elements.size(); ++i) {
    if (elements[i].kind == ptx::Operand::Kind::kRegister && index-- == 0) return i;
  }
  return 0;
}

Formula FormulaBuilder::Loaded(std::size_t index) {
  const auto operands = function_.OperandsOf(*one_);
  const auto address =
      std::ranges::find_if(operands, [](const ptx::Operand& one) { return one.is_memory; });
  if (address == operands.end()) return Unknown(instruction_);
  const auto element = static_cast<std::uint32_t>(index);
  const FormulaBounds bounds = BoundsOf(one_->code.type);
  const bool is_symbol = address->kind == ptx::Operand::Kind::kSymbol;
  if (one_->code.space == ptx::Space::kParam && is_symbol) {
    const std::uint32_t parameter = function_.symbols[address->id].parameter;
    if (parameter == ptx::kNone) {
      return algebra_.Atom({FormulaKind::kReturned, instruction_, element, {}}, bounds);
    }
    const std::uint32_t byte = static_cast<std::uint32_t>(address->value) +
                               PlaceOf(operands[0], element) * one_->code.type.bytes;
    return algebra_.Atom({FormulaKind::kParameter, parameter, byte, {}}, bounds);
  }
  constexpr ptx::Type kAddress{ptx::Type::Kind::kBits, 8};
  return algebra_.Atom({FormulaKind::kLoaded, instruction_, element, {Operand(*address, kAddress)}},
                       bounds);
}

}  // namespace coalcheck::address
