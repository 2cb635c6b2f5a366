// SPDX-License-Identifier: Apache-2.0
//
// Arithmetic on short sorted vectors of terms.
#include "libcoalcheck/address/polynomial.h"

#include <algorithm>
#include <numeric>

namespace coalcheck::address {

bool Monomial::Has(AtomId atom) const {
  return std::find(atoms_.begin(), atoms_.end(), atom) != atoms_.end();
}

Monomial Monomial::Without(AtomId atom) const {
  Monomial result;
  std::size_t next = 0;
  bool removed = false;
  for (const AtomId factor : atoms_) {
    if (factor == atom && !removed) {
      removed = true;
    } else {
      result.atoms_[next++] = factor;
    }
    if (next == kMostFactors) break;
  }
  return result;
}

std::optional<Monomial> Monomial::Product(const Monomial& a, const Monomial& b) {
  if (a.degree() + b.degree() > kMostFactors) return std::nullopt;
  Monomial result = a;
  std::copy_n(b.atoms_.begin(), b.degree(),
              result.atoms_.begin() + static_cast<std::ptrdiff_t>(a.degree()));
  std::sort(result.atoms_.begin(), result.atoms_.end());
  return result;
}

Polynomial Polynomial::Of(AtomId atom, std::uint64_t coefficient) {
  Polynomial result;
  result.Add(Monomial(atom), coefficient);
  return result;
}

std::optional<std::uint64_t> Polynomial::constant() const {
  if (terms_.empty()) return 0;
  if (terms_.size() == 1 && terms_[0].first.degree() == 0) return terms_[0].second;
  return std::nullopt;
}

void Polynomial::Add(const Monomial& monomial, std::uint64_t coefficient) {
  if (coefficient == 0) return;
  const auto at = std::lower_bound(
      terms_.begin(), terms_.end(), monomial,
      [](const Term& term, const Monomial& wanted) { return term.first < wanted; });
  if (at == terms_.end() || at->first != monomial) {
    terms_.insert(at, {monomial, coefficient});
    return;
  }
  at->second += coefficient;
  if (at->second == 0) terms_.erase(at);
}

void Polynomial::Add(const Polynomial& other, std::uint64_t factor) {
  if (&other == this) return Add(Polynomial(other), factor);
  for (const auto& [monomial, coefficient] : other.terms_) Add(monomial, coefficient * factor);
}

Polynomial Polynomial::Times(std::uint64_t factor) const {
  Polynomial result;
  for (const auto& [monomial, coefficient] : terms_) {
    if (coefficient * factor != 0) result.terms_.emplace_back(monomial, coefficient * factor);
  }
  return result;
}

std::optional<Polynomial> Polynomial::Product(const Polynomial& a, const Polynomial& b) {
  if (a.terms_.size() * b.terms_.size() > kMostTerms * 2) return std::nullopt;
  Polynomial result;
  for (const auto& [left, x] : a.terms_) {
    for (const auto& [right, y] : b.terms_) {
      const std::optional<Monomial> product = Monomial::Product(left, right);
      if (!product) return std::nullopt;
      result.Add(*product, x * y);
    }
  }
  if (result.too_long()) return std::nullopt;
  return result;
}

std::uint64_t Polynomial::CommonFactor() const {
  std::uint64_t common = 0;
  for (const auto& [monomial, coefficient] : terms_) {
    const bool minus = static_cast<std::int64_t>(coefficient) < 0;
    common = std::gcd(common, minus ? 0 - coefficient : coefficient);
  }
  return common;
}

Polynomial Polynomial::DividedBy(std::uint64_t factor) const {
  Polynomial result;
  const auto by = static_cast<std::int64_t>(factor);
  for (const auto& [monomial, coefficient] : terms_) {
    const auto quotient = static_cast<std::int64_t>(coefficient) / by;
    result.terms_.emplace_back(monomial, static_cast<std::uint64_t>(quotient));
  }
  return result;
}

}  // namespace coalcheck::address
