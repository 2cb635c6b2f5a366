// SPDX-License-Identifier: Apache-2.0
//
// A pass over the atoms, each behind those that it is made of; further ones while what loops carry
// brings something new.
#include "libcoalcheck/address/formula_loads.h"

namespace coalcheck::address {

FormulaLoads::FormulaLoads(const FunctionFormulas& formulas)
    : formulas_(formulas), loads_(formulas.atoms().size()) {
  constexpr int kMostPasses = 8;
  bool changes = true;
  for (int pass = 0; pass < kMostPasses && changes; ++pass) {
    changes = false;
    work_ += loads_.size() + formulas.atoms().terms();
    for (AtomId id = 0; id < loads_.size(); ++id) changes = Update(id) || changes;
  }
}

bool FormulaLoads::Update(AtomId id) {
  const FormulaAtom& atom = formulas_.atoms()[id];
  FewNumbers& loads = loads_[id];
  if (atom.kind == FormulaKind::kLoaded) return loads.Add(atom.a);
  bool changes = false;
  for (const Formula& argument : atom.arguments) changes = loads.Add(Of(argument)) || changes;
  if (atom.kind == FormulaKind::kRound || atom.kind == FormulaKind::kAllRounds) {
    for (const Formula& exit : formulas_.ExitsOf(atom.a)) changes = loads.Add(Of(exit)) || changes;
  }
  if (const LoopPhi* value = formulas_.LoopValue(id)) {
    changes = loads.Add(Of(value->start)) || changes;
    changes = loads.Add(Of(value->next)) || changes;
  }
  return changes;
}

}  // namespace coalcheck::address
