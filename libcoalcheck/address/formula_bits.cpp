// SPDX-License-Identifier: Apache-2.0
//
// Bits, comparisons, and values chosen by conditions or paths.
#include <algorithm>
#include <bit>

#include "libcoalcheck/address/formula_algebra.h"

namespace coalcheck::address {
namespace {

// The largest n for which all values of `x` are seen to be multiples of 2^n.
int TrailingZeros(const Formula& x) {
  int zeros = 63;
  for (const auto& [monomial, coefficient] : x.terms()) {
    zeros = std::min(zeros, std::countr_zero(coefficient));
  }
  return zeros;
}

bool Holds(ptx::Compare compare, std::int64_t x, std::int64_t y) {
  switch (compare) {
    case ptx::Compare::kEq:
      return x == y;
    case ptx::Compare::kNe:
      return x != y;
    case ptx::Compare::kLt:
      return x < y;
    case ptx::Compare::kLe:
      return x <= y;
    case ptx::Compare::kGt:
      return x > y;
    default:
      return x >= y;
  }
}

FormulaBounds Union(FormulaBounds a, FormulaBounds b) {
  return {a.may_be_negative || b.may_be_negative, std::max(a.most, b.most)};
}

}  // namespace

Formula FormulaAlgebra::PowerOfTwo(const Formula& exponent) {
  const auto number = exponent.constant();
  if (number && *number < 64) return Formula(std::uint64_t{1} << *number);
  return Atom({FormulaKind::kPowerOfTwo, 0, 0, {exponent}}, {false});
}

Formula FormulaAlgebra::Wrap(const Formula& x, std::uint32_t bits) {
  constexpr std::int64_t kMostFactor = 1U << 27U;
  Formula inner;
  bool wraps = false;
  for (const auto& [monomial, coefficient] : x.terms()) {
    const auto number = static_cast<std::int64_t>(coefficient);
    const FormulaAtom* atom = monomial.degree() == 1 ? &atoms_[monomial.atom(0)] : nullptr;
    if (atom != nullptr && atom->kind == FormulaKind::kWrapped && atom->a == bits) {
      inner.Add(atom->arguments[0], coefficient);
      wraps = true;
    } else {
      inner.Add(monomial, coefficient);
      wraps = wraps || (monomial.degree() > 0 && (number > kMostFactor || number < -kMostFactor));
    }
  }
  if (!wraps) return x;
  return Atom({FormulaKind::kWrapped, bits, 0, {inner}}, {false, (std::uint64_t{1} << bits) - 1});
}

std::optional<Formula> FormulaAlgebra::OfSameSign(const Formula& x) const {
  // A quotient that is rounded down has the sign of what is divided.
  if (const FormulaAtom* quotient = atoms_.Alone(x, FormulaKind::kQuotient)) {
    const auto divisor = quotient->arguments[1].constant();
    if (static_cast<Rounding>(quotient->a) == Rounding::kDown && divisor) {
      return quotient->arguments[0];
    }
  }
  // And a product that of its factor.
  constexpr std::uint64_t kLargeFactor = 1U << 16U;
  if (const std::uint64_t factor = x.CommonFactor(); factor >= kLargeFactor) {
    return x.DividedBy(factor);
  }
  return std::nullopt;
}

Formula FormulaAlgebra::SignBits(const Formula& x, std::uint32_t bits) {
  Formula of = x;
  while (true) {
    atoms_.Spend(1 + of.terms().size());
    if (!atoms_.BoundsOf(of).may_be_negative || bits == 0) return Formula(0);
    std::optional<Formula> simpler = OfSameSign(of);
    if (!simpler) break;
    of = *std::move(simpler);
  }
  return Atom({FormulaKind::kSignBits, bits, 0, {of}},
              {false, (std::uint64_t{1} << (bits & 63U)) - 1});
}

bool FormulaAlgebra::AreDisjoint(const Formula& x, const Formula& y) const {
  const auto is_below = [&](const Formula& low, const Formula& high) {
    const FormulaBounds bounds = atoms_.BoundsOf(low);
    return !bounds.may_be_negative && bounds.most >> TrailingZeros(high) == 0;
  };
  return is_below(x, y) || is_below(y, x);
}

bool FormulaAlgebra::IsTruth(const Formula& x) const {
  const FormulaBounds bounds = atoms_.BoundsOf(x);
  return !bounds.may_be_negative && bounds.most <= 1;
}

Formula FormulaAlgebra::And(const Formula& x, const Formula& y) {
  if (x == y) return x;
  if (const auto mask = y.constant()) return Masked(x, static_cast<std::int64_t>(*mask));
  if (const auto mask = x.constant()) return Masked(y, static_cast<std::int64_t>(*mask));
  const FormulaBounds a = atoms_.BoundsOf(x);
  const FormulaBounds b = atoms_.BoundsOf(y);
  FormulaBounds result{a.may_be_negative && b.may_be_negative, std::min(a.most, b.most)};
  return TwoValued(FormulaKind::kAnd, x, y, result);
}

Formula FormulaAlgebra::Or(const Formula& x, const Formula& y) {
  if (x == y) return x;
  if (AreDisjoint(x, y)) return Sum(x, y);
  if (IsTruth(x) && y == Formula(1)) return y;
  const FormulaBounds both = Union(atoms_.BoundsOf(x), atoms_.BoundsOf(y));
  const std::uint64_t most = both.most == FormulaBounds::kUnbounded
                                 ? both.most
                                 : (std::bit_ceil((both.most >> 1U) + 1) << 1U) - 1;
  return TwoValued(FormulaKind::kOr, x, y, {both.may_be_negative, most});
}

Formula FormulaAlgebra::Xor(const Formula& x, const Formula& y) {
  if (x == y) return Formula(0);
  if (y == Formula(kMinusOne)) return Difference(Formula(kMinusOne), x);
  if (x == Formula(kMinusOne)) return Difference(Formula(kMinusOne), y);
  if (y == Formula(1) && IsTruth(x)) return Difference(y, x);
  if (AreDisjoint(x, y)) return Sum(x, y);
  const FormulaBounds both = Union(atoms_.BoundsOf(x), atoms_.BoundsOf(y));
  const std::uint64_t most = both.most == FormulaBounds::kUnbounded
                                 ? both.most
                                 : (std::bit_ceil((both.most >> 1U) + 1) << 1U) - 1;
  return TwoValued(FormulaKind::kXor, x, y, {both.may_be_negative, most});
}

// Whether `x` is at most `y` for all values that they may have.
bool FormulaAlgebra::IsAtMost(const Formula& x, const Formula& y) const {
  if (x == y) return true;
  const FormulaBounds bounds = atoms_.BoundsOf(x);
  const auto left = x.constant();
  const auto right = y.constant();
  if (left && static_cast<std::int64_t>(*left) <= 0) {
    return right ? static_cast<std::int64_t>(*left) <= static_cast<std::int64_t>(*right)
                 : !atoms_.BoundsOf(y).may_be_negative;
  }
  return right && static_cast<std::int64_t>(*right) >= 0 && !bounds.may_be_negative &&
         bounds.most <= *right;
}

Formula FormulaAlgebra::Min(const Formula& x, const Formula& y) {
  if (IsAtMost(x, y)) return x;
  if (IsAtMost(y, x)) return y;
  const FormulaBounds a = atoms_.BoundsOf(x);
  const FormulaBounds b = atoms_.BoundsOf(y);
  return TwoValued(FormulaKind::kMin, x, y,
                   {a.may_be_negative || b.may_be_negative, std::min(a.most, b.most)});
}

Formula FormulaAlgebra::Max(const Formula& x, const Formula& y) {
  if (IsAtMost(x, y)) return y;
  if (IsAtMost(y, x)) return x;
  const FormulaBounds a = atoms_.BoundsOf(x);
  const FormulaBounds b = atoms_.BoundsOf(y);
  return TwoValued(FormulaKind::kMax, x, y,
                   {a.may_be_negative && b.may_be_negative, std::max(a.most, b.most)});
}

Formula FormulaAlgebra::Abs(const Formula& x) {
  if (!atoms_.BoundsOf(x).may_be_negative) return x;
  return Atom({FormulaKind::kAbs, 0, 0, {x}}, {false});
}

Formula FormulaAlgebra::Compare(ptx::Compare compare, const Formula& x, const Formula& y) {
  const auto left = x.constant();
  const auto right = y.constant();
  if (left && right) {
    const bool holds =
        Holds(compare, static_cast<std::int64_t>(*left), static_cast<std::int64_t>(*right));
    return Formula(holds ? 1 : 0);
  }
  if (compare == ptx::Compare::kLe && IsAtMost(x, y)) return Formula(1);
  if (compare == ptx::Compare::kGt && IsAtMost(x, y)) return Formula(0);
  if (compare == ptx::Compare::kGe && IsAtMost(y, x)) return Formula(1);
  if (compare == ptx::Compare::kLt && IsAtMost(y, x)) return Formula(0);
  const bool is_equality = compare == ptx::Compare::kEq || compare == ptx::Compare::kNe;
  if (is_equality && right && *right <= 1 && IsTruth(x)) {
    const bool is_itself = (compare == ptx::Compare::kNe) == (*right == 0);
    return is_itself ? x : Difference(Formula(1), x);
  }
  return Atom({FormulaKind::kCompare, static_cast<std::uint32_t>(compare), 0, {x, y}}, {false, 1});
}

Formula FormulaAlgebra::Select(const Formula& condition, const Formula& yes, const Formula& no) {
  if (yes == no) return yes;
  if (const auto known = condition.constant()) return *known != 0 ? yes : no;
  const Formula opposite = Difference(Formula(1), condition);
  if (atoms_.Alone(opposite) && IsTruth(opposite)) return Select(opposite, no, yes);
  if (const FormulaAtom* compare = atoms_.Alone(condition, FormulaKind::kCompare)) {
    const auto how = static_cast<ptx::Compare>(compare->a);
    const bool is_less = how == ptx::Compare::kLt || how == ptx::Compare::kLe;
    const bool is_more = how == ptx::Compare::kGt || how == ptx::Compare::kGe;
    const std::vector<Formula> of = compare->arguments;
    const bool in_order = of[0] == yes && of[1] == no;
    const bool is_turned = of[1] == yes && of[0] == no;
    if ((is_less && in_order) || (is_more && is_turned)) return Min(yes, no);
    if ((is_more && in_order) || (is_less && is_turned)) return Max(yes, no);
  }
  if (const auto found = OverRounds(no, yes)) return *found;
  if (const auto found = OverRounds(yes, no)) return *found;
  const Formula common = CommonTerms(yes, no);
  const Formula first = Difference(yes, common);
  const Formula second = Difference(no, common);
  if (IsTruth(condition)) {
    if (first == Formula(1) && second == Formula(0)) return Sum(common, condition);
    if (first == Formula(0) && second == Formula(1)) return Sum(common, opposite);
  }
  const FormulaBounds bounds = Union(atoms_.BoundsOf(first), atoms_.BoundsOf(second));
  return Sum(common, Atom({FormulaKind::kSelect, 0, 0, {condition, first, second}}, bounds));
}

Formula FormulaAlgebra::Merge(std::uint32_t instruction, std::vector<Formula> values,
                              const std::vector<Formula>& conditions) {
  std::ranges::sort(values);
  values.erase(std::unique(values.begin(), values.end()), values.end());
  if (values.empty()) return Atom({FormulaKind::kUnknown, instruction, 0, {}});
  if (values.size() == 2) {
    if (const auto found = OverRounds(values[0], values[1])) return *found;
    if (const auto found = OverRounds(values[1], values[0])) return *found;
  }
  if (values.size() == 1) return values[0];
  Formula common = values[0];
  for (const Formula& value : values) common = CommonTerms(common, value);
  FormulaBounds bounds{false, 0};
  for (Formula& value : values) {
    value = Difference(value, common);
    bounds = Union(bounds, atoms_.BoundsOf(value));
  }
  const auto count = static_cast<std::uint32_t>(values.size());
  values.insert(values.end(), conditions.begin(), conditions.end());
  return Sum(common, Atom({FormulaKind::kMerge, instruction, count, std::move(values)}, bounds));
}

// One formula for threads that passed a loop by and for threads that left it: the value after no
// round, and c more for each round.
std::optional<Formula> FormulaAlgebra::OverRounds(const Formula& passed, const Formula& left) {
  const Formula grown = Difference(left, passed);
  for (const auto& [monomial, coefficient] : grown.terms()) {
    for (std::size_t i = 0; i < monomial.degree(); ++i) {
      const AtomId id = monomial.atom(i);
      const FormulaAtom atom = atoms_[id];
      if (atom.kind != FormulaKind::kRound && atom.kind != FormulaKind::kAllRounds) continue;
      if (std::ranges::any_of(passed.terms(),
                              [&](const Formula::Term& term) { return term.first.Has(id); })) {
        continue;
      }
      const AtomId all = atoms_.Number({FormulaKind::kAllRounds, atom.a, 0, {}}, {false});
      Formula rest;   // without the rounds, were there none
      Formula total;  // by all rounds
      for (const auto& [other, factor] : grown.terms()) {
        if (!other.Has(id)) {
          rest.Add(other, factor);
          continue;
        }
        if (atom.kind == FormulaKind::kRound) rest.Add(other.Without(id), 0 - factor);
        if (const auto product = Monomial::Product(other.Without(id), Monomial(all))) {
          total.Add(*product, factor);
        }
      }
      if (rest.terms().empty()) return Sum(passed, total);
      if (std::ranges::all_of(grown.terms(),
                              [&](const Formula::Term& term) { return term.first.Has(id); })) {
        return left;
      }
    }
  }
  return std::nullopt;
}

}  // namespace coalcheck::address
