// SPDX-License-Identifier: Apache-2.0
//
// Quotients, remainders and masks.
#include <algorithm>
#include <bit>
#include <numeric>

#include "libcoalcheck/address/formula_algebra.h"

namespace coalcheck::address {
namespace {

bool IsPowerOfTwo(std::uint64_t number) { return std::has_single_bit(number); }

// The terms whose coefficients `divisor` divides, and the others.
std::pair<Formula, Formula> SplitByMultiples(const Formula& x, std::uint64_t divisor) {
  Formula whole;
  Formula rest;
  for (const auto& [monomial, coefficient] : x.terms()) {
    const auto number = static_cast<std::int64_t>(coefficient);
    const auto by = static_cast<std::int64_t>(divisor);
    if (number % by == 0) {
      whole.Add(monomial, static_cast<std::uint64_t>(number / by));
    } else {
      rest.Add(monomial, coefficient);
    }
  }
  return {whole, rest};
}

}  // namespace

Formula FormulaAlgebra::QuotientAtom(const Formula& x, const Formula& y, Rounding rounding) {
  const FormulaBounds bounds = atoms_.BoundsOf(x);
  const FormulaBounds below = atoms_.BoundsOf(y);
  FormulaBounds result{bounds.may_be_negative || below.may_be_negative, bounds.most};
  const std::uint64_t divisor = y.constant().value_or(0);
  if (divisor != 0 && bounds.most != FormulaBounds::kUnbounded) result.most = bounds.most / divisor;
  if (!bounds.may_be_negative && !below.may_be_negative) rounding = Rounding::kDown;
  return Atom({FormulaKind::kQuotient, static_cast<std::uint32_t>(rounding), 0, {x, y}}, result);
}

Formula FormulaAlgebra::Quotient(const Formula& x, const Formula& y, Rounding rounding) {
  const std::optional<std::uint64_t> divisor = y.constant();
  if (divisor == 1U || (x.terms().empty() && divisor != 0U)) return x;
  constexpr std::uint64_t kMostDivisor = std::uint64_t{1} << 62U;
  if (divisor && *divisor > 1 && *divisor <= kMostDivisor) {
    if (const auto found = QuotientByNumber(x, *divisor, rounding)) return *found;
  }
  return QuotientAtom(x, y, rounding);
}

// Empty when it is a quotient and nothing simpler.
std::optional<Formula> FormulaAlgebra::QuotientByNumber(const Formula& x, std::uint64_t divisor,
                                                        Rounding rounding) {
  if (rounding == Rounding::kDown) {
    if (auto found = WithoutSignBits(x, divisor)) return found;
  }
  const FormulaBounds bounds = atoms_.BoundsOf(x);
  if (!bounds.may_be_negative) rounding = Rounding::kDown;
  const auto [whole, rest] = SplitByMultiples(x, divisor);
  if (rest.terms().empty()) return whole;
  if (rounding != Rounding::kDown) return std::nullopt;
  if (!whole.terms().empty()) return Sum(whole, Quotient(rest, Formula(divisor), rounding));
  if (!bounds.may_be_negative && bounds.most < divisor) return Formula(0);
  if (const auto number = rest.constant()) {
    const auto value = static_cast<std::int64_t>(*number);
    const auto by = static_cast<std::int64_t>(divisor);
    return Formula(static_cast<std::uint64_t>(value / by - (value % by < 0 ? 1 : 0)));
  }
  if (const FormulaAtom* inner = atoms_.Alone(rest, FormulaKind::kQuotient)) {
    const auto by = inner->arguments[1].constant();
    std::uint64_t product = 0;
    if (by && static_cast<Rounding>(inner->a) == Rounding::kDown &&
        !__builtin_mul_overflow(*by, divisor, &product)) {
      const Formula dividend = inner->arguments[0];
      return Quotient(dividend, Formula(product), rounding);
    }
  }
  const std::uint64_t common = std::gcd(x.CommonFactor(), divisor);
  if (common > 1) return Quotient(x.DividedBy(common), Formula(divisor / common), rounding);
  return ByReciprocal(x, divisor);
}

// c·x / 2^p with c = 2^p / d, rounded up: x / d. Compilers divide so by numbers that they know.
std::optional<Formula> FormulaAlgebra::ByReciprocal(const Formula& x, std::uint64_t divisor) {
  constexpr int kLeastBits = 16;
  constexpr std::uint64_t kLeastFactor = 1U << 12U;
  constexpr std::uint64_t kMostNumber = std::uint64_t{1} << 31U;
  if (!IsPowerOfTwo(divisor) || std::countr_zero(divisor) < kLeastBits) return std::nullopt;
  const std::uint64_t factor = x.CommonFactor();
  if (factor < kLeastFactor) return std::nullopt;
  const Formula number = x.DividedBy(factor);
  if (static_cast<std::int64_t>(number.terms()[0].second) < 0) {
    // A factor of 2^31 and more is written as a negative one, and the number added later.
    const std::uint64_t times = (factor + divisor - 1) / divisor;
    const Formula positive = number.Times(0 - (times * divisor - factor));
    return Sum(number.Times(times), Quotient(positive, Formula(divisor), Rounding::kDown));
  }
  const std::uint64_t by = (divisor + factor / 2) / factor;
  const std::uint64_t back = by * factor;
  if (by < 2 || back < divisor) return std::nullopt;
  const std::uint64_t most = std::min(atoms_.BoundsOf(number).most, kMostNumber);
  if (back - divisor > divisor / std::max<std::uint64_t>(most, 1)) return std::nullopt;
  return Quotient(number, Formula(by), Rounding::kDown);
}

// (x + (x negative ? 2^k - 1 : 0)) >> k is x / 2^k, rounded to zero.
std::optional<Formula> FormulaAlgebra::WithoutSignBits(const Formula& x, std::uint64_t divisor) {
  if (!IsPowerOfTwo(divisor)) return std::nullopt;
  for (const auto& [monomial, coefficient] : x.terms()) {
    if (coefficient != 1 || monomial.degree() != 1) continue;
    const FormulaAtom sign = atoms_[monomial.atom(0)];
    if (sign.kind != FormulaKind::kSignBits || sign.a >= 64) continue;
    if (std::uint64_t{1} << sign.a != divisor) continue;
    Formula rest = x;
    rest.Add(monomial, ~std::uint64_t{0});
    if (rest != sign.arguments[0]) continue;
    return Quotient(rest, Formula(divisor), Rounding::kToZero);
  }
  return std::nullopt;
}

// (… rem 8) rem 4 is … rem 4, and so on inwards.
Formula FormulaAlgebra::WithoutRemainders(Formula x, std::uint64_t divisor) {
  while (true) {
    Formula of = SplitByMultiples(x, divisor).second;
    atoms_.Spend(1 + x.terms().size());
    const FormulaAtom* inner = atoms_.Alone(of, FormulaKind::kRemainder);
    if (inner == nullptr || static_cast<Rounding>(inner->a) != Rounding::kDown) return of;
    if (inner->arguments[1].constant().value_or(1) % divisor != 0) return of;
    const FormulaBounds rest = atoms_.BoundsOf(of);
    if (!rest.may_be_negative && rest.most < divisor) return of;
    x = Formula(inner->arguments[0]);
  }
}

Formula FormulaAlgebra::Remainder(const Formula& x, const Formula& y, Rounding rounding) {
  const FormulaBounds bounds = atoms_.BoundsOf(x);
  const bool is_unsigned = !bounds.may_be_negative;
  if (is_unsigned) rounding = Rounding::kDown;
  const std::uint64_t divisor = y.constant().value_or(0);
  const bool is_number = divisor != 0 && divisor <= std::uint64_t{1} << 62U;
  Formula of = x;
  if (is_number && rounding == Rounding::kDown) {
    of = WithoutRemainders(x, divisor);
    const FormulaBounds rest = atoms_.BoundsOf(of);
    if (!rest.may_be_negative && rest.most < divisor) return of;
    if (const auto number = of.constant()) {
      const auto value = static_cast<std::int64_t>(*number) % static_cast<std::int64_t>(divisor);
      return Formula(static_cast<std::uint64_t>(value) + (value < 0 ? divisor : 0));
    }
    const std::uint64_t common = std::gcd(of.CommonFactor(), divisor);
    if (common > 1) {
      return Remainder(of.DividedBy(common), Formula(divisor / common), rounding).Times(common);
    }
  }
  const bool is_positive = rounding == Rounding::kDown && (is_number || is_unsigned);
  const FormulaBounds result{!is_positive, is_number ? divisor - 1 : bounds.most};
  return Atom({FormulaKind::kRemainder, static_cast<std::uint32_t>(rounding), 0, {of, y}}, result);
}

// x & mask.
Formula FormulaAlgebra::Masked(const Formula& x, std::int64_t mask) {
  if (mask == 0) return Formula(0);
  if (mask == -1) return x;
  const auto bits = static_cast<std::uint64_t>(mask);
  const int low = std::countr_zero(bits);
  const std::uint64_t ones = bits >> static_cast<unsigned>(low);
  const Formula step(std::uint64_t{1} << static_cast<unsigned>(low));
  if (mask < 0 && IsPowerOfTwo(0 - bits)) {
    return Product(Quotient(x, step, Rounding::kDown), step);
  }
  if (mask < 0 || !IsPowerOfTwo(ones + 1)) {
    return TwoValued(FormulaKind::kAnd, x, Formula(bits), {mask < 0, bits});
  }
  // As many bits as a word has keep the number as it is.
  constexpr int kWordBits = 31;
  const Formula shifted = Quotient(x, step, Rounding::kDown);
  const bool keeps_all = std::countr_one(ones) + low >= kWordBits;
  return Product(keeps_all ? shifted : Remainder(shifted, Formula(ones + 1), Rounding::kDown),
                 step);
}

}  // namespace coalcheck::address
