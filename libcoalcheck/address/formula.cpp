// SPDX-License-Identifier: Apache-2.0
//
// Hash-consing of atoms, and bounds of sums by those of their atoms.
#include "libcoalcheck/address/formula.h"

#include <utility>

namespace coalcheck::address {
namespace {

std::uint64_t Plus(std::uint64_t a, std::uint64_t b) {
  std::uint64_t sum = 0;
  return __builtin_add_overflow(a, b, &sum) ? FormulaBounds::kUnbounded : sum;
}

std::uint64_t Times(std::uint64_t a, std::uint64_t b) {
  std::uint64_t product = 0;
  return __builtin_mul_overflow(a, b, &product) ? FormulaBounds::kUnbounded : product;
}

}  // namespace

AtomId FormulaAtoms::Number(FormulaAtom atom, FormulaBounds bounds) {
  std::size_t terms = 1;
  for (const Formula& argument : atom.arguments) terms += argument.terms().size();
  Spend(terms);
  if (atoms_.size() >= kMostAtoms || terms_ >= kMostTerms) {
    const auto known = numbers_.find(atom);
    if (known != numbers_.end()) return known->second;
    atom = {FormulaKind::kUnknown, 0, 0, {}};
    bounds = {};
  }
  const auto [entry, is_new] =
      numbers_.try_emplace(std::move(atom), static_cast<AtomId>(atoms_.size()));
  if (is_new) {
    atoms_.push_back(&entry->first);
    for (const Formula& argument : entry->first.arguments) terms_ += argument.terms().size();
    bounds_.push_back(bounds);
  }
  return entry->second;
}

FormulaBounds FormulaAtoms::BoundsOf(const Formula& formula) const {
  FormulaBounds sum{false, 0};
  for (const auto& [monomial, coefficient] : formula.terms()) {
    if (static_cast<std::int64_t>(coefficient) < 0) return {};
    std::uint64_t product = coefficient;
    for (std::size_t i = 0; i < monomial.degree(); ++i) {
      const FormulaBounds& one = bounds_[monomial.atom(i)];
      if (one.may_be_negative) return {};
      product = Times(product, one.most);
    }
    sum.most = Plus(sum.most, product);
  }
  return sum;
}

std::optional<AtomId> FormulaAtoms::Alone(const Formula& formula) const {
  if (formula.terms().size() != 1) return std::nullopt;
  const auto& [monomial, coefficient] = formula.terms()[0];
  if (coefficient != 1 || monomial.degree() != 1) return std::nullopt;
  return monomial.atom(0);
}

const FormulaAtom* FormulaAtoms::Alone(const Formula& formula, FormulaKind kind) const {
  const std::optional<AtomId> id = Alone(formula);
  return id && atoms_[*id]->kind == kind ? atoms_[*id] : nullptr;
}

}  // namespace coalcheck::address
