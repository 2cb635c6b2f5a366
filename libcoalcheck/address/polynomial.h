// SPDX-License-Identifier: Apache-2.0
//
// Sums of products of unknowns with integer coefficients, modulo 2^64: what an address is made of.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <utility>
#include <vector>

namespace coalcheck::address {

// An unknown, by its number in the AtomTable.
using AtomId = std::uint32_t;
inline constexpr AtomId kNoAtom = 0xffffffff;

// Of a coefficient, as a signed number.
inline std::uint64_t Magnitude(std::uint64_t coefficient) {
  return std::min(coefficient, 0 - coefficient);
}

// A product of at most six unknowns; of none: 1.
class Monomial {
 public:
  static constexpr std::size_t kMostFactors = 6;

  Monomial() { atoms_.fill(kNoAtom); }
  explicit Monomial(AtomId atom) : Monomial() { atoms_[0] = atom; }

  std::size_t degree() const {
    std::size_t degree = 0;
    while (degree < kMostFactors && atoms_[degree] != kNoAtom) ++degree;
    return degree;
  }
  AtomId atom(std::size_t i) const { return atoms_[i]; }
  std::span<const AtomId> atoms() const { return {atoms_.data(), degree()}; }
  bool Has(AtomId atom) const;
  // Without one factor `atom`.
  Monomial Without(AtomId atom) const;
  // Empty when it would have too many factors.
  static std::optional<Monomial> Product(const Monomial& a, const Monomial& b);

  friend auto operator<=>(const Monomial&, const Monomial&) = default;
  template <typename H>
  friend H AbslHashValue(H hash, const Monomial& monomial) {
    return H::combine(std::move(hash), monomial.atoms_);
  }

 private:
  std::array<AtomId, kMostFactors> atoms_;  // ascending, kNoAtom behind
};

class Polynomial {
 public:
  using Term = std::pair<Monomial, std::uint64_t>;
  // A sum longer than this is given up; compiled addresses have a handful of terms.
  static constexpr std::size_t kMostTerms = 40;

  Polynomial() = default;
  explicit Polynomial(std::uint64_t constant) { Add(Monomial(), constant); }
  static Polynomial Of(AtomId atom, std::uint64_t coefficient = 1);

  // Ascending by monomial, the constant last; no coefficient is zero.
  const std::vector<Term>& terms() const { return terms_; }
  bool too_long() const { return terms_.size() > kMostTerms; }
  std::optional<std::uint64_t> constant() const;  // empty when there is an unknown
  // Whether one of its unknowns is as `holds` says.
  template <typename Predicate>
  bool HasAtom(Predicate holds) const {
    return std::ranges::any_of(
        terms_, [&](const Term& term) { return std::ranges::any_of(term.first.atoms(), holds); });
  }

  void Add(const Monomial& monomial, std::uint64_t coefficient);
  void Add(const Polynomial& other, std::uint64_t factor = 1);
  Polynomial Times(std::uint64_t factor) const;
  // Empty when a product has too many factors or the result too many terms.
  static std::optional<Polynomial> Product(const Polynomial& a, const Polynomial& b);
  // What divides all coefficients, as signed numbers.
  std::uint64_t CommonFactor() const;
  // Of a factor that does.
  Polynomial DividedBy(std::uint64_t factor) const;

  friend bool operator==(const Polynomial&, const Polynomial&) = default;
  friend auto operator<=>(const Polynomial&, const Polynomial&) = default;
  template <typename H>
  friend H AbslHashValue(H hash, const Polynomial& polynomial) {
    return H::combine(std::move(hash), polynomial.terms_);
  }

 private:
  std::vector<Term> terms_;
};

}  // namespace coalcheck::address
