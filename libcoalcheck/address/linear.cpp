// SPDX-License-Identifier: Apache-2.0
//
// Rules for sums of a number and symbols. Those with divisors hold because indices are not negative
// and do not overflow.
#include "libcoalcheck/address/linear.h"

#include <algorithm>
#include <bit>

namespace coalcheck::address {

using ptx::Mode;
using ptx::Op;
using ptx::Opcode;
using ptx::Type;

namespace {

std::array<Value, 4> ValuesOf(const std::array<Common, 4>& sources) {
  std::array<Value, 4> values;
  std::ranges::transform(sources, values.begin(), &Common::value);
  return values;
}

bool IsUnknown(Value value) { return value.form != kNoForm; }

// An index of that type, made wider. Numbers beside symbols are small and may be negative: `n - 1`.
std::uint64_t Widened(Value value, unsigned bytes) {
  return static_cast<std::uint64_t>(SignExtend(value.bits, bytes));
}

// Indices are signed, whatever the type: `n - 1 - i` may be below zero on the way.
std::uint64_t AsSigned(const Opcode& code, Computation compute, const std::array<Value, 4>& of) {
  Opcode as_signed = code;
  as_signed.type.kind = Type::Kind::kSigned;
  return compute({&as_signed, of[0].bits, of[1].bits, of[2].bits, of[3].bits});
}

}  // namespace

unsigned Linear::TrailingZeros(Value value) const {
  return std::min<unsigned>(unknowns_.TrailingZeros(value.form),
                            static_cast<unsigned>(std::countr_zero(value.bits)));
}

Value Linear::Product(const Opcode& code, Value a, std::uint64_t factor) {
  const unsigned bytes = code.type.bytes;
  const std::uint64_t by = code.type.IsSigned() || code.mode != Mode::kWide
                               ? static_cast<std::uint64_t>(SignExtend(factor, bytes))
                               : Truncate(factor, bytes);
  return {Truncate(Widened(a, bytes) * by, ResultBytes(code)), unknowns_.Scale(a.form, by)};
}

// Of sums of arguments: the sum of their products, so that lanes which differ by a number times a
// product differ by that number of one symbol.
std::optional<Value> Linear::ProductOfLaunch(const Opcode& code, Value a, Value b) {
  if (!conditions_.IsOfLaunch(a.form) || !conditions_.IsOfLaunch(b.form)) return std::nullopt;
  const Unknowns::Multiples of_a = unknowns_.MultiplesOf(a.form);
  const Unknowns::Multiples of_b = unknowns_.MultiplesOf(b.form);
  if (of_a.empty() || of_b.empty() || of_a.size() * of_b.size() > 4) {
    return std::nullopt;
  }
  const std::uint64_t number_a = Widened(a, code.type.bytes);
  const std::uint64_t number_b = Widened(b, code.type.bytes);
  Form sum = unknowns_.Add(unknowns_.Scale(a.form, number_b), unknowns_.Scale(b.form, number_a));
  for (const Unknowns::Multiple& one : of_a) {
    for (const Unknowns::Multiple& other : of_b) {
      const Form product = conditions_.ProductOf(one.symbol, other.symbol);
      const auto factor =
          static_cast<std::uint64_t>(one.factor) * static_cast<std::uint64_t>(other.factor);
      sum = unknowns_.Add(sum, unknowns_.Scale(product, factor));
    }
  }
  return Value{Truncate(number_a * number_b, ResultBytes(code)), sum};
}

std::optional<Value> Linear::Sum(const Opcode& code, const Sources& sources) {
  const Value& a = sources[0];
  const Value& b = sources[1];
  const Value& c = sources[2];
  const unsigned bytes = ResultBytes(code);
  const auto add = [&](Value x, Value y) {
    return Value{Truncate(x.bits + y.bits, bytes), unknowns_.Add(x.form, y.form)};
  };
  const auto times = [&]() -> std::optional<Value> {
    if (code.mode == Mode::kHi) return std::nullopt;
    if (IsUnknown(a) && IsUnknown(b)) return ProductOfLaunch(code, a, b);
    if (IsUnknown(a)) return Product(code, a, b.bits);
    if (IsUnknown(b)) return Product(code, b, a.bits);
    return Value{
        Truncate(code.mode == Mode::kWide && !code.type.IsSigned()
                     ? Truncate(a.bits, code.type.bytes) * Truncate(b.bits, code.type.bytes)
                     : Widened(a, code.type.bytes) * Widened(b, code.type.bytes),
                 bytes),
        kNoForm};
  };
  switch (code.op) {
    case Op::kAdd:
      return add(a, b);
    case Op::kSub:
      return add(a, {0 - b.bits, unknowns_.Scale(b.form, ~std::uint64_t{0})});
    case Op::kNeg:
      return Value{Truncate(0 - a.bits, bytes), unknowns_.Scale(a.form, ~std::uint64_t{0})};
    case Op::kMul:
      return times();
    case Op::kMad: {
      const std::optional<Value> product = times();
      return product ? std::optional(add(*product, c)) : std::nullopt;
    }
    default:
      return std::nullopt;
  }
}

// Bits that no symbol reaches are numbers still.
std::optional<Value> Linear::Logic(const Opcode& code, Value a, Value b) {
  if (IsUnknown(b)) std::swap(a, b);  // `a` has symbols, `b` has none if one of them has none
  const unsigned bytes = code.type.bytes;
  if (code.type.kind == Type::Kind::kPredicate) {
    if (IsUnknown(b)) return std::nullopt;
    if (code.op == Op::kAnd) return (b.bits & 1U) != 0 ? a : Value{0, kNoForm};
    if (code.op == Op::kOr) return (b.bits & 1U) != 0 ? Value{1, kNoForm} : a;
    return (b.bits & 1U) == 0 ? std::optional(a) : std::nullopt;
  }
  const unsigned zeros = TrailingZeros(a);
  if (IsUnknown(b)) {
    // Parts of an index: `(x << 5) | y` with symbols in both is no sum that can be proven.
    return std::nullopt;
  }
  if (code.op == Op::kAnd) {
    const unsigned form_zeros = unknowns_.TrailingZeros(a.form);
    const bool keeps_low = form_zeros >= 64 || (b.bits >> form_zeros) == 0;
    if (keeps_low) return Value{a.bits & b.bits, kNoForm};
    // Clearing low bits that no symbol has.
    const std::uint64_t cleared = ~Truncate(b.bits, bytes) & Truncate(~std::uint64_t{0}, bytes);
    const bool clears_low =
        form_zeros < 64 && (cleared >> form_zeros) == 0 && (cleared & (cleared + 1)) == 0;
    if (clears_low) return Value{a.bits & b.bits, a.form};
    return std::nullopt;
  }
  const bool are_apart = zeros >= 64 || (Truncate(b.bits, bytes) >> zeros) == 0;
  if (are_apart) return Value{Truncate(a.bits + b.bits, bytes), a.form};
  return std::nullopt;
}

std::optional<Value> Linear::Quotient(const Opcode& code, Value a, std::uint64_t divisor) {
  if (divisor == 0 || divisor > (1ULL << 31U)) return std::nullopt;
  if (!unknowns_.IsMultiple(a.form, divisor)) return std::nullopt;
  const std::int64_t bits = SignExtend(a.bits, code.type.bytes);
  const auto by = static_cast<std::int64_t>(divisor);
  const std::int64_t floor = bits / by - (bits % by < 0 ? 1 : 0);
  return Value{Truncate(static_cast<std::uint64_t>(floor), code.type.bytes),
               unknowns_.Divide(a.form, divisor)};
}

std::optional<Value> Linear::Remainder(const Opcode& code, Value a, std::uint64_t divisor) {
  if (divisor == 0 || divisor > (1ULL << 31U)) return std::nullopt;
  if (!unknowns_.IsMultiple(a.form, divisor)) return std::nullopt;
  const auto by = static_cast<std::int64_t>(divisor);
  const std::int64_t rest = SignExtend(a.bits, code.type.bytes) % by;
  return Value{static_cast<std::uint64_t>(rest < 0 ? rest + by : rest), kNoForm};
}

// A shift, quotient or remainder whose second operand is known.
std::optional<Value> Linear::ByNumber(const Opcode& code, Value a, std::uint64_t number) {
  switch (code.op) {
    case Op::kShl:
      if (number >= std::uint64_t{8} * code.type.bytes) return std::nullopt;
      return Value{Truncate(a.bits << number, code.type.bytes),
                   unknowns_.Scale(a.form, std::uint64_t{1} << number)};
    case Op::kShr:
      if (number > 31) return std::nullopt;
      return Quotient(code, a, std::uint64_t{1} << number);
    case Op::kDiv:
      return Quotient(code, a, number);
    default:
      return Remainder(code, a, number);
  }
}

// `start + lane < start + 32` is a matter of numbers.
std::optional<Value> Linear::Comparison(const Opcode& code, Computation compute,
                                        const Sources& sources) {
  const auto& [a, b, c, d] = sources;
  if (code.combine != ptx::Combine::kNone) {
    const std::uint64_t with = c.bits & 1U;
    const bool decides = !IsUnknown(c) && ((code.combine == ptx::Combine::kAnd && with == 0) ||
                                           (code.combine == ptx::Combine::kOr && with == 1));
    if (decides) return Value{with, kNoForm};
  }
  if (a.form != b.form || IsUnknown(c) || !code.type.IsInteger()) return std::nullopt;
  return Value{AsSigned(code, compute, sources), kNoForm};
}

std::optional<Value> Linear::Conversion(const Opcode& code, Value a) {
  const bool integers = code.type.IsInteger() && code.from.IsInteger();
  // A byte or a half holds a part of an index, and nobody knows which.
  if (!integers || code.type.bytes < 4 || code.from.bytes < 4) return std::nullopt;
  return Value{Extended(code.type, Widened(a, code.from.bytes)), a.form};
}

std::optional<Value> Linear::Rule(const Opcode& code, Computation compute, const Sources& sources) {
  const auto& [a, b, c, d] = sources;
  if (!compute.exists()) return std::nullopt;
  if (code.type.IsFloat() || (code.op == Op::kCvt && code.from.IsFloat())) {
    return code.op == Op::kMov ? std::optional(a) : std::nullopt;
  }
  switch (code.op) {
    case Op::kMov:
      return a;
    case Op::kCvta:
      return Value{compute({&code, a.bits}), a.form};
    case Op::kAdd:
    case Op::kSub:
    case Op::kNeg:
    case Op::kMul:
    case Op::kMad:
      return Sum(code, sources);
    case Op::kShl:
    case Op::kShr:
    case Op::kDiv:
    case Op::kRem:
      return IsUnknown(b) ? std::nullopt : ByNumber(code, a, b.bits);
    case Op::kAnd:
    case Op::kOr:
    case Op::kXor:
      return Logic(code, a, b);
    case Op::kNot:
      return std::nullopt;
    case Op::kMin:
    case Op::kMax:
      if (a.form != b.form) return std::nullopt;
      return Value{AsSigned(code, compute, sources), a.form};
    case Op::kSelp:
      if (a == b) return a;
      if (IsUnknown(c)) return std::nullopt;
      return (c.bits & 1U) != 0 ? a : b;
    case Op::kSetp:
      return Comparison(code, compute, sources);
    case Op::kIsspacep:  // arrays that nobody knows are in global memory
      return Value{code.space == ptx::Space::kGlobal ? 1U : 0U, kNoForm};
    case Op::kCvt:
      return Conversion(code, a);
    default:
      return std::nullopt;
  }
}

Origins Linear::OriginsOf(const Sources& sources, std::uint32_t place) {
  Origins origins = 0;
  for (const Value& source : sources) {
    origins = unknowns_.Join(origins, unknowns_.OriginsOf(source.form));
  }
  return origins != 0 ? origins : unknowns_.One({Origin::Kind::kNotComputed, place});
}

// The operation with its types, so that equal ones of different places give equal symbols.
Unknowns::Key Linear::KeyOf(const Opcode& code, const Sources& sources, std::uint32_t place) {
  const std::uint64_t what = static_cast<std::uint64_t>(code.op) << 48U |
                             static_cast<std::uint64_t>(code.type.kind) << 44U |
                             static_cast<std::uint64_t>(code.type.bytes) << 36U |
                             static_cast<std::uint64_t>(code.from.kind) << 32U |
                             static_cast<std::uint64_t>(code.from.bytes) << 24U |
                             static_cast<std::uint64_t>(code.compare) << 20U |
                             static_cast<std::uint64_t>(code.combine) << 16U |
                             static_cast<std::uint64_t>(code.mode) << 8U |
                             static_cast<std::uint64_t>(code.rounding);
  const std::uint64_t flags = (code.clamps ? 1U : 0U) | (code.unordered ? 2U : 0U) |
                              (code.saturates ? 4U : 0U) | (code.approximate ? 8U : 0U) |
                              (code.flushes ? 16U : 0U);
  return {Unknowns::Of::kOperation, what, flags << 40U | (code.op == Op::kOther ? place : 0),
          sources};
}

Value Linear::Opaque(const Opcode& code, const Sources& sources, std::uint32_t place) {
  const Form form = unknowns_.Symbol(KeyOf(code, sources, place), OriginsOf(sources, place));
  conditions_.Note(form, code, sources);
  return {0, form};
}

Form Linear::OpaqueLanes(const Opcode& code, const std::array<Common, 4>& sources,
                         std::uint32_t place) {
  const Sources values = ValuesOf(sources);
  return unknowns_.LaneSymbols(KeyOf(code, values, place), LaneBitsOf(sources),
                               OriginsOf(values, place));
}

std::optional<Value> Linear::LaneSymbols(const Opcode& code, Computation compute,
                                         const std::array<Common, 4>& sources,
                                         std::uint32_t place) {
  // A symbol that belongs to one lane and that all lanes hold is no other lane's own.
  const bool is_mixed = std::ranges::any_of(sources, [&](const Common& source) {
    return !source.is_of_lanes && unknowns_.NamesLane(source.value.form);
  });
  if (is_mixed) return std::nullopt;
  const std::optional<Value> of_first = Rule(code, compute, ValuesOf(sources));
  if (!of_first) return Value{0, OpaqueLanes(code, sources, place)};
  const bool is_of_lanes = std::ranges::any_of(sources, [&](const Common& source) {
    return source.is_of_lanes && source.value.form == of_first->form;
  });
  return is_of_lanes ? of_first : std::nullopt;
}

Value Linear::Compute(const Opcode& code, Computation compute, const Sources& sources,
                      std::uint32_t place) {
  if (const std::optional<Value> value = Rule(code, compute, sources)) return *value;
  return Opaque(code, sources, place);
}

}  // namespace coalcheck::address
