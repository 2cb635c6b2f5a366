// SPDX-License-Identifier: Apache-2.0
//
// Goes through a formula's atoms, each once.
#include "libcoalcheck/address/formula_loads.h"

#include <set>

namespace coalcheck::address {
namespace {

class Search {
 public:
  explicit Search(const FunctionFormulas& formulas)
      : formulas_(formulas), seen_(formulas.atoms().size(), false) {}

  std::vector<std::uint32_t> From(const Formula& formula) && {
    Add(formula);
    while (!open_.empty()) {
      const AtomId id = open_.back();
      open_.pop_back();
      Open(id, formulas_.atoms()[id]);
    }
    return {loads_.begin(), loads_.end()};
  }

 private:
  void Add(const Formula& formula) {
    for (const auto& [monomial, coefficient] : formula.terms()) {
      for (std::size_t i = 0; i < monomial.degree(); ++i) {
        const AtomId id = monomial.atom(i);
        if (seen_[id]) continue;
        seen_[id] = true;
        open_.push_back(id);
      }
    }
  }

  void Open(AtomId id, const FormulaAtom& atom) {
    if (atom.kind == FormulaKind::kLoaded) {
      loads_.insert(atom.a);
      return;
    }
    for (const Formula& argument : atom.arguments) Add(argument);
    if (atom.kind == FormulaKind::kRound || atom.kind == FormulaKind::kAllRounds) {
      for (const Formula& exit : formulas_.ExitsOf(atom.a)) Add(exit);
    }
    if (const LoopPhi* value = formulas_.LoopValue(id)) {
      Add(value->start);
      Add(value->next);
    }
  }

  const FunctionFormulas& formulas_;
  std::vector<bool> seen_;
  std::vector<AtomId> open_;
  std::set<std::uint32_t> loads_;
};

}  // namespace

std::vector<std::uint32_t> LoadsIn(const FunctionFormulas& formulas, const Formula& formula) {
  return Search(formulas).From(formula);
}

}  // namespace coalcheck::address
