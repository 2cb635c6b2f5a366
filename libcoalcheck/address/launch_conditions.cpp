// SPDX-License-Identifier: Apache-2.0
//
// Puts numbers for the atoms of conditions, and hands on from each branch to the blocks that it
// decides on what comes of it.
#include "libcoalcheck/address/launch_conditions.h"

#include <algorithm>

#include "libcoalcheck/address/formula_algebra.h"
#include "libcoalcheck/address/launch_numbers.h"
#include "libcoalcheck/ptx/deciders.h"

namespace coalcheck::address {
namespace {

bool IsArithmetic(FormulaKind kind) {
  switch (kind) {
    case FormulaKind::kLongSum:
    case FormulaKind::kProduct:
    case FormulaKind::kQuotient:
    case FormulaKind::kRemainder:
    case FormulaKind::kSignBits:
    case FormulaKind::kPowerOfTwo:
    case FormulaKind::kAnd:
    case FormulaKind::kOr:
    case FormulaKind::kXor:
    case FormulaKind::kMin:
    case FormulaKind::kMax:
    case FormulaKind::kAbs:
    case FormulaKind::kCompare:
    case FormulaKind::kSelect:
      return true;
    default:
      return false;
  }
}

}  // namespace

LaunchConditions::LaunchConditions(const FunctionFormulas& formulas, const LaunchValues& launch)
    : formulas_(formulas),
      numbers_(formulas.atoms().size()),
      is_of_launch_(formulas.atoms().size()),
      is_never_(formulas.flow().blocks().size()),
      is_alone_(formulas.flow().blocks().size()) {
  FindNumbers(launch);
  FindBlocks();
}

void LaunchConditions::FindNumbers(const LaunchValues& launch) {
  FormulaAtoms none;
  FormulaAlgebra algebra(none);
  for (AtomId id = 0; id < numbers_.size(); ++id) {
    FormulaAtom atom = formulas_.atoms()[id];
    if (IsArithmetic(atom.kind)) {
      is_of_launch_[id] = std::ranges::all_of(
          atom.arguments, [&](const Formula& argument) { return IsOfLaunch(argument); });
      bool is_known = true;
      for (Formula& argument : atom.arguments) {
        const auto number = NumberOf(argument);
        is_known = is_known && number;
        argument = Formula(static_cast<std::uint64_t>(number.value_or(0)));
      }
      if (!is_known) continue;
      const auto number = algebra.Remade(atom, {}).constant();
      if (number) numbers_[id] = static_cast<std::int64_t>(*number);
    } else {
      numbers_[id] = address::NumberOf(formulas_, Formula::Of(id), launch);
      is_of_launch_[id] = numbers_[id] || atom.kind == FormulaKind::kRound;
    }
  }
}

void LaunchConditions::FindBlocks() {
  const ptx::ControlFlow& flow = formulas_.flow();
  const auto deciders = ptx::DecidersOf(flow, std::size_t{1} << 20U);
  if (!deciders) return;
  for (const std::uint32_t block : flow.order()) {
    bool is_never = true;
    bool is_alone = true;
    bool is_decided = false;
    for (const ptx::Decider& decider : (*deciders)[block]) {
      const Formula* condition = formulas_.ConditionOf(decider.block);
      is_alone = is_alone && condition != nullptr && IsSettled(*condition);
      // Who comes again from behind the block came to it before.
      if (flow.Dominates(block, decider.block)) continue;
      is_decided = true;
      is_alone = is_alone && is_alone_[decider.block];
      const ptx::Instruction& branch =
          formulas_.function().instructions[flow.blocks()[decider.block].end - 1];
      const auto holds = condition == nullptr ? std::nullopt : Holds(*condition);
      const bool is_other_way = holds && (*holds != branch.guard_negated) != decider.is_taken;
      is_never = is_never && (is_other_way || is_never_[decider.block]);
    }
    is_never_[block] = is_decided && is_never;
    is_alone_[block] = is_alone;
  }
}

bool LaunchConditions::RuleOut(std::uint32_t access) const {
  if (is_never_[formulas_.flow().BlockOf(access)]) return true;
  const ptx::Instruction& one = formulas_.function().instructions[access];
  const std::vector<Formula>& guards = formulas_.GuardsOf(access);
  if (one.guard == ptx::kNone || guards.empty()) return false;
  const auto holds = Holds(guards.front());
  return holds && *holds == one.guard_negated;
}

bool LaunchConditions::DecideAlone(std::uint32_t access) const {
  return is_alone_[formulas_.flow().BlockOf(access)] &&
         std::ranges::all_of(formulas_.GuardsOf(access),
                             [&](const Formula& guard) { return IsSettled(guard); });
}

// A condition that is a number rests on arithmetic that does not overflow: nobody knows.
bool LaunchConditions::IsSettled(const Formula& condition) const {
  return !condition.constant() && IsOfLaunch(condition);
}

std::optional<bool> LaunchConditions::Holds(const Formula& condition) const {
  const auto number = IsSettled(condition) ? NumberOf(condition) : std::nullopt;
  return number ? std::optional(*number != 0) : std::nullopt;
}

std::optional<std::int64_t> LaunchConditions::NumberOf(const Formula& formula) const {
  return address::NumberOf(formula, [&](AtomId id) { return numbers_[id]; });
}

bool LaunchConditions::IsOfLaunch(const Formula& formula) const {
  return !formula.HasAtom([&](AtomId id) { return !is_of_launch_[id]; });
}

}  // namespace coalcheck::address
