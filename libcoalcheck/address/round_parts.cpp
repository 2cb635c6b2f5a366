// SPDX-License-Identifier: Apache-2.0
//
// Goes through the atoms in their order: the arguments of each are made of those before it.
#include "libcoalcheck/address/round_parts.h"

#include "libcoalcheck/address/special_registers.h"
#include "libcoalcheck/base/units.h"

namespace coalcheck::address {
RoundParts::RoundParts(const FunctionFormulas& formulas) : formulas_(formulas) {
  parts_.reserve(formulas.atoms().size());
  for (AtomId id = 0; id < formulas.atoms().size(); ++id) {
    const bool is_loop_value = formulas.LoopValue(id) != nullptr;
    parts_.push_back(is_loop_value ? OfLoopValue(id) : OfAtom(formulas.atoms()[id]));
  }
}

void RoundParts::Join(const Formula& formula, Part& part) const {
  for (const auto& [monomial, coefficient] : formula.terms()) {
    for (std::size_t i = 0; i < monomial.degree(); ++i) {
      if (monomial.atom(i) >= parts_.size()) continue;
      const Part& other = parts_[monomial.atom(i)];
      part.follows_lanes = part.follows_lanes || other.follows_lanes;
      part.follows_blocks = part.follows_blocks || other.follows_blocks;
      part.follows_rounds = part.follows_rounds || other.follows_rounds;
      part.holds_uneven = part.holds_uneven || other.is_uneven || other.holds_uneven;
    }
  }
}

RoundParts::Part RoundParts::OfAtom(const FormulaAtom& atom) const {
  Part part;
  switch (atom.kind) {
    case FormulaKind::kSpecial:
      part.follows_lanes = IsOfThread(static_cast<ptx::Special>(atom.a));
      part.follows_blocks = IsOfBlock(static_cast<ptx::Special>(atom.a));
      return part;
    case FormulaKind::kRound:
      part.follows_rounds = true;
      return part;
    case FormulaKind::kLoaded:  // another symbol in each round
    case FormulaKind::kAllRounds:
      return part;
    default:
      break;
  }
  for (const Formula& argument : atom.arguments) Join(argument, part);
  part.is_uneven = part.follows_rounds && !part.follows_lanes && !part.follows_blocks;
  return part;
}

RoundParts::Part RoundParts::OfLoopValue(AtomId id) const {
  Part part;
  const LoopPhi& value = *formulas_.LoopValue(id);
  Join(value.start, part);
  Join(value.next, part);
  part.follows_rounds = true;
  part.is_uneven = !part.follows_lanes && !part.follows_blocks;
  return part;
}

RoundPart RoundParts::Of(const Formula& address) const {
  RoundPart all = RoundPart::kSteady;
  for (const auto& [monomial, coefficient] : address.terms()) {
    bool is_uneven = false;
    bool has_lanes = false;
    bool holds_uneven = false;
    std::size_t rounds = 0;
    for (std::size_t i = 0; i < monomial.degree(); ++i) {
      const AtomId id = monomial.atom(i);
      const Part& part = parts_[id];
      is_uneven = is_uneven || part.is_uneven;
      has_lanes = has_lanes || part.follows_lanes;
      holds_uneven = holds_uneven || (part.holds_uneven && !part.is_uneven);
      if (formulas_.atoms()[id].kind == FormulaKind::kRound) ++rounds;
    }
    const bool changes = is_uneven || rounds > 1;
    if ((has_lanes && (changes || rounds > 0)) || holds_uneven) return RoundPart::kLanes;
    if (changes && coefficient % kSectorSize.count() != 0) all = RoundPart::kStart;
  }
  return all;
}

}  // namespace coalcheck::address
