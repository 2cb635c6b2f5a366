// SPDX-License-Identifier: Apache-2.0
//
// IEEE arithmetic is the host's; rounding to integers is PTX's.
#include "libcoalcheck/address/compute_float.h"

#include <algorithm>
#include <bit>
#include <cmath>

namespace coalcheck::address {

using ptx::Op;
using ptx::Opcode;
using ptx::Type;

namespace {

constexpr int kHalfDigits = 10;     // behind the leading one
constexpr int kHalfLeast = -14;     // exponent of the smallest normal number
constexpr double kHalfEnd = 65520;  // rounds to infinity
constexpr std::uint64_t kHalfInfinity = 0x7c00;

double OfHalf(std::uint64_t bits) {
  const auto exponent = static_cast<int>(bits >> kHalfDigits & 31U);
  const auto digits = static_cast<double>(bits & 0x3ffU);
  double value = std::ldexp(digits, kHalfLeast - kHalfDigits);
  if (exponent != 0) value = std::ldexp(digits + 1024, exponent - 1 + kHalfLeast - kHalfDigits);
  if (exponent == 31) value = digits == 0 ? HUGE_VAL : NAN;
  return (bits & 0x8000U) != 0 ? -value : value;
}

std::uint64_t HalfOf(double value) {
  if (std::isnan(value)) return 0x7fff;
  const std::uint64_t sign = std::signbit(value) ? 0x8000 : 0;
  const double size = std::fabs(value);
  if (size >= kHalfEnd) return sign | kHalfInfinity;
  const int exponent = size == 0 ? kHalfLeast : std::max(std::ilogb(size), kHalfLeast);
  // The leading one adds one to the exponent's bits.
  const auto digits =
      static_cast<std::uint64_t>(std::nearbyint(std::ldexp(size, kHalfDigits - exponent)));
  return sign | ((static_cast<std::uint64_t>(exponent - kHalfLeast) << kHalfDigits) + digits);
}

// Arithmetic in single precision gives one NaN only (PTX ISA, 9.7.3).
std::uint32_t SingleOf(float value) {
  return std::isnan(value) ? 0x7fffffffU : std::bit_cast<std::uint32_t>(value);
}

}  // namespace

double FloatOf(Type type, std::uint64_t bits) {
  if (type.bytes == 8) return std::bit_cast<double>(bits);
  if (type.bytes == 2) return OfHalf(bits);
  return std::bit_cast<float>(static_cast<std::uint32_t>(bits));
}
std::uint64_t BitsOf(Type type, double value) {
  if (type.bytes == 8) return std::bit_cast<std::uint64_t>(value);
  if (type.bytes == 2) return HalfOf(value);
  return SingleOf(static_cast<float>(value));
}

std::uint64_t Flushed(const Opcode& code, Type type, std::uint64_t bits) {
  if (!code.flushes) return bits;
  if (type.bytes == 4 && (bits & 0x7f800000U) == 0) return bits & 0x80000000U;
  // cvt flushes single precision alone.
  const bool is_half = type.bytes == 2 && code.op != Op::kCvt;
  return is_half && (bits & kHalfInfinity) == 0 ? bits & 0x8000U : bits;
}

namespace {

// The float next to `value` in the direction of `rounding`; `value` itself where it is one.
float Directed(char rounding, double value) {
  const auto nearest = static_cast<float>(value);
  const bool down = rounding == 'm' || (rounding == 'z' && value > 0);
  const bool up = rounding == 'p' || (rounding == 'z' && value < 0);
  if (down && nearest > value) return std::nextafter(nearest, -HUGE_VALF);
  if (up && nearest < value) return std::nextafter(nearest, HUGE_VALF);
  return nearest;
}

// Limited to 0 to 1; NaN gives 0.
template <typename T>
T Saturated(T value) {
  return value > 0 ? std::min(value, T{1}) : T{0};
}

// Sums and products of floats are computed in double precision, where the rounding is not the
// host's.
template <typename F>
std::uint64_t InFloat(const Operands& o, F f) {
  const Opcode& code = *o.code;
  const Type type = code.type;
  const auto limited = [&](auto value) { return code.saturates ? Saturated(value) : value; };
  const bool is_nearest = !code.rounds || code.rounding == 'n';
  if (type.bytes == 4 && is_nearest) {
    const auto as_float = [&](std::uint64_t bits) {
      return std::bit_cast<float>(static_cast<std::uint32_t>(Flushed(code, type, bits)));
    };
    const float value = f(as_float(o.a), as_float(o.b), as_float(o.c));
    return Flushed(code, type, SingleOf(limited(value)));
  }
  const auto input = [&](std::uint64_t bits) { return InputOf(code, type, bits); };
  const double value = limited(f(input(o.a), input(o.b), input(o.c)));
  return Flushed(code, type, BitsOf(type, is_nearest ? value : Directed(code.rounding, value)));
}

std::uint64_t FloatAdd(const Operands& o) {
  return InFloat(o, [](auto a, auto b, auto) { return a + b; });
}
std::uint64_t FloatSub(const Operands& o) {
  return InFloat(o, [](auto a, auto b, auto) { return a - b; });
}
std::uint64_t FloatMul(const Operands& o) {
  return InFloat(o, [](auto a, auto b, auto) { return a * b; });
}
std::uint64_t FloatDiv(const Operands& o) {
  return InFloat(o, [](auto a, auto b, auto) { return a / b; });
}
std::uint64_t FloatFma(const Operands& o) {
  return InFloat(o, [](auto a, auto b, auto c) { return std::fma(a, b, c); });
}
// -0 is less than +0.
std::uint64_t FloatMin(const Operands& o) {
  return InFloat(o, [](auto a, auto b, auto) {
    if (a == b) return std::signbit(a) ? a : b;
    return std::fmin(a, b);
  });
}
std::uint64_t FloatMax(const Operands& o) {
  return InFloat(o, [](auto a, auto b, auto) {
    if (a == b) return std::signbit(a) ? b : a;
    return std::fmax(a, b);
  });
}
std::uint64_t FloatAbs(const Operands& o) {
  return InFloat(o, [](auto a, auto, auto) { return std::fabs(a); });
}
std::uint64_t FloatNeg(const Operands& o) {
  return InFloat(o, [](auto a, auto, auto) { return -a; });
}

std::uint64_t FloatSqrt(const Operands& o) {
  return InFloat(o, [](auto a, auto, auto) { return std::sqrt(a); });
}
// A function that PTX approximates is rounded once here; the hardware's last digits may differ.
template <double (*kFunction)(double)>
std::uint64_t Rounded(const Operands& o) {
  const Type type = o.code->type;
  return Flushed(*o.code, type, BitsOf(type, kFunction(InputOf(*o.code, type, o.a))));
}
double InverseRoot(double a) { return 1 / std::sqrt(a); }
std::uint64_t FloatInverse(const Operands& o) {
  return InFloat(o, [](auto a, auto, auto) { return 1 / a; });
}
// The sign is that of the first.
std::uint64_t FloatCopysign(const Operands& o) {
  return InFloat(o, [](auto a, auto b, auto) { return std::copysign(b, a); });
}

double ToWhole(char rounding, double value) {
  switch (rounding) {
    case 'n':
      return std::nearbyint(value);
    case 'm':
      return std::floor(value);
    case 'p':
      return std::ceil(value);
    default:
      return std::trunc(value);
  }
}

// 0, or where doubles or integers of 64 bits take part the highest bit alone.
std::uint64_t IntegerOfNan(const Opcode& code) {
  if (code.from.bytes != 8 && code.type.bytes != 8) return 0;
  return Extended(code.type, std::uint64_t{1} << (8U * code.type.bytes - 1));
}

// Numbers out of range give the nearest one in it.
std::uint64_t FloatToInteger(const Operands& o) {
  const Type type = o.code->type;
  const double value = ToWhole(o.code->rounding, InputOf(*o.code, o.code->from, o.a));
  if (std::isnan(value)) return IntegerOfNan(*o.code);
  const unsigned bits = 8U * type.bytes;
  if (type.IsSigned()) {
    const double limit = std::ldexp(1.0, static_cast<int>(bits) - 1);
    if (value >= limit) return ~std::uint64_t{0} >> (65 - bits);
    if (value < -limit) return Extended(type, std::uint64_t{1} << (bits - 1));
    return static_cast<std::uint64_t>(static_cast<std::int64_t>(value));
  }
  if (value >= std::ldexp(1.0, static_cast<int>(bits))) return Fit(o, ~std::uint64_t{0});
  return value <= 0 ? 0 : Fit(o, static_cast<std::uint64_t>(value));
}

std::uint64_t FloatToFloat(const Operands& o) {
  const Opcode& code = *o.code;
  const double value = InputOf(code, code.from, o.a);
  const bool to_whole = code.from.bytes == code.type.bytes && code.rounds;
  const double whole = to_whole ? ToWhole(code.rounding, value) : value;
  return Flushed(code, code.type, BitsOf(code.type, code.saturates ? Saturated(whole) : whole));
}

// Rounded once.
std::uint64_t IntegerToFloat(const Operands& o) {
  const Type type = o.code->type;
  const std::uint64_t bits = Extended(o.code->from, o.a);
  const bool is_signed = o.code->from.IsSigned();
  if (type.bytes == 4) {
    const float value =
        is_signed ? static_cast<float>(static_cast<std::int64_t>(bits)) : static_cast<float>(bits);
    return std::bit_cast<std::uint32_t>(value);
  }
  return BitsOf(type, is_signed ? static_cast<double>(static_cast<std::int64_t>(bits))
                                : static_cast<double>(bits));
}

std::uint64_t Convert(const Operands& o) {
  const Opcode& code = *o.code;
  if (code.type.IsFloat()) return code.from.IsFloat() ? FloatToFloat(o) : IntegerToFloat(o);
  return code.from.IsFloat() ? FloatToInteger(o) : Extended(code.type, Extended(code.from, o.a));
}

constexpr ComputationRow kRows[] = {
    RowOf<FloatAdd>(Op::kAdd),
    RowOf<FloatSub>(Op::kSub),
    RowOf<FloatMul>(Op::kMul),
    RowOf<FloatFma>(Op::kMad),
    RowOf<FloatDiv>(Op::kDiv),
    RowOf<FloatMin>(Op::kMin),
    RowOf<FloatMax>(Op::kMax),
    RowOf<FloatAbs>(Op::kAbs),
    RowOf<FloatNeg>(Op::kNeg),
    RowOf<FloatSqrt>(Op::kSqrt),
    RowOf<FloatCopysign>(Op::kCopysign),
    RowOf<FloatInverse>(Op::kRcp),
    RowOf<Rounded<InverseRoot>>(Op::kRsqrt),
    RowOf<Rounded<std::exp2>>(Op::kEx2),
    RowOf<Rounded<std::log2>>(Op::kLg2),
    RowOf<Rounded<std::sin>>(Op::kSin),
    RowOf<Rounded<std::cos>>(Op::kCos),
    RowOf<Rounded<std::tanh>>(Op::kTanh),
};

}  // namespace

Computation FloatComputationOf(const Opcode& code) {
  Computation found;
  if (code.op == Op::kCvt) {
    const bool is_known = code.from.bytes >= 1 && code.from.kind != Type::Kind::kPacked;
    if (is_known) found = RowOf<Convert>(code.op).computation;
  } else {
    const auto* row = std::ranges::find(kRows, code.op, &ComputationRow::op);
    if (row != std::end(kRows)) found = row->computation;
  }
  found.may_give_nan = found.exists() && code.type.IsFloat() && code.type.bytes == 8;
  return found;
}

bool IsUnspecified(const Opcode& code, const Computation& computation, std::uint64_t result) {
  return computation.may_give_nan && std::isnan(FloatOf(code.type, result));
}

}  // namespace coalcheck::address
