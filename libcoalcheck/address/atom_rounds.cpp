// SPDX-License-Identifier: Apache-2.0
//
// Passes over the atoms, each behind those that it is made of; further ones while what loops carry
// brings something new.
#include "libcoalcheck/address/atom_rounds.h"

#include <algorithm>

#include "libcoalcheck/address/special_registers.h"
#include "libcoalcheck/base/units.h"

namespace coalcheck::address {
namespace {

constexpr int kMostPasses = 16;

// Whether all lanes of a warp get the same.
bool IsForWholeWarp(ptx::Op op) {
  return op == ptx::Op::kVote || op == ptx::Op::kRedux || op == ptx::Op::kActivemask;
}

}  // namespace

bool AtomRound::Add(const AtomRound& other) {
  const AtomRound before = *this;
  follows_lanes = follows_lanes || other.follows_lanes;
  splits_warps = splits_warps || other.splits_warps;
  follows_blocks = follows_blocks || other.follows_blocks;
  bends_lanes = bends_lanes || other.bends_lanes;
  if (loop == ptx::kNone) {
    loop = other.loop;
  } else if (other.loop != ptx::kNone && other.loop != loop) {
    loop = kManyLoops;
  }
  return follows_lanes != before.follows_lanes || splits_warps != before.splits_warps ||
         follows_blocks != before.follows_blocks || bends_lanes != before.bends_lanes ||
         loop != before.loop;
}

AtomRounds::AtomRounds(const FunctionFormulas& formulas)
    : formulas_(formulas), atoms_(formulas.atoms().size()) {
  FindBlocksBehindLoops();
  for (const ptx::Instruction& one : formulas.function().instructions) {
    const bool is_store = one.code.op == ptx::Op::kSt && one.code.space == ptx::Space::kLocal;
    has_private_memory_ = has_private_memory_ || is_store;
  }
  for (AtomId id = 0; id < atoms_.size(); ++id) {
    atoms_[id] = Source(formulas.atoms()[id]);
    atoms_[id].is_data = IsData(formulas.atoms()[id]);
  }
  const auto repeat = [&](bool (AtomRounds::*update)(AtomId)) {
    bool changes = true;
    for (int pass = 0; pass < kMostPasses && changes; ++pass) {
      changes = false;
      for (AtomId id = 0; id < atoms_.size(); ++id) changes = (this->*update)(id) || changes;
    }
    return !changes;
  };
  const bool is_settled = repeat(&AtomRounds::Update);
  for (AtomId id = 0; id < atoms_.size(); ++id) {
    AtomRound& one = atoms_[id];
    const FormulaAtom& atom = formulas.atoms()[id];
    one.is_uneven = one.FollowsRounds() && !one.follows_lanes && !one.follows_blocks &&
                    atom.kind != FormulaKind::kRound;
    // An index over the grid may wrap, or its digits change, in later rounds.
    one.holds_uneven = one.holds_uneven ||
                       (one.FollowsRounds() && one.follows_lanes &&
                        atom.kind != FormulaKind::kWrapped && atom.kind != FormulaKind::kLongSum);
    one.is_digit = IsDigit(atom);
  }
  if (is_settled && repeat(&AtomRounds::SpreadUneven)) return;
  for (AtomRound& one : atoms_) one.holds_uneven = true;
}

// What comes behind a loop may be made of what it carries.
void AtomRounds::FindBlocksBehindLoops() {
  const ptx::ControlFlow& flow = formulas_.flow();
  is_behind_loop_.resize(flow.blocks().size());
  for (const std::uint32_t block : flow.order()) {
    const ptx::Block& one = flow.blocks()[block];
    is_behind_loop_[block] =
        one.loop != ptx::kNone || std::ranges::any_of(one.previous, [&](std::uint32_t from) {
          return bool{is_behind_loop_[from]};
        });
  }
}

AtomRound AtomRounds::Of(const Formula& formula) const {
  AtomRound all;
  for (const auto& [monomial, coefficient] : formula.terms()) {
    for (const AtomId id : monomial.atoms()) all.Add(atoms_[id]);
  }
  return all;
}

AtomRound AtomRounds::Source(const FormulaAtom& atom) const {
  AtomRound one;
  switch (atom.kind) {
    case FormulaKind::kSpecial:
      one.follows_lanes = one.splits_warps = IsOfThread(static_cast<ptx::Special>(atom.a));
      one.follows_blocks = IsOfBlock(static_cast<ptx::Special>(atom.a));
      return one;
    case FormulaKind::kRound:
      one.loop = atom.a;
      return one;
    case FormulaKind::kLoopValue:
    case FormulaKind::kLoopSum:
      one.loop = formulas_.flow().blocks()[atom.b].loop;
      return one;
    case FormulaKind::kLoaded:  // another symbol in each round
      return IsPrivate(atom.a) ? Open(atom.a) : one;
    case FormulaKind::kReturned:
    case FormulaKind::kUnknown:
      return Open(atom.a);
    default:
      return one;
  }
}

// What nobody knows may be anything in later rounds.
AtomRound AtomRounds::Open(std::uint32_t instruction) const {
  AtomRound one;
  one.follows_lanes = one.splits_warps = true;
  if (!IsBehindLoop(instruction)) return one;
  one.loop = AtomRound::kManyLoops;
  one.holds_uneven = true;
  return one;
}

// Memory of the thread's own, from which values are followed.
bool AtomRounds::IsPrivate(std::uint32_t load) const {
  const ptx::Opcode& code = formulas_.function().instructions[load].code;
  return has_private_memory_ &&
         (code.space == ptx::Space::kLocal || code.space == ptx::Space::kGeneric);
}

// Floats that are computed with what was loaded are data, too.
bool AtomRounds::IsData(const FormulaAtom& atom) const {
  if (atom.kind == FormulaKind::kLoaded) return !IsPrivate(atom.a);
  if (atom.kind != FormulaKind::kComputed) return false;
  return std::ranges::any_of(atom.arguments, [&](const Formula& argument) {
    return argument.HasAtom([&](AtomId id) { return atoms_[id].is_data; });
  });
}

bool AtomRounds::Update(AtomId id) {
  const FormulaAtom& atom = formulas_.atoms()[id];
  if (atom.kind == FormulaKind::kComputed && atoms_[id].is_data) return false;
  if (atom.kind == FormulaKind::kLoaded) {
    // A parameter's element is known where a launch is.
    const ptx::Opcode& code = formulas_.function().instructions[atom.a].code;
    if (code.space != ptx::Space::kParam) return false;
  }
  bool changes = false;
  AtomRound parts;
  for (const Formula& argument : atom.arguments) parts.Add(Of(argument));
  if (atom.kind == FormulaKind::kExchanged &&
      IsForWholeWarp(formulas_.function().instructions[atom.a].code.op)) {
    parts.follows_lanes = parts.splits_warps = false;
  }
  if (IsOfWarps(atom)) parts.splits_warps = false;
  const bool is_bend = atom.kind == FormulaKind::kFunction || atom.kind == FormulaKind::kComputed;
  parts.bends_lanes = parts.splits_warps && (parts.bends_lanes || is_bend);
  changes = atoms_[id].Add(parts);
  if (const LoopPhi* value = formulas_.LoopValue(id)) {
    changes = atoms_[id].Add(Of(value->start)) || changes;
    changes = atoms_[id].Add(Of(value->next)) || changes;
  }
  return changes;
}

// Whether it is the same for all lanes of a warp, or for all but those at one edge: a large
// quotient, or a guard that whole warps come through.
bool AtomRounds::IsOfWarps(const FormulaAtom& atom) const {
  if (atom.kind == FormulaKind::kCompare) return IsOpenGuard(atom);
  if (atom.kind != FormulaKind::kQuotient) return false;
  std::uint64_t divisor = 0;
  for (const auto& [monomial, coefficient] : atom.arguments[1].terms()) {
    const bool is_size = HasWidthOfBlock(monomial);
    if (monomial.degree() > 0 && !is_size) return false;
    divisor = std::max(divisor, is_size ? kWarpSize : coefficient);
  }
  return std::ranges::all_of(atom.arguments[0].terms(), [&](const Formula::Term& term) {
    const auto& [monomial, coefficient] = term;
    for (const AtomId id : monomial.atoms()) {
      if (!atoms_[id].splits_warps || IsOfRows(id)) continue;
      const std::uint64_t step = Magnitude(coefficient);
      const bool is_number = formulas_.atoms()[id].kind == FormulaKind::kSpecial;
      if (!is_number || monomial.degree() > 1 || step > divisor / kWarpSize) return false;
    }
    return true;
  });
}

// `i < n`: the thread's number is compared with what a parameter says.
bool AtomRounds::IsOpenGuard(const FormulaAtom& comparison) const {
  const auto compare = static_cast<ptx::Compare>(comparison.a);
  if (compare == ptx::Compare::kEq || compare == ptx::Compare::kNe) return false;
  bool is_open = false;
  for (const Formula& side : comparison.arguments) {
    for (const auto& [monomial, coefficient] : side.terms()) {
      for (const AtomId id : monomial.atoms()) {
        const FormulaKind kind = formulas_.atoms()[id].kind;
        if (atoms_[id].splits_warps && kind != FormulaKind::kSpecial) return false;
        is_open = is_open || kind == FormulaKind::kParameter;
      }
    }
  }
  return is_open;
}

// A product of sizes of the launch, one of which is the width of a block: warps or more.
bool AtomRounds::HasWidthOfBlock(const Monomial& monomial) const {
  bool has_width = false;
  for (const AtomId id : monomial.atoms()) {
    const FormulaAtom& atom = formulas_.atoms()[id];
    if (atom.kind != FormulaKind::kSpecial) return false;
    has_width = has_width || static_cast<ptx::Special>(atom.a) == ptx::Special::kNtidX;
  }
  return has_width;
}

// The number of a row of threads, which holds whole warps.
bool AtomRounds::IsOfRows(AtomId id) const {
  const FormulaAtom& atom = formulas_.atoms()[id];
  const auto special = static_cast<ptx::Special>(atom.a);
  return atom.kind == FormulaKind::kSpecial &&
         (special == ptx::Special::kTidY || special == ptx::Special::kTidZ);
}

bool AtomRounds::HoldsUneven(const Formula& formula) const {
  return formula.HasAtom(
      [&](AtomId id) { return atoms_[id].is_uneven || atoms_[id].holds_uneven; });
}

bool AtomRounds::SpreadUneven(AtomId id) {
  AtomRound& one = atoms_[id];
  const FormulaAtom& atom = formulas_.atoms()[id];
  if (one.holds_uneven || !one.FollowsRounds()) return false;
  const LoopPhi* value = formulas_.LoopValue(id);
  const auto holds = [&](const Formula& argument) { return HoldsUneven(argument); };
  one.holds_uneven = std::ranges::any_of(atom.arguments, holds) ||
                     (value != nullptr && (holds(value->start) || holds(value->next)));
  return one.holds_uneven;
}

bool AtomRounds::IsDigit(const FormulaAtom& atom) const {
  const auto is_digit = [&](const Formula& formula) {
    return !formula.HasAtom([&](AtomId id) {
      const AtomRound& one = atoms_[id];
      return one.splits_warps && (!one.is_digit || one.FollowsRounds());
    });
  };
  switch (atom.kind) {
    case FormulaKind::kSpecial:
      return true;
    case FormulaKind::kQuotient:
    case FormulaKind::kRemainder:
      return is_digit(atom.arguments[0]) && !Of(atom.arguments[1]).follows_lanes;
    case FormulaKind::kAnd:
      return (is_digit(atom.arguments[0]) && !Of(atom.arguments[1]).follows_lanes) ||
             (is_digit(atom.arguments[1]) && !Of(atom.arguments[0]).follows_lanes);
    case FormulaKind::kLongSum:
    case FormulaKind::kWrapped:
      return std::ranges::all_of(atom.arguments, is_digit);
    default:
      return false;
  }
}

}  // namespace coalcheck::address
