// SPDX-License-Identifier: Apache-2.0
//
// One small function for each operation.
#include "libcoalcheck/address/compute.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <functional>
#include <span>

#include "libcoalcheck/address/compute_float.h"

namespace coalcheck::address {
namespace {

using ptx::Compare;
using ptx::Mode;
using ptx::Op;
using ptx::Opcode;
using ptx::Type;

__extension__ typedef __int128 Signed128;             // NOLINT(modernize-use-using)
__extension__ typedef unsigned __int128 Unsigned128;  // NOLINT(modernize-use-using)

unsigned Bits(const Opcode& code) { return 8U * code.type.bytes; }

std::int64_t AsSigned(const Operands& o, std::uint64_t value) {
  return SignExtend(value, o.code->type.bytes);
}

std::uint64_t Same(const Operands& o) { return Fit(o, o.a); }
std::uint64_t Add(const Operands& o) { return Fit(o, o.a + o.b); }
std::uint64_t Sub(const Operands& o) { return Fit(o, o.a - o.b); }
std::uint64_t Product(const Operands& o) {
  const Opcode& code = *o.code;
  if (code.mode == Mode::kWide) {
    const unsigned bytes = code.type.bytes;
    return code.type.IsSigned()
               ? static_cast<std::uint64_t>(SignExtend(o.a, bytes) * SignExtend(o.b, bytes))
               : Truncate(o.a, bytes) * Truncate(o.b, bytes);
  }
  if (code.mode != Mode::kHi) return Fit(o, o.a * o.b);
  if (code.type.IsSigned()) {
    const Signed128 product = static_cast<Signed128>(AsSigned(o, o.a)) * AsSigned(o, o.b);
    return Fit(o, static_cast<std::uint64_t>(product >> Bits(code)));
  }
  const Unsigned128 product = static_cast<Unsigned128>(Fit(o, o.a)) * Fit(o, o.b);
  return Fit(o, static_cast<std::uint64_t>(product >> Bits(code)));
}

std::uint64_t MulAdd(const Operands& o) { return Truncate(Product(o) + o.c, ResultBytes(*o.code)); }

std::uint64_t Div(const Operands& o) {
  if (Fit(o, o.b) == 0) return Fit(o, ~std::uint64_t{0});
  if (!o.code->type.IsSigned()) return Fit(o, o.a) / Fit(o, o.b);
  if (AsSigned(o, o.b) == -1) return Fit(o, 0 - o.a);
  return Fit(o, static_cast<std::uint64_t>(AsSigned(o, o.a) / AsSigned(o, o.b)));
}

std::uint64_t Rem(const Operands& o) {
  if (Fit(o, o.b) == 0) return Fit(o, o.a);
  if (!o.code->type.IsSigned()) return Fit(o, o.a) % Fit(o, o.b);
  if (AsSigned(o, o.b) == -1) return 0;
  return Fit(o, static_cast<std::uint64_t>(AsSigned(o, o.a) % AsSigned(o, o.b)));
}

bool IsLess(const Operands& o, std::uint64_t a, std::uint64_t b) {
  return o.code->type.IsSigned() ? AsSigned(o, a) < AsSigned(o, b) : Fit(o, a) < Fit(o, b);
}
std::uint64_t Min(const Operands& o) { return Fit(o, IsLess(o, o.a, o.b) ? o.a : o.b); }
std::uint64_t Max(const Operands& o) { return Fit(o, IsLess(o, o.a, o.b) ? o.b : o.a); }
std::uint64_t Abs(const Operands& o) { return Fit(o, AsSigned(o, o.a) < 0 ? 0 - o.a : o.a); }
std::uint64_t Neg(const Operands& o) { return Fit(o, 0 - o.a); }
std::uint64_t Sad(const Operands& o) {
  return Fit(o, o.c + (IsLess(o, o.a, o.b) ? o.b - o.a : o.a - o.b));
}

std::uint64_t And(const Operands& o) { return Fit(o, o.a & o.b); }
std::uint64_t Or(const Operands& o) { return Fit(o, o.a | o.b); }
std::uint64_t Xor(const Operands& o) { return Fit(o, o.a ^ o.b); }
std::uint64_t Not(const Operands& o) {
  if (o.code->type.kind == Type::Kind::kPredicate) return o.a ^ 1U;
  return Fit(o, ~o.a);
}
std::uint64_t Cnot(const Operands& o) { return Fit(o, o.a) == 0 ? 1 : 0; }

// By its table of results, bit 4a + 2b + c of which is that of bits a, b and c.
std::uint64_t ByTable(std::uint64_t table, std::uint64_t a, std::uint64_t b, std::uint64_t c) {
  const auto bit = [&](unsigned row) { return 0 - (table >> row & 1U); };  // all ones or none
  const auto of_c = [&](unsigned row) { return (bit(row) & ~c) | (bit(row + 1) & c); };
  return (~a & ((~b & of_c(0)) | (b & of_c(2)))) | (a & ((~b & of_c(4)) | (b & of_c(6))));
}
std::uint64_t Lop3(const Operands& o) { return Fit(o, ByTable(o.d, o.a, o.b, o.c)); }

std::uint64_t Shl(const Operands& o) {
  const std::uint64_t by = Truncate(o.b, 4);
  return by >= Bits(*o.code) ? 0 : Fit(o, o.a << by);
}
std::uint64_t Shr(const Operands& o) {
  const std::uint64_t by = std::min<std::uint64_t>(Truncate(o.b, 4), Bits(*o.code));
  if (o.code->type.IsSigned()) {
    return Fit(o, static_cast<std::uint64_t>(AsSigned(o, o.a) >> std::min<std::uint64_t>(by, 63)));
  }
  return by >= 64 ? 0 : Fit(o, o.a) >> by;
}
std::uint64_t Funnel(const Operands& o) {
  const std::uint64_t both = Truncate(o.b, 4) << 32U | Truncate(o.a, 4);
  const std::uint64_t by =
      o.code->clamps ? std::min<std::uint64_t>(Truncate(o.c, 4), 32) : o.c & 31U;
  if (o.code->mode == Mode::kRight) return Truncate(both >> by, 4);
  return by == 32 ? Truncate(o.a, 4) : Truncate(both << by >> 32U, 4);
}

std::uint64_t LowBits(std::uint64_t count) {
  return count >= 64 ? ~std::uint64_t{0} : (std::uint64_t{1} << count) - 1;
}
std::uint64_t Bfe(const Operands& o) {
  const std::uint64_t width = Bits(*o.code);
  const std::uint64_t from = o.b & 0xffU;
  const std::uint64_t length = o.c & 0xffU;
  const std::uint64_t value = Fit(o, o.a);
  const std::uint64_t last = std::min(from + length - 1, width - 1);
  const bool fill = o.code->type.IsSigned() && length != 0 && (value >> last & 1U) != 0;
  const std::uint64_t there = LowBits(std::min(length, from < width ? width - from : 0));
  const std::uint64_t bits = from < width ? value >> from & there : 0;
  return Fit(o, fill ? bits | ~there : bits);
}
std::uint64_t Bfi(const Operands& o) {
  const std::uint64_t from = o.c & 0xffU;
  if (from >= Bits(*o.code)) return Fit(o, o.b);
  const std::uint64_t there = LowBits(o.d & 0xffU) << from;
  return Fit(o, (o.b & ~there) | (o.a << from & there));
}
std::uint64_t Bfind(const Operands& o) {
  const std::uint64_t negative = o.code->type.IsSigned() && AsSigned(o, o.a) < 0 ? ~o.a : o.a;
  const std::uint64_t value = Fit(o, negative);
  if (value == 0) return 0xffffffffU;
  const auto place = static_cast<unsigned>(63 - std::countl_zero(value));
  return o.code->mode == Mode::kLeft ? Bits(*o.code) - 1 - place : place;
}
std::uint64_t Brev(const Operands& o) {
  constexpr std::uint64_t kHalves[] = {0x5555555555555555U, 0x3333333333333333U,
                                       0x0f0f0f0f0f0f0f0fU};
  std::uint64_t result = o.a;
  for (unsigned i = 0; i < 3; ++i) {  // neighbouring bits, pairs, fours
    result = (result >> (1U << i) & kHalves[i]) | (result & kHalves[i]) << (1U << i);
  }
  return __builtin_bswap64(result) >> (64 - Bits(*o.code));
}
std::uint64_t Popc(const Operands& o) {
  return static_cast<std::uint64_t>(std::popcount(Fit(o, o.a)));
}
std::uint64_t Clz(const Operands& o) {
  return static_cast<std::uint64_t>(std::countl_zero(Fit(o, o.a))) - (64 - Bits(*o.code));
}
std::uint64_t Prmt(const Operands& o) {
  const std::uint64_t bytes = Truncate(o.b, 4) << 32U | Truncate(o.a, 4);
  std::uint64_t result = 0;
  for (unsigned i = 0; i < 4; ++i) {
    const std::uint64_t select = o.c >> (4 * i) & 0xfU;
    std::uint64_t byte = bytes >> (8 * (select & 7U)) & 0xffU;
    if ((select & 8U) != 0) byte = (byte & 0x80U) != 0 ? 0xff : 0;
    result |= byte << (8 * i);
  }
  return result;
}

std::uint64_t Selp(const Operands& o) { return Fit(o, (o.c & 1U) != 0 ? o.a : o.b); }
std::uint64_t Slct(const Operands& o) {
  const Type from = o.code->from;
  // NaN takes the second.
  const bool takes_first =
      from.IsFloat() ? InputOf(*o.code, from, o.c) >= 0 : SignExtend(o.c, 4) >= 0;
  return Fit(o, takes_first ? o.a : o.b);
}

template <typename T>
bool Holds(Compare compare, T a, T b) {
  switch (compare) {
    case Compare::kEq:
      return a == b;
    case Compare::kNe:
      return a != b;
    case Compare::kLt:
      return a < b;
    case Compare::kLe:
      return a <= b;
    case Compare::kGt:
      return a > b;
    case Compare::kGe:
      return a >= b;
    default:
      return false;
  }
}

bool HoldsOf(const Opcode& code, Type type, std::uint64_t a, std::uint64_t b) {
  if (type.IsFloat()) {
    const double x = InputOf(code, type, a);
    const double y = InputOf(code, type, b);
    if (code.compare == Compare::kNum) return !std::isnan(x) && !std::isnan(y);
    if (std::isnan(x) || std::isnan(y)) return code.unordered;
    return Holds(code.compare, x, y);
  }
  if (type.IsSigned()) {
    return Holds(code.compare, SignExtend(a, type.bytes), SignExtend(b, type.bytes));
  }
  return Holds(code.compare, Truncate(a, type.bytes), Truncate(b, type.bytes));
}

std::uint64_t Combined(const Opcode& code, std::uint64_t result, std::uint64_t with) {
  switch (code.combine) {
    case ptx::Combine::kAnd:
      return result & with & 1U;
    case ptx::Combine::kOr:
      return (result | with) & 1U;
    case ptx::Combine::kXor:
      return (result ^ with) & 1U;
    case ptx::Combine::kNone:
      break;
  }
  return result;
}

std::uint64_t Setp(const Operands& o) {
  return Combined(*o.code, HoldsOf(*o.code, o.code->type, o.a, o.b) ? 1 : 0, o.c);
}
// Does what Setp does for each lane; what all lanes share is looked up once.
void SetpLanes(const Opcode& code, const std::array<const LaneBits*, 4>& sources,
               LaneBits& result) {
  if (code.type.IsFloat() || code.combine != ptx::Combine::kNone) {
    return ComputeLanes<Setp>(code, sources, result);
  }
  const unsigned unused = 64 - 8U * code.type.bytes;
  const auto each = [&](auto holds) {
    for (std::size_t i = 0; i < result.size(); ++i) {
      const std::uint64_t a = (*sources[0])[i] << unused;
      const std::uint64_t b = (*sources[1])[i] << unused;
      result[i] = code.type.IsSigned()
                      ? holds(static_cast<std::int64_t>(a), static_cast<std::int64_t>(b))
                      : holds(a, b);
    }
  };
  switch (code.compare) {
    case Compare::kEq:
      return each(std::equal_to());
    case Compare::kNe:
      return each(std::not_equal_to());
    case Compare::kLt:
      return each(std::less());
    case Compare::kLe:
      return each(std::less_equal());
    case Compare::kGt:
      return each(std::greater());
    case Compare::kGe:
      return each(std::greater_equal());
    default:
      return each([](auto, auto) { return false; });
  }
}
std::uint64_t Set(const Operands& o) {
  const bool holds = Combined(*o.code, HoldsOf(*o.code, o.code->from, o.a, o.b) ? 1 : 0, o.c) != 0;
  if (o.code->type.IsFloat()) return holds ? BitsOf(o.code->type, 1) : 0;
  return holds ? Fit(o, ~std::uint64_t{0}) : 0;
}

std::uint64_t WindowOf(ptx::Space space) {
  return space == ptx::Space::kShared  ? kSharedWindow
         : space == ptx::Space::kLocal ? kLocalWindow
         : space == ptx::Space::kParam ? kParameterWindow
                                       : 0;
}
std::uint64_t ToOrFromGeneric(const Operands& o) {
  const std::uint64_t window = WindowOf(o.code->space);
  return Fit(o, o.code->mode == Mode::kTo ? o.a - window : o.a + window);
}
std::uint64_t IsSpace(const Operands& o) {
  const bool shared = IsInWindow(o.a, kSharedWindow);
  const bool local = IsInWindow(o.a, kLocalWindow);
  switch (o.code->space) {
    case ptx::Space::kShared:
      return shared ? 1 : 0;
    case ptx::Space::kLocal:
      return local ? 1 : 0;
    case ptx::Space::kGlobal:
      // Parameters are part of it.
      return o.a >= kSharedWindow && !IsInWindow(o.a, kParameterWindow) ? 0 : 1;
    default:
      return 0;
  }
}

// Four bytes of each, added up to the third.
std::uint64_t DotProduct(const Operands& o) {
  const auto byte = [](Type type, std::uint64_t value, unsigned i) {
    const std::uint64_t one = value >> (8 * i) & 0xffU;
    return type.IsSigned() ? static_cast<std::uint64_t>(SignExtend(one, 1)) : one;
  };
  std::uint64_t sum = o.c;
  for (unsigned i = 0; i < 4; ++i) sum += byte(o.code->type, o.a, i) * byte(o.code->from, o.b, i);
  return Truncate(sum, 4);
}

// Constants and parameters have no addresses here that would tell them from others.
bool IsSpaceTold(ptx::Space space) {
  return space == ptx::Space::kShared || space == ptx::Space::kLocal ||
         space == ptx::Space::kGlobal;
}

// A thread that waits is taken to go on in the end.
std::uint64_t Waited(const Operands&) { return 1; }

// Whether what is computed is what the modifiers ask for.
bool AreModifiersKnown(const Opcode& code) {
  const bool is_float = code.type.IsFloat();
  const bool is_cvt = code.op == Op::kCvt;
  // Integers that come from floats are the nearest ones there are in any case.
  if (code.saturates && !is_float) return is_cvt && code.from.IsFloat();
  const bool is_nearest = !is_float || !code.rounds || code.rounding == 'n';
  if (is_cvt) return is_nearest || (code.from.IsFloat() && code.from.bytes == code.type.bytes);
  return is_nearest || code.type.bytes == 4;
}

constexpr ComputationRow kInIntegers[] = {
    RowOf<Add>(Op::kAdd),         RowOf<Sub>(Op::kSub),     RowOf<Product>(Op::kMul),
    RowOf<MulAdd>(Op::kMad),      RowOf<Div>(Op::kDiv),     RowOf<Rem>(Op::kRem),
    RowOf<Min>(Op::kMin),         RowOf<Max>(Op::kMax),     RowOf<Abs>(Op::kAbs),
    RowOf<Neg>(Op::kNeg),         RowOf<Sad>(Op::kSad),     RowOf<Bfe>(Op::kBfe),
    RowOf<Bfi>(Op::kBfi),         RowOf<Bfind>(Op::kBfind), RowOf<Brev>(Op::kBrev),
    RowOf<Popc>(Op::kPopc),       RowOf<Clz>(Op::kClz),     RowOf<ToOrFromGeneric>(Op::kCvta),
    RowOf<DotProduct>(Op::kDp4a),
};

// On bits, whatever they mean.
constexpr ComputationRow kOnBits[] = {
    RowOf<Same>(Op::kMov),
    RowOf<And>(Op::kAnd),
    RowOf<Or>(Op::kOr),
    RowOf<Xor>(Op::kXor),
    RowOf<Not>(Op::kNot),
    RowOf<Cnot>(Op::kCnot),
    RowOf<Lop3>(Op::kLop3),
    RowOf<Shl>(Op::kShl),
    RowOf<Shr>(Op::kShr),
    RowOf<Funnel>(Op::kShf),
    RowOf<Prmt>(Op::kPrmt),
    RowOf<Selp>(Op::kSelp),
    RowOf<Slct>(Op::kSlct),
    {Op::kSetp, {Setp, SetpLanes}},
    RowOf<Set>(Op::kSet),
    RowOf<IsSpace>(Op::kIsspacep),
    RowOf<Waited>(Op::kMbarrierWait),
};

Computation Find(std::span<const ComputationRow> rows, Op op) {
  const auto row = std::ranges::find(rows, op, &ComputationRow::op);
  return row == rows.end() ? Computation() : row->computation;
}

}  // namespace

unsigned ResultBytes(const Opcode& code) {
  switch (code.op) {
    case Op::kSetp:
    case Op::kIsspacep:
      return 1;
    case Op::kPopc:
    case Op::kClz:
    case Op::kBfind:
      return 4;
    case Op::kMul:
    case Op::kMad:
      return code.mode == Mode::kWide ? 2U * code.type.bytes : code.type.bytes;
    default:
      return code.type.bytes;
  }
}

Computation ComputationOf(const Opcode& code) {
  if (code.carries || !AreModifiersKnown(code)) return {};
  const bool fits = code.type.bytes >= 1 && code.type.bytes <= 8;
  if (code.op != Op::kIsspacep && (!fits || code.type.kind == Type::Kind::kPacked)) return {};
  if (code.op == Op::kIsspacep && !IsSpaceTold(code.space)) return {};
  if (code.op == Op::kPrmt && code.mode != Mode::kNone) return {};
  if (const Computation found = Find(kOnBits, code.op); found.exists()) return found;
  const bool is_integer = !code.type.IsFloat() && code.op != Op::kCvt;
  return is_integer ? Find(kInIntegers, code.op) : FloatComputationOf(code);
}

}  // namespace coalcheck::address
