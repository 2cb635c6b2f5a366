// SPDX-License-Identifier: Apache-2.0
//
// IEEE arithmetic is the host's; rounding to integers is PTX's.
#include "libcoalcheck/address/compute_float.h"

#include <bit>
#include <cmath>

namespace coalcheck::address {

using ptx::Op;
using ptx::Opcode;
using ptx::Type;

double FloatOf(Type type, std::uint64_t bits) {
  if (type.bytes == 8) return std::bit_cast<double>(bits);
  return std::bit_cast<float>(static_cast<std::uint32_t>(bits));
}
std::uint64_t BitsOf(Type type, double value) {
  if (type.bytes == 8) return std::bit_cast<std::uint64_t>(value);
  return std::bit_cast<std::uint32_t>(static_cast<float>(value));
}

namespace {

template <typename F>
std::uint64_t InFloat(const Operands& o, F f) {
  const Type type = o.code->type;
  if (type.bytes == 8) {
    return BitsOf(type, f(FloatOf(type, o.a), FloatOf(type, o.b), FloatOf(type, o.c)));
  }
  const auto as_float = [&](std::uint64_t bits) {
    return std::bit_cast<float>(static_cast<std::uint32_t>(bits));
  };
  return std::bit_cast<std::uint32_t>(f(as_float(o.a), as_float(o.b), as_float(o.c)));
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
std::uint64_t FloatMin(const Operands& o) {
  return InFloat(o, [](auto a, auto b, auto) { return std::fmin(a, b); });
}
std::uint64_t FloatMax(const Operands& o) {
  return InFloat(o, [](auto a, auto b, auto) { return std::fmax(a, b); });
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
// The sign is that of the first.
std::uint64_t FloatCopysign(const Operands& o) {
  return InFloat(o, [](auto a, auto b, auto) { return std::copysign(b, a); });
}

double Rounded(char rounding, double value) {
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

// Numbers out of range give the nearest one in it, and NaN gives 0.
std::uint64_t FloatToInteger(const Operands& o) {
  const double value = Rounded(o.code->rounding, FloatOf(o.code->from, o.a));
  if (std::isnan(value)) return 0;
  const unsigned bits = 8U * o.code->type.bytes;
  if (o.code->type.IsSigned()) {
    const double limit = std::ldexp(1.0, static_cast<int>(bits) - 1);
    if (value >= limit) return Fit(o, ~std::uint64_t{0} >> (65 - bits));
    if (value < -limit) return Fit(o, std::uint64_t{1} << (bits - 1));
    return Fit(o, static_cast<std::uint64_t>(static_cast<std::int64_t>(value)));
  }
  if (value >= std::ldexp(1.0, static_cast<int>(bits))) return Fit(o, ~std::uint64_t{0});
  return value <= 0 ? 0 : Fit(o, static_cast<std::uint64_t>(value));
}

constexpr ComputationRow kRows[] = {
    RowOf<FloatAdd>(Op::kAdd),   RowOf<FloatSub>(Op::kSub),           RowOf<FloatMul>(Op::kMul),
    RowOf<FloatFma>(Op::kMad),   RowOf<FloatDiv>(Op::kDiv),           RowOf<FloatMin>(Op::kMin),
    RowOf<FloatMax>(Op::kMax),   RowOf<FloatAbs>(Op::kAbs),           RowOf<FloatNeg>(Op::kNeg),
    RowOf<FloatSqrt>(Op::kSqrt), RowOf<FloatCopysign>(Op::kCopysign),
};

}  // namespace

std::uint64_t Convert(const Operands& o) {
  const Opcode& code = *o.code;
  const Type from = code.from;
  if (code.type.IsFloat()) {
    if (from.IsFloat()) {
      const double value = FloatOf(from, o.a);
      const bool same = from.bytes == code.type.bytes && code.rounds;
      return BitsOf(code.type, same ? Rounded(code.rounding, value) : value);
    }
    if (code.type.bytes == 4) {
      const float value = from.IsSigned() ? static_cast<float>(SignExtend(o.a, from.bytes))
                                          : static_cast<float>(Truncate(o.a, from.bytes));
      return std::bit_cast<std::uint32_t>(value);
    }
    return BitsOf(code.type, from.IsSigned() ? static_cast<double>(SignExtend(o.a, from.bytes))
                                             : static_cast<double>(Truncate(o.a, from.bytes)));
  }
  if (from.IsFloat()) return FloatToInteger(o);
  return Fit(o, from.IsSigned() ? static_cast<std::uint64_t>(SignExtend(o.a, from.bytes))
                                : Truncate(o.a, from.bytes));
}

std::span<const ComputationRow> FloatComputations() { return kRows; }

}  // namespace coalcheck::address
