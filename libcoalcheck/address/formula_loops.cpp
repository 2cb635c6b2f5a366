// SPDX-License-Identifier: Apache-2.0
//
// Substitution over the graph of atoms, each atom once, without recursion.
#include "libcoalcheck/address/formula_loops.h"

#include <absl/container/flat_hash_set.h>

#include <algorithm>
#include <utility>

#include "libcoalcheck/address/formula_algebra.h"

namespace coalcheck::address {
namespace {

bool Has(const Formula& formula, AtomId atom) {
  return std::ranges::any_of(formula.terms(),
                             [&](const Formula::Term& term) { return term.first.Has(atom); });
}

}  // namespace

FormulaLoops::FormulaLoops(const ptx::ControlFlow& flow, FormulaAtoms& atoms,
                           std::vector<LoopPhi> phis)
    : flow_(flow), atoms_(atoms), algebra_(atoms), phis_(std::move(phis)) {}

void FormulaLoops::Resolve() {
  std::ranges::stable_sort(phis_, {}, &LoopPhi::header);
  std::vector<bool> is_header(flow_.blocks().size());
  for (std::size_t loop = flow_.loops().size(); loop-- > 0;) {
    const std::uint32_t header = flow_.loops()[loop].header;
    is_header[header] = true;
    ResolveAt(header, static_cast<std::uint32_t>(loop));
  }
  // Where values meet that were too far away to be looked at in time.
  for (const LoopPhi& phi : phis_) {
    if (is_header[phi.header]) continue;
    const Formula named = Named(phi);
    resolved_.resize(atoms_.size());
    resolved_[phi.atom] = named;
  }
  Forget();
  for (LoopPhi& value : values_) {
    value.start = Replaced(value.start);
    value.next = Replaced(value.next);
  }
}

void FormulaLoops::ResolveAt(std::uint32_t header, std::uint32_t loop) {
  std::vector<LoopPhi> open;
  Forget();
  // Not equal_range of std::ranges: clang 14 cannot compile what it returns.
  auto at = std::ranges::lower_bound(phis_, header, {}, &LoopPhi::header);
  for (; at != phis_.end() && at->header == header; ++at) {
    open.push_back({at->atom, at->reg, header, Replaced(at->start), Replaced(at->next)});
  }
  std::vector<std::pair<AtomId, Formula>> found;
  const auto settle = [&](const auto& how) {
    std::erase_if(open, [&](const LoopPhi& phi) {
      std::optional<Formula> formula = how(phi);
      if (!formula) return false;
      found.emplace_back(phi.atom, *std::move(formula));
      return true;
    });
    resolved_.resize(atoms_.size());
    for (const auto& [atom, formula] : found) resolved_[atom] = formula;
    Forget();
  };
  settle([&](const LoopPhi& phi) { return AddRecurrence(phi, loop); });
  settle([&](const LoopPhi& phi) { return OneRoundBehind(phi, loop); });
  settle([&](const LoopPhi& phi) { return std::optional(Named(phi)); });
}

// Steps that have to be found first may be in terms of other registers of the loop.
std::optional<Formula> FormulaLoops::AddRecurrence(const LoopPhi& phi, std::uint32_t loop) {
  const Formula step = algebra_.Difference(phi.next, Formula::Of(phi.atom));
  if (Has(step, phi.atom) || !IsInvariant(step, loop)) return std::nullopt;
  const Formula round = algebra_.Atom({FormulaKind::kRound, loop, 0, {}}, {false});
  return algebra_.Sum(phi.start, algebra_.Product(step, round));
}

// A register that is given what another one was in the round before, where that goes on from what
// it started with: a loop that was peeled or turned.
std::optional<Formula> FormulaLoops::OneRoundBehind(const LoopPhi& phi, std::uint32_t loop) {
  const Formula next = Replaced(phi.next);
  const AtomId round = atoms_.Number({FormulaKind::kRound, loop, 0, {}}, {false});
  Formula without = next;  // what depends on the round
  Formula before;          // the same, one round earlier
  for (const auto& [monomial, coefficient] : next.terms()) {
    if (!monomial.Has(round)) continue;
    if (monomial.Without(round).Has(round)) return std::nullopt;
    without.Add(monomial, 0 - coefficient);
    before.Add(monomial.Without(round), 0 - coefficient);
  }
  if (!IsInvariant(without, loop)) return std::nullopt;
  const Formula first = algebra_.Sum(without, before);
  const Formula start = Replaced(phi.start);
  if (first != start) return std::nullopt;
  return algebra_.Sum(next, before);
}

Formula FormulaLoops::Named(const LoopPhi& phi) {
  const Formula step = algebra_.Difference(phi.next, Formula::Of(phi.atom));
  const bool adds = !Has(step, phi.atom);
  FormulaAtom atom{adds ? FormulaKind::kLoopSum : FormulaKind::kLoopValue, phi.reg, phi.header, {}};
  // Its start is a part of it, without which the symbol of the register would be meant.
  if (!adds) atom.arguments.push_back(phi.start);
  const AtomId id = atoms_.Number(std::move(atom), {});
  LoopPhi value = phi;
  value.atom = id;
  if (adds) value.next = step;
  values_.push_back(std::move(value));
  return adds ? algebra_.Sum(phi.start, Formula::Of(id)) : Formula::Of(id);
}

// Whether it is the same in all rounds of a loop.
bool FormulaLoops::IsInvariant(const Formula& formula, std::uint32_t loop) {
  std::vector<AtomId> work;
  absl::flat_hash_set<AtomId> seen;
  const auto add = [&](const Formula& part) {
    Spend(part.terms().size());
    for (const auto& [monomial, coefficient] : part.terms()) {
      for (std::size_t i = 0; i < monomial.degree(); ++i) {
        if (seen.insert(monomial.atom(i)).second) work.push_back(monomial.atom(i));
      }
    }
  };
  add(formula);
  while (!work.empty()) {
    const FormulaAtom& atom = atoms_[work.back()];
    work.pop_back();
    if (work_left_ == 0 || VariesItself(atom, loop)) return false;
    Spend(1);
    for (const Formula& argument : atom.arguments) add(argument);
  }
  return true;
}

bool FormulaLoops::VariesItself(const FormulaAtom& atom, std::uint32_t loop) const {
  switch (atom.kind) {
    case FormulaKind::kRound:
    case FormulaKind::kAllRounds:
      return flow_.IsIn(flow_.loops()[atom.a].header, loop);
    case FormulaKind::kLoopValue:
    case FormulaKind::kLoopSum:
      return flow_.IsIn(atom.b, loop);
    case FormulaKind::kLoaded:
    case FormulaKind::kReturned:
    case FormulaKind::kUnknown:
    case FormulaKind::kExchanged:
      return flow_.IsIn(flow_.BlockOf(atom.a), loop);
    default:
      return false;
  }
}

FormulaLoops::Entry& FormulaLoops::EntryOf(AtomId atom) {
  if (atom >= entries_.size()) entries_.resize(atoms_.size());
  Entry& entry = entries_[atom];
  if (entry.epoch != epoch_) entry = {Entry::State::kNew, epoch_, std::nullopt};
  return entry;
}

// Null when it stays as it is.
const Formula* FormulaLoops::MappedTo(AtomId atom) const {
  if (atom >= entries_.size() || entries_[atom].epoch != epoch_) return nullptr;
  return entries_[atom].mapped ? &*entries_[atom].mapped : nullptr;
}

Formula FormulaLoops::Replaced(const Formula& formula) {
  resolved_.resize(atoms_.size());
  for (const auto& [monomial, coefficient] : formula.terms()) {
    for (std::size_t i = 0; i < monomial.degree(); ++i) Map(monomial.atom(i));
  }
  return Mapped(formula);
}

// Finds what an atom becomes, behind all those that it is made of.
void FormulaLoops::Map(AtomId atom) {
  std::vector<AtomId> stack{atom};
  while (!stack.empty()) {
    const AtomId top = stack.back();
    const Entry::State state = EntryOf(top).state;
    if (state == Entry::State::kNew && PushNeeded(top, stack)) continue;
    stack.pop_back();
    if (state == Entry::State::kDone) continue;
    EntryOf(top).state = Entry::State::kDone;
    if (top < resolved_.size() && resolved_[top]) {
      Formula mapped = Mapped(*resolved_[top]);
      EntryOf(top).mapped = std::move(mapped);
      continue;
    }
    FormulaAtom remade = atoms_[top];
    for (Formula& argument : remade.arguments) argument = Mapped(argument);
    if (remade == atoms_[top]) continue;
    Formula mapped = algebra_.Remade(remade, atoms_.BoundsOf(top));
    EntryOf(top).mapped = std::move(mapped);
  }
}

// Marks an atom as open and puts what it is made of above it; false when there is nothing to wait
// for. What is open already waits for itself and stays as it is.
bool FormulaLoops::PushNeeded(AtomId atom, std::vector<AtomId>& stack) {
  EntryOf(atom).state = Entry::State::kOpen;
  if (work_left_ == 0) return false;
  Spend(1);
  const std::size_t before = stack.size();
  const auto push = [&](const Formula& formula) {
    Spend(formula.terms().size());
    for (const auto& [monomial, coefficient] : formula.terms()) {
      for (std::size_t i = 0; i < monomial.degree(); ++i) {
        const AtomId id = monomial.atom(i);
        if (EntryOf(id).state == Entry::State::kNew) stack.push_back(id);
      }
    }
  };
  if (atom < resolved_.size() && resolved_[atom]) {
    push(*resolved_[atom]);
  } else {
    for (const Formula& argument : atoms_[atom].arguments) push(argument);
  }
  return stack.size() > before;
}

Formula FormulaLoops::Mapped(const Formula& formula) {
  Formula kept;
  Formula result;
  bool changes = false;
  Spend(formula.terms().size());
  for (const auto& [monomial, coefficient] : formula.terms()) {
    Formula product(coefficient);
    bool changes_here = false;
    for (std::size_t i = 0; i < monomial.degree(); ++i) {
      const Formula* mapped = MappedTo(monomial.atom(i));
      changes_here = changes_here || mapped != nullptr;
      product =
          algebra_.Product(product, mapped != nullptr ? *mapped : Formula::Of(monomial.atom(i)));
    }
    changes = changes || changes_here;
    if (changes_here) {
      result = algebra_.Sum(result, product);
    } else {
      kept.Add(monomial, coefficient);
    }
  }
  return changes ? algebra_.Sum(kept, result) : formula;
}

void FormulaLoops::Spend(std::size_t work) {
  work_left_ -= std::min(work, work_left_);
  atoms_.Spend(work);
}

void FormulaLoops::Forget() {
  ++epoch_;
  resolved_.resize(atoms_.size());
}

}  // namespace coalcheck::address
