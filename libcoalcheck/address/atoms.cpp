// SPDX-License-Identifier: Apache-2.0
//
// Extending, masking and shifting words, exactly, and without a new unknown where the range of the
// value allows.
#include "libcoalcheck/address/atoms.h"

#include <algorithm>
#include <bit>
#include <limits>
#include <utility>

namespace coalcheck::address {
namespace {

constexpr std::uint64_t kAllBits = 0xffffffff;

// Limits of CUDA: blocks of at most 1024 x 1024 x 64 threads, grids of 2^31 - 1 x 65535 x 65535.
std::uint64_t MostOfSpecial(std::uint32_t number) {
  switch (number) {
    case kLaneId:
      return 31;
    case kThreadX:
    case kThreadY:
      return 1023;
    case kThreadZ:
      return 63;
    case kBlockX:
      return 0x7ffffffe;
    case kBlockY:
    case kBlockZ:
      return 0xfffe;
    case kBlockSizeX:
    case kBlockSizeY:
      return 1024;
    case kBlockSizeZ:
      return 64;
    case kGridSizeX:
      return 0x7fffffff;
    case kGridSizeY:
    case kGridSizeZ:
      return 0xffff;
    default:
      return ~std::uint64_t{0};
  }
}

std::uint64_t FullMask(std::uint64_t most) {
  return most == 0 ? 0 : ~std::uint64_t{0} >> static_cast<unsigned>(std::countl_zero(most));
}

}  // namespace

std::optional<Polynomial> SignedValue(const Polynomial& word) {
  if (!word.IsMultipleOf(kWordUnit)) return std::nullopt;
  Polynomial value;
  for (const auto& [monomial, coefficient] : word.terms()) {
    const auto upper = static_cast<std::int32_t>(coefficient >> 32U);
    value.Add(monomial, static_cast<std::uint64_t>(std::int64_t{upper}));
  }
  return value;
}

AtomId AtomTable::Intern(AtomKind kind, std::uint32_t a, std::uint32_t b, std::uint32_t c) {
  const auto [known, fresh] =
      plain_.try_emplace({kind, a, b, c}, static_cast<AtomId>(atoms_.size()));
  if (fresh) {
    Atom atom{kind, a, b, c, {}, ~std::uint64_t{0}};
    if (kind == AtomKind::kSpecial) atom.most = MostOfSpecial(a);
    atoms_.push_back(std::move(atom));
  }
  return known->second;
}

AtomId AtomTable::InternInner(AtomKind kind, const Polynomial& word, std::uint32_t a,
                              std::uint64_t most) {
  const auto [known, fresh] =
      inner_.try_emplace({kind, a, word}, static_cast<AtomId>(atoms_.size()));
  if (fresh) atoms_.push_back({kind, a, 0, 0, word, most});
  return known->second;
}

std::optional<AtomTable::Range> AtomTable::RangeOf(const Polynomial& value) const {
  std::int64_t least = 0;
  std::int64_t most = 0;
  for (const auto& [monomial, coefficient] : value.terms()) {
    auto extreme = static_cast<std::int64_t>(coefficient);
    for (std::size_t i = 0; i < monomial.degree(); ++i) {
      const std::uint64_t bound = atoms_[monomial.atom(i)].most;
      if (bound > kAllBits) return std::nullopt;
      if (__builtin_mul_overflow(extreme, static_cast<std::int64_t>(bound), &extreme)) {
        return std::nullopt;
      }
    }
    // A term is between 0 and its extreme, a constant is always all of it.
    const bool is_constant = monomial.degree() == 0;
    bool overflows = false;
    if (extreme < 0 || is_constant) overflows = __builtin_add_overflow(least, extreme, &least);
    if (extreme > 0 || is_constant) {
      overflows = __builtin_add_overflow(most, extreme, &most) || overflows;
    }
    if (overflows) return std::nullopt;
  }
  return Range{least, most};
}

Polynomial AtomTable::ZeroExtended(const Polynomial& word) {
  if (const auto constant = word.constant()) return Polynomial(*constant >> 32U);
  if (const auto value = SignedValue(word)) {
    const std::optional<Range> range = RangeOf(*value);
    if (range && range->least >= 0 && range->most <= static_cast<std::int64_t>(kAllBits)) {
      return *value;
    }
  }
  return Polynomial::Of(InternInner(AtomKind::kZeroExtended, word, 0, kAllBits));
}

Polynomial AtomTable::SignExtended(const Polynomial& word) {
  if (const auto value = SignedValue(word)) {
    const std::optional<Range> range = RangeOf(*value);
    if (range && range->least >= std::numeric_limits<std::int32_t>::min() &&
        range->most <= std::numeric_limits<std::int32_t>::max()) {
      return *value;
    }
  }
  return Polynomial::Of(
      InternInner(AtomKind::kSignExtended, word, 0, std::numeric_limits<std::uint64_t>::max()));
}

Polynomial AtomTable::PlainValue(const Polynomial& word) {
  if (const auto value = SignedValue(word)) return *value;
  Polynomial sum;
  Polynomial rest;
  for (const auto& [monomial, coefficient] : word.terms()) {
    (coefficient % kWordUnit == 0 ? sum : rest).Add(monomial, coefficient);
  }
  Polynomial value = *SignedValue(sum);
  value.Add(Monomial(InternInner(AtomKind::kHigh, rest, 0, kAllBits)), 1);
  return value;
}

std::uint32_t AtomTable::PossibleBits(const Polynomial& word) const {
  const std::optional<Polynomial> value = SignedValue(word);
  if (!value) return kAllBits;
  // Bits below the lowest one of any term are never set.
  std::uint64_t low = 0;
  for (const auto& [monomial, coefficient] : value->terms())
    low |= coefficient & (~coefficient + 1);
  const std::uint64_t lowest = low & (~low + 1);
  if (lowest == 0) return 0;
  const std::uint64_t multiples = ~(lowest - 1);
  const std::optional<Range> range = RangeOf(*value);
  const bool fits =
      range && range->least >= 0 && range->most <= static_cast<std::int64_t>(kAllBits);
  if (!fits) return static_cast<std::uint32_t>(multiples);
  std::uint64_t bits = FullMask(static_cast<std::uint64_t>(range->most)) & multiples;
  if (value->terms().size() == 1 && value->terms()[0].first.degree() == 1) {
    const auto& [monomial, coefficient] = value->terms()[0];
    const Atom& atom = atoms_[monomial.atom(0)];
    if (atom.kind == AtomKind::kAnd && std::has_single_bit(coefficient)) {
      bits &= std::uint64_t{atom.a} * coefficient;
    }
  }
  return static_cast<std::uint32_t>(bits);
}

Polynomial AtomTable::And(const Polynomial& word, std::uint32_t mask) {
  const std::uint32_t possible = PossibleBits(word);
  const std::uint32_t kept = mask & possible;
  if (kept == 0) return Polynomial();
  if (kept == possible) return ZeroExtended(word);
  if (const auto constant = word.constant()) return Polynomial((*constant >> 32U) & mask);
  // What is left without the low bits is the number less its low bits.
  if (const std::uint32_t low = ~mask; (low & (low + 1)) == 0) {
    Polynomial upper = ZeroExtended(word);
    upper.Add(And(word, low), ~std::uint64_t{0});
    return upper;
  }
  // Terms above a mask of low bits do not matter.
  Polynomial lower = word;
  const std::uint64_t above = FullMask(kept) + 1;
  for (const auto& [monomial, coefficient] : word.terms()) {
    if (above <= kAllBits && coefficient % (above << 32U) == 0) {
      lower.Add(monomial, ~coefficient + 1);
    }
  }
  if (!(lower == word)) return And(lower, mask);
  return Polynomial::Of(InternInner(AtomKind::kAnd, word, kept, kept));
}

Polynomial AtomTable::ShiftRight(const Polynomial& word, std::uint32_t bits) {
  if (bits == 0) return ZeroExtended(word);
  if (bits >= 32) return Polynomial();
  if (const auto constant = word.constant()) return Polynomial(*constant >> (32U + bits));
  const Polynomial value = ZeroExtended(word);
  const std::optional<Range> range = RangeOf(value);
  std::uint64_t most = kAllBits >> bits;
  if (range && range->least >= 0 && range->most <= static_cast<std::int64_t>(kAllBits)) {
    most = static_cast<std::uint64_t>(range->most) >> bits;
    const bool exact = value.IsMultipleOf(std::uint64_t{1} << bits) && SignedValue(word);
    if (exact) {
      Polynomial shifted;
      for (const auto& [monomial, coefficient] : value.terms()) {
        const auto number = static_cast<std::int64_t>(coefficient);
        shifted.Add(monomial, static_cast<std::uint64_t>(number >> bits));
      }
      return shifted;
    }
    if (most == 0) return Polynomial();
  }
  return Polynomial::Of(InternInner(AtomKind::kShiftRight, word, bits, most));
}

// The value with one extended factor replaced by what stands inside it; empty when it has none.
std::optional<Polynomial> AtomTable::OpenOne(const Polynomial& value) const {
  for (const auto& [monomial, coefficient] : value.terms()) {
    if (coefficient % kWordUnit != 0) continue;
    for (std::size_t i = 0; i < monomial.degree(); ++i) {
      const Atom& atom = atoms_[monomial.atom(i)];
      const bool extended =
          atom.kind == AtomKind::kZeroExtended || atom.kind == AtomKind::kSignExtended;
      if (!extended) continue;
      Polynomial rest;
      rest.Add(monomial.Without(monomial.atom(i)), coefficient / kWordUnit);
      const std::optional<Polynomial> product = Polynomial::Product(rest, atom.inner);
      if (!product) continue;
      Polynomial opened = value;
      opened.Add(monomial, ~coefficient + 1);
      opened.Add(*product);
      return opened;
    }
  }
  return std::nullopt;
}

Polynomial AtomTable::Normal(const Polynomial& value) {
  Polynomial result = value;
  // Insides are finitely deep.
  for (int round = 0; round < 64; ++round) {
    std::optional<Polynomial> opened = OpenOne(result);
    if (!opened) break;
    result = *std::move(opened);
  }
  return result;
}

Polynomial AtomTable::LowWord(const Polynomial& value) { return Normal(value.Times(kWordUnit)); }

Polynomial AtomTable::HighWord(const Polynomial& value) {
  const Polynomial low = ZeroExtended(LowWord(value));
  Polynomial high = value;
  high.Add(low, ~std::uint64_t{0});
  for (const auto& [monomial, coefficient] : low.terms()) {
    if (monomial.degree() == 1) cut_.insert(monomial.atom(0));
  }
  return Normal(high);
}

}  // namespace coalcheck::address
