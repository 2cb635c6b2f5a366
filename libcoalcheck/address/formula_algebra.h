// SPDX-License-Identifier: Apache-2.0
//
// Arithmetic on formulas. Results are as simple as is cheaply found: a quotient times its divisor
// beside the dividend becomes a remainder, a multiplication by a reciprocal becomes a division, an
// `or` of bits that cannot meet becomes a sum.
#pragma once

#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

#include "libcoalcheck/address/formula.h"
#include "libcoalcheck/ptx/opcode.h"

namespace coalcheck::address {

// The coefficient -1.
inline constexpr std::uint64_t kMinusOne = ~std::uint64_t{0};

class FormulaAlgebra {
 public:
  explicit FormulaAlgebra(FormulaAtoms& atoms) : atoms_(atoms) {}

  // An atom as it is.
  Formula Atom(FormulaAtom atom, FormulaBounds bounds = {});
  // The same atom, made anew of other arguments by the functions below.
  Formula Remade(const FormulaAtom& atom, FormulaBounds bounds);

  Formula Sum(const Formula& x, const Formula& y);
  Formula Difference(const Formula& x, const Formula& y);
  Formula Product(const Formula& x, const Formula& y);
  Formula Quotient(const Formula& x, const Formula& y, Rounding rounding);
  Formula Remainder(const Formula& x, const Formula& y, Rounding rounding);
  Formula PowerOfTwo(const Formula& exponent);
  // Modulo 2^bits where a factor is so large that it is meant to wrap.
  Formula Wrap(const Formula& x, std::uint32_t bits);
  // 2^bits - 1 where x is negative.
  Formula SignBits(const Formula& x, std::uint32_t bits);
  Formula And(const Formula& x, const Formula& y);
  Formula Or(const Formula& x, const Formula& y);
  Formula Xor(const Formula& x, const Formula& y);
  Formula Min(const Formula& x, const Formula& y);
  Formula Max(const Formula& x, const Formula& y);
  Formula Abs(const Formula& x);
  Formula Compare(ptx::Compare compare, const Formula& x, const Formula& y);
  Formula Select(const Formula& condition, const Formula& yes, const Formula& no);
  // The value where paths that bring `values` meet before an instruction.
  Formula Merge(std::uint32_t instruction, std::vector<Formula> values,
                const std::vector<Formula>& conditions);

 private:
  Formula Tidy(Formula sum);
  std::optional<Formula> AsRemainder(const Formula& sum, AtomId quotient,
                                     const Formula::Term& term);
  std::optional<Formula> AsDividend(const Formula& sum, AtomId quotient, const Formula::Term& term);
  std::optional<Formula> AsSignedQuotient(const Formula& sum, AtomId id, const Formula::Term& term);
  std::optional<Formula> AsWideQuotient(const Formula& sum, AtomId id, const Formula::Term& term);
  std::optional<Formula> QuotientByNumber(const Formula& x, std::uint64_t divisor,
                                          Rounding rounding);
  Formula QuotientAtom(const Formula& x, const Formula& y, Rounding rounding);
  std::optional<Formula> ByReciprocal(const Formula& x, std::uint64_t divisor);
  // A formula that is negative where `x` is; empty where none is simpler.
  std::optional<Formula> OfSameSign(const Formula& x) const;
  std::optional<Formula> WithoutSignBits(const Formula& x, std::uint64_t divisor);
  Formula WithoutRemainders(Formula x, std::uint64_t divisor);
  Formula Masked(const Formula& x, std::int64_t mask);
  bool AreDisjoint(const Formula& x, const Formula& y) const;
  bool IsTruth(const Formula& x) const;
  bool IsAtMost(const Formula& x, const Formula& y) const;
  Formula TwoValued(FormulaKind kind, const Formula& x, const Formula& y, FormulaBounds bounds);
  std::optional<Formula> OverRounds(const Formula& passed, const Formula& left);

  FormulaAtoms& atoms_;
};

// The terms that both have with one coefficient.
Formula CommonTerms(const Formula& x, const Formula& y);

}  // namespace coalcheck::address
