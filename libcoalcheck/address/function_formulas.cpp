// SPDX-License-Identifier: Apache-2.0
//
// Builds, resolves loops, and answers what can be read off a formula at once.
#include "libcoalcheck/address/function_formulas.h"

#include <algorithm>
#include <utility>

#include "libcoalcheck/address/formula_loops.h"

namespace coalcheck::address {

FunctionFormulas::FunctionFormulas(const ptx::Function& function, const ptx::ControlFlow& flow)
    : function_(function), flow_(flow), exits_(flow.loops().size()) {
  FormulaBuilder builder(function, flow, atoms_);
  builder.Build();
  FormulaLoops loops(flow, atoms_, std::move(builder.phis()));
  loops.Resolve();
  for (const auto& [instruction, address] : builder.addresses()) {
    addresses_.emplace(instruction, loops.Replaced(address));
  }
  for (const auto& [instruction, guards] : builder.guards()) {
    for (const Formula& guard : guards) guards_[instruction].push_back(loops.Replaced(guard));
  }
  for (const auto& [block, condition] : builder.conditions()) {
    const Formula& replaced = conditions_[block] = loops.Replaced(condition);
    if (flow.blocks()[block].loop != ptx::kNone) AddExits(block, replaced);
  }
  for (const LoopPhi& value : loops.values()) loop_values_.emplace(value.atom, value);
  is_unknown_.resize(atoms_.size());
  for (AtomId id = 0; id < atoms_.size(); ++id) {
    is_unknown_[id] = IsUnknown(atoms_[id]);
  }
  work_ = builder.work() + atoms_.work();
}

// A branch may leave many loops at once.
void FunctionFormulas::AddExits(std::uint32_t block, const Formula& condition) {
  for (std::uint32_t loop = flow_.blocks()[block].loop; loop != ptx::kNone;
       loop = flow_.loops()[loop].parent) {
    const bool leaves = std::ranges::any_of(
        flow_.blocks()[block].next, [&](std::uint32_t to) { return !flow_.IsIn(to, loop); });
    if (!leaves) return;
    const std::size_t terms = 1 + condition.terms().size();
    if (exit_terms_left_ >= terms) {
      exits_[loop].push_back(condition);
      exit_terms_left_ -= terms;
    } else {
      const std::uint32_t header = flow_.blocks()[flow_.loops()[loop].header].first;
      exits_[loop] = {Formula::Of(atoms_.Number({FormulaKind::kUnknown, header, 0, {}}, {}))};
    }
  }
}

// A loaded value counts as known: its line names it. So does one of several known values, whatever
// decides between them.
bool FunctionFormulas::IsUnknown(const FormulaAtom& atom) const {
  if (atom.kind == FormulaKind::kUnknown) return true;
  if (atom.kind == FormulaKind::kLoaded) return false;
  const std::size_t named = atom.kind == FormulaKind::kMerge ? atom.b : atom.arguments.size();
  return std::any_of(atom.arguments.begin(),
                     atom.arguments.begin() + static_cast<std::ptrdiff_t>(named),
                     [&](const Formula& argument) { return HasUnknownPart(argument); });
}

const Formula* FunctionFormulas::Of(std::uint32_t instruction) const {
  const auto found = addresses_.find(instruction);
  return found == addresses_.end() ? nullptr : &found->second;
}

bool FunctionFormulas::HasUnknownPart(const Formula& formula) const {
  return formula.HasAtom([&](AtomId id) { return bool{is_unknown_[id]}; });
}

const Formula* FunctionFormulas::ConditionOf(std::uint32_t block) const {
  const auto found = conditions_.find(block);
  return found == conditions_.end() ? nullptr : &found->second;
}

const std::vector<Formula>& FunctionFormulas::GuardsOf(std::uint32_t access) const {
  static const std::vector<Formula> kNoGuards;
  const auto found = guards_.find(access);
  return found == guards_.end() ? kNoGuards : found->second;
}

const LoopPhi* FunctionFormulas::LoopValue(AtomId atom) const {
  const auto found = loop_values_.find(atom);
  return found == loop_values_.end() ? nullptr : &found->second;
}

std::optional<std::int64_t> ConstantDistance(const Formula& a, const Formula& b) {
  Formula distance = b;
  distance.Add(a, ~std::uint64_t{0});
  const auto bytes = distance.constant();
  return bytes ? std::optional(static_cast<std::int64_t>(*bytes)) : std::nullopt;
}

std::optional<Formula> StepOfLoop(const FunctionFormulas& formulas, const Formula& address,
                                  std::uint32_t loop) {
  Formula step;
  for (const auto& [monomial, coefficient] : address.terms()) {
    for (const AtomId id : monomial.atoms()) {
      const FormulaAtom& atom = formulas.atoms()[id];
      if (atom.kind != FormulaKind::kRound || atom.a != loop) continue;
      step.Add(monomial.Without(id), coefficient);
    }
  }
  return step;
}

}  // namespace coalcheck::address
