// SPDX-License-Identifier: Apache-2.0
//
// Sums, products, and what sums of quotients are recognised as.
#include "libcoalcheck/address/formula_algebra.h"

#include <algorithm>

namespace coalcheck::address {
namespace {

constexpr std::size_t kMostExpanded = 24;  // terms of a product that is multiplied out

Formula TermOf(const Monomial& monomial, std::uint64_t coefficient) {
  Formula term;
  term.Add(monomial, coefficient);
  return term;
}

// The monomial without the factors of another; empty when it lacks one.
std::optional<Monomial> Over(Monomial monomial, const Monomial& divisor) {
  for (std::size_t i = 0; i < divisor.degree(); ++i) {
    if (!monomial.Has(divisor.atom(i))) return std::nullopt;
    monomial = monomial.Without(divisor.atom(i));
  }
  return monomial;
}

}  // namespace

Formula CommonTerms(const Formula& x, const Formula& y) {
  Formula common;
  for (const Formula::Term& term : x.terms()) {
    const auto& terms = y.terms();
    if (std::ranges::find(terms, term) != terms.end()) common.Add(term.first, term.second);
  }
  return common;
}

Formula FormulaAlgebra::Atom(FormulaAtom atom, FormulaBounds bounds) {
  return Formula::Of(atoms_.Number(std::move(atom), bounds));
}

Formula FormulaAlgebra::Remade(const FormulaAtom& atom, FormulaBounds bounds) {
  const std::vector<Formula>& of = atom.arguments;
  switch (atom.kind) {
    case FormulaKind::kLongSum:
      return Sum(of[0], of[1]);
    case FormulaKind::kProduct:
      return Product(of[0], of[1]);
    case FormulaKind::kQuotient:
      return Quotient(of[0], of[1], static_cast<Rounding>(atom.a));
    case FormulaKind::kRemainder:
      return Remainder(of[0], of[1], static_cast<Rounding>(atom.a));
    case FormulaKind::kSignBits:
      return SignBits(of[0], atom.a);
    case FormulaKind::kPowerOfTwo:
      return PowerOfTwo(of[0]);
    case FormulaKind::kAnd:
      return And(of[0], of[1]);
    case FormulaKind::kOr:
      return Or(of[0], of[1]);
    case FormulaKind::kXor:
      return Xor(of[0], of[1]);
    case FormulaKind::kMin:
      return Min(of[0], of[1]);
    case FormulaKind::kMax:
      return Max(of[0], of[1]);
    case FormulaKind::kAbs:
      return Abs(of[0]);
    case FormulaKind::kCompare:
      return Compare(static_cast<ptx::Compare>(atom.a), of[0], of[1]);
    case FormulaKind::kSelect:
      return Select(of[0], of[1], of[2]);
    case FormulaKind::kMerge:
      return Merge(atom.a, {of.begin(), of.begin() + atom.b}, {of.begin() + atom.b, of.end()});
    default:
      return Atom(atom, bounds);
  }
}

Formula FormulaAlgebra::Sum(const Formula& x, const Formula& y) {
  atoms_.Spend(x.terms().size() + y.terms().size());
  Formula sum = x;
  sum.Add(y);
  if (!sum.too_long()) return Tidy(std::move(sum));
  return TwoValued(FormulaKind::kLongSum, x, y, atoms_.BoundsOf(sum));
}

Formula FormulaAlgebra::Difference(const Formula& x, const Formula& y) {
  return Sum(x, y.Times(~std::uint64_t{0}));
}

Formula FormulaAlgebra::Product(const Formula& x, const Formula& y) {
  atoms_.Spend(x.terms().size() + y.terms().size());
  if (const auto number = x.constant()) return y.Times(*number);
  if (const auto number = y.constant()) return x.Times(*number);
  if (x.terms().size() * y.terms().size() <= kMostExpanded) {
    if (const std::optional<Formula> product = Formula::Product(x, y)) return Tidy(*product);
  }
  const FormulaBounds a = atoms_.BoundsOf(x);
  const FormulaBounds b = atoms_.BoundsOf(y);
  return TwoValued(FormulaKind::kProduct, x, y, {a.may_be_negative || b.may_be_negative});
}

// Of two that may change places.
Formula FormulaAlgebra::TwoValued(FormulaKind kind, const Formula& x, const Formula& y,
                                  FormulaBounds bounds) {
  return y < x ? Atom({kind, 0, 0, {y, x}}, bounds) : Atom({kind, 0, 0, {x, y}}, bounds);
}

Formula FormulaAlgebra::Tidy(Formula sum) {
  constexpr int kMostTimes = 8;
  for (int times = 0; times < kMostTimes; ++times) {
    std::optional<Formula> tidied;
    for (const Formula::Term& term : sum.terms()) {
      for (std::size_t i = 0; i < term.first.degree() && !tidied; ++i) {
        const AtomId id = term.first.atom(i);
        if (atoms_[id].kind != FormulaKind::kQuotient) continue;
        atoms_.Spend(4 * sum.terms().size());  // each of the four looks through all terms
        tidied = AsRemainder(sum, id, term);
        if (!tidied) tidied = AsDividend(sum, id, term);
        if (!tidied) tidied = AsSignedQuotient(sum, id, term);
        if (!tidied) tidied = AsWideQuotient(sum, id, term);
      }
      if (tidied) break;
    }
    if (!tidied) break;
    sum = *std::move(tidied);
  }
  return sum;
}

// k·m·x - k·m·y·(x / y) is k·m·(x % y).
std::optional<Formula> FormulaAlgebra::AsRemainder(const Formula& sum, AtomId quotient,
                                                   const Formula::Term& term) {
  const FormulaAtom atom = atoms_[quotient];
  const Formula& divisor = atom.arguments[1];
  if (divisor.terms().empty()) return std::nullopt;
  const auto& [first, factor] = divisor.terms()[0];
  const std::optional<Monomial> other = Over(term.first.Without(quotient), first);
  const auto divided = static_cast<std::int64_t>(term.second);
  const auto by = static_cast<std::int64_t>(factor);
  if (!other || by <= 0 || divided % by != 0) return std::nullopt;
  const Formula times = TermOf(*other, static_cast<std::uint64_t>(-(divided / by)));
  const auto product = Formula::Product(divisor, Formula::Of(quotient));
  if (!product) return std::nullopt;
  Formula taken = *product;
  taken.Add(atom.arguments[0], ~std::uint64_t{0});
  const auto added = Formula::Product(taken, times);
  if (!added) return std::nullopt;
  Formula rest = sum;
  rest.Add(*added);
  if (rest.terms().size() + taken.terms().size() != sum.terms().size()) return std::nullopt;
  const auto remainder = Remainder(atom.arguments[0], divisor, static_cast<Rounding>(atom.a));
  const auto product_of_it = Formula::Product(remainder, times);
  if (!product_of_it) return std::nullopt;
  rest.Add(*product_of_it);
  return rest;
}

// k·m·(x % y) + k·m·y·(x / y) is k·m·x.
std::optional<Formula> FormulaAlgebra::AsDividend(const Formula& sum, AtomId quotient,
                                                  const Formula::Term& term) {
  const FormulaAtom atom = atoms_[quotient];
  const Formula& divisor = atom.arguments[1];
  const auto product = Formula::Product(divisor, Formula::Of(quotient));
  if (!product || divisor.terms().size() != 1) return std::nullopt;
  const std::optional<Monomial> other = Over(term.first, product->terms()[0].first);
  const auto divided = static_cast<std::int64_t>(term.second);
  const auto by = static_cast<std::int64_t>(divisor.terms()[0].second);
  if (!other || by <= 0 || divided % by != 0) return std::nullopt;
  Formula remainder;
  for (const Formula::Term& candidate : sum.terms()) {
    for (std::size_t i = 0; i < candidate.first.degree(); ++i) {
      const FormulaAtom& found = atoms_[candidate.first.atom(i)];
      if (found.kind == FormulaKind::kRemainder && found.a == atom.a &&
          found.arguments == atom.arguments) {
        remainder = Formula::Of(candidate.first.atom(i));
      }
    }
  }
  if (remainder.terms().empty()) return std::nullopt;
  Formula taken = atom.arguments[0];
  taken.Add(*product, ~std::uint64_t{0});
  taken.Add(remainder, ~std::uint64_t{0});
  const auto added =
      Formula::Product(taken, TermOf(*other, static_cast<std::uint64_t>(divided / by)));
  if (!added) return std::nullopt;
  Formula rest = sum;
  rest.Add(*added);
  if (rest.terms().size() >= sum.terms().size()) return std::nullopt;
  return rest;
}

// The quotient rounded down, and one more where the dividend is negative: rounded to zero, as
// compilers divide signed numbers by multiplying.
std::optional<Formula> FormulaAlgebra::AsSignedQuotient(const Formula& sum, AtomId id,
                                                        const Formula::Term& term) {
  const FormulaAtom atom = atoms_[id];
  if (static_cast<Rounding>(atom.a) != Rounding::kDown) return std::nullopt;
  for (const Formula::Term& other : sum.terms()) {
    for (std::size_t i = 0; i < other.first.degree(); ++i) {
      const AtomId sign_id = other.first.atom(i);
      const FormulaAtom& sign = atoms_[sign_id];
      const bool fits = sign.kind == FormulaKind::kSignBits && sign.a == 1 &&
                        sign.arguments[0] == atom.arguments[0] && other.second == term.second &&
                        other.first.Without(sign_id) == term.first.Without(id);
      if (!fits) continue;
      Formula rest = sum;
      rest.Add(other.first, 0 - other.second);
      rest.Add(term.first, 0 - term.second);
      const Formula quotient =
          QuotientAtom(atom.arguments[0], atom.arguments[1], Rounding::kToZero);
      const auto product = Formula::Product(quotient, TermOf(term.first.Without(id), term.second));
      if (!product) return std::nullopt;
      rest.Add(*product);
      return rest;
    }
  }
  return std::nullopt;
}

// (x - q) / 2 + q, where q is the high half of x·c: half of the high part of x·(2^32 + c).
std::optional<Formula> FormulaAlgebra::AsWideQuotient(const Formula& sum, AtomId id,
                                                      const Formula::Term& term) {
  constexpr std::uint64_t kWord = std::uint64_t{1} << 32U;
  const FormulaAtom atom = atoms_[id];
  if (atom.arguments[1].constant() != 2U || term.first.degree() != 1) return std::nullopt;
  for (const Formula::Term& other : sum.terms()) {
    if (other.first.degree() != 1 || other.second != term.second) continue;
    const FormulaAtom& high = atoms_[other.first.atom(0)];
    if (high.kind != FormulaKind::kQuotient || high.arguments[1].constant() != kWord) continue;
    Formula x = atom.arguments[0];
    x.Add(other.first, 1);
    Formula product = high.arguments[0];
    product.Add(x, kWord);
    Formula rest = sum;
    rest.Add(other.first, 0 - other.second);
    rest.Add(term.first, 0 - term.second);
    rest.Add(Quotient(product, Formula(2 * kWord), Rounding::kDown), term.second);
    return rest;
  }
  return std::nullopt;
}

}  // namespace coalcheck::address
