// SPDX-License-Identifier: Apache-2.0
//
// Looks at each comparison that a condition is made of, and adds up what those of all branches say
// that decide whether a block is executed.
#include "libcoalcheck/address/round_conditions.h"

#include <absl/container/flat_hash_set.h>

#include <algorithm>
#include <optional>

#include "libcoalcheck/ptx/deciders.h"

namespace coalcheck::address {
namespace {

constexpr int kMostPasses = 16;
constexpr std::size_t kMostParts = 256;  // of one condition
// Digits up to it are counted; larger ones are of rows whose length nobody knows.
constexpr std::uint64_t kSmallDigit = 1U << 20U;

bool IsTruth(const FormulaAtoms& atoms, const Formula& formula) {
  const FormulaBounds bounds = atoms.BoundsOf(formula);
  return !bounds.may_be_negative && bounds.most <= 1;
}

// Whether it is made of further conditions.
bool Combines(const FormulaAtoms& atoms, const FormulaAtom& atom) {
  switch (atom.kind) {
    case FormulaKind::kAnd:
    case FormulaKind::kOr:
    case FormulaKind::kXor:
    case FormulaKind::kProduct:
    case FormulaKind::kSelect:
    case FormulaKind::kCompare:
      return std::ranges::all_of(atom.arguments,
                                 [&](const Formula& one) { return IsTruth(atoms, one); });
    default:
      return false;
  }
}

bool IsOrdered(const FormulaAtom& comparison) {
  const auto compare = static_cast<ptx::Compare>(comparison.a);
  return compare != ptx::Compare::kEq && compare != ptx::Compare::kNe;
}

}  // namespace

bool RoundConditions::Deciding::Add(const Deciding& other) {
  const Deciding before = *this;
  parts_lanes = parts_lanes || other.parts_lanes;
  follows_rounds = follows_rounds || other.follows_rounds;
  follows_lanes = follows_lanes || other.follows_lanes;
  return parts_lanes != before.parts_lanes || follows_rounds != before.follows_rounds ||
         follows_lanes != before.follows_lanes;
}

RoundConditions::RoundConditions(const FunctionFormulas& formulas, const AtomRounds& rounds)
    : formulas_(formulas), rounds_(rounds), blocks_(formulas.flow().blocks().size()) {
  Spread();
}

// From each branch to the blocks that it decides on, and on to those that these decide on.
void RoundConditions::Spread() {
  const auto deciders = ptx::DecidersOf(formulas_.flow(), std::size_t{1} << 20U);
  std::vector<std::optional<Deciding>> ends(blocks_.size());
  bool changes = deciders.has_value();
  for (int pass = 0; pass < kMostPasses && changes; ++pass) {
    changes = false;
    for (const std::uint32_t block : formulas_.flow().order()) {
      for (const ptx::Decider& decider : (*deciders)[block]) {
        std::optional<Deciding>& end = ends[decider.block];
        if (!end) end = OfEnd(decider.block);
        changes = blocks_[block].Add(*end) || changes;
        changes = blocks_[block].Add(blocks_[decider.block]) || changes;
      }
    }
  }
  is_known_ = deciders && !changes;
}

bool RoundConditions::MayPartLanes(std::uint32_t access) const {
  if (!is_known_) return true;
  const Deciding all = OfAccess(access);
  return all.parts_lanes || (all.follows_rounds && all.follows_lanes);
}

bool RoundConditions::FollowRounds(std::uint32_t access) const {
  return !is_known_ || OfAccess(access).follows_rounds;
}

RoundConditions::Deciding RoundConditions::OfAccess(std::uint32_t access) const {
  Deciding all = blocks_[formulas_.flow().BlockOf(access)];
  for (const Formula& guard : formulas_.GuardsOf(access)) all.Add(OfCondition(guard));
  return all;
}

RoundConditions::Deciding RoundConditions::OfEnd(std::uint32_t block) const {
  const Formula* condition = formulas_.ConditionOf(block);
  // A jump through a table.
  if (condition == nullptr) {
    const bool is_in_loop = formulas_.flow().blocks()[block].loop != ptx::kNone;
    return {.parts_lanes = is_in_loop, .follows_lanes = true};
  }
  if (IsBound(block, rounds_.Of(*condition))) return {};
  return OfCondition(*condition);
}

// Whether the same condition for all lanes ends the loop that the block is in.
bool RoundConditions::IsBound(std::uint32_t block, const AtomRound& condition) const {
  const ptx::Block& one = formulas_.flow().blocks()[block];
  if (condition.splits_warps || one.loop == ptx::kNone) return false;
  const bool leaves = one.may_end || std::ranges::any_of(one.next, [&](std::uint32_t to) {
                        return !formulas_.flow().IsIn(to, one.loop);
                      });
  return leaves && condition.loop == one.loop;
}

RoundConditions::Deciding RoundConditions::OfCondition(const Formula& condition) const {
  const FormulaAtoms& atoms = formulas_.atoms();
  Deciding all;
  std::vector<AtomId> work;
  absl::flat_hash_set<AtomId> seen;
  // True: the formula is made of truth values, which are looked at one by one.
  const auto push = [&](const Formula& formula) {
    if (!IsTruth(atoms, formula)) return false;
    for (const auto& [monomial, coefficient] : formula.terms()) {
      for (std::size_t i = 0; i < monomial.degree(); ++i) {
        if (seen.insert(monomial.atom(i)).second) work.push_back(monomial.atom(i));
      }
    }
    return true;
  };
  if (!push(condition)) return OfComparison(nullptr, condition);
  while (!work.empty()) {
    if (seen.size() > kMostParts) return {.parts_lanes = true};
    const AtomId id = work.back();
    const FormulaAtom& atom = atoms[id];
    work.pop_back();
    if (Combines(atoms, atom)) {
      for (const Formula& argument : atom.arguments) push(argument);
    } else {
      all.Add(OfComparison(atom.kind == FormulaKind::kCompare ? &atom : nullptr, Formula::Of(id)));
    }
  }
  return all;
}

// Of `value`, which is not 0 where the lane goes on; null: it is no comparison.
RoundConditions::Deciding RoundConditions::OfComparison(const FormulaAtom* comparison,
                                                        const Formula& value) const {
  Formula difference = value;
  if (comparison != nullptr) {
    difference = comparison->arguments[0];
    difference.Add(comparison->arguments[1], ~std::uint64_t{0});
  }
  const AtomRound all = rounds_.Of(difference);
  if (!all.splits_warps) return {.follows_rounds = all.FollowsRounds()};
  if (KeepsNeighbours(difference, comparison != nullptr && IsOrdered(*comparison))) return {};
  return {.parts_lanes = all.FollowsRounds(), .follows_lanes = true};
}

// Whether lanes that go on are neighbours, or nearly all lanes are: what follows the lanes in the
// difference of what is compared is their number times something, or a digit of it that a single
// round outruns, or that is compared with what a parameter or data say.
bool RoundConditions::KeepsNeighbours(const Formula& difference, bool is_ordered) const {
  std::uint64_t spread = 0;
  std::uint64_t step = FormulaBounds::kUnbounded;
  bool is_open = false;
  bool has_rounds = false;
  bool has_digits = false;
  for (const auto& [monomial, coefficient] : difference.terms()) {
    AtomId of_lanes = kNoAtom;
    bool follows_rounds = false;
    for (std::size_t i = 0; i < monomial.degree(); ++i) {
      const AtomRound& one = rounds_[monomial.atom(i)];
      follows_rounds = follows_rounds || one.FollowsRounds();
      if (!one.splits_warps) continue;
      if (of_lanes != kNoAtom || one.FollowsRounds() || !one.is_digit) return false;
      of_lanes = monomial.atom(i);
    }
    if (of_lanes == kNoAtom) {
      const bool is_number = monomial.degree() == 0;
      const bool is_plain = monomial.degree() == 1 && follows_rounds;
      if (is_plain) step = std::min(step, Magnitude(coefficient));
      has_rounds = has_rounds || follows_rounds;
      is_open = is_open || (!is_number && !follows_rounds);
      continue;
    }
    if (follows_rounds) return false;
    if (formulas_.atoms()[of_lanes].kind == FormulaKind::kSpecial) continue;
    has_digits = true;
    const std::uint64_t most = formulas_.atoms().BoundsOf(of_lanes).most;
    if (most > kSmallDigit) continue;
    if (monomial.degree() > 1 && has_rounds) return false;
    spread += most * Magnitude(coefficient);
  }
  // A loop counts up to what is not equal any more.
  if (!is_ordered && has_digits && step == FormulaBounds::kUnbounded) return false;
  return has_rounds ? spread <= step : spread == 0 || is_open;
}

}  // namespace coalcheck::address
