// SPDX-License-Identifier: Apache-2.0
//
// Replaces registers that loops change: by add recurrences, start + step·round, where a loop adds
// the same in each round; by start + a sum where it adds something else; by a named value where it
// does neither.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "libcoalcheck/address/build_formula.h"
#include "libcoalcheck/address/formula.h"
#include "libcoalcheck/address/formula_algebra.h"
#include "libcoalcheck/ptx/control_flow.h"

namespace coalcheck::address {

class FormulaLoops {
 public:
  FormulaLoops(const ptx::ControlFlow& flow, FormulaAtoms& atoms, std::vector<LoopPhi> phis);

  // Finds out about all of them, inner loops first.
  void Resolve();
  // The formula without symbols for such registers.
  Formula Replaced(const Formula& formula);
  // What is a kLoopValue or kLoopSum in the end. Its start and next have no symbols; next is what
  // is added in a round where it is a sum.
  const std::vector<LoopPhi>& values() const { return values_; }

 private:
  void ResolveAt(std::uint32_t header, std::uint32_t loop);
  std::optional<Formula> AddRecurrence(const LoopPhi& phi, std::uint32_t loop);
  std::optional<Formula> OneRoundBehind(const LoopPhi& phi, std::uint32_t loop);
  Formula Named(const LoopPhi& phi);
  bool IsInvariant(const Formula& formula, std::uint32_t loop);
  bool VariesItself(const FormulaAtom& atom, std::uint32_t loop) const;
  void Map(AtomId atom);
  bool PushNeeded(AtomId atom, std::vector<AtomId>& stack);
  Formula Mapped(const Formula& formula);
  void Forget();

  // What is known of an atom since Forget was called last.
  struct Entry {
    enum class State : std::uint8_t { kNew, kOpen, kDone };
    State state = State::kNew;
    std::uint32_t epoch = 0;
    std::optional<Formula> mapped;  // empty when it stays as it is
  };
  Entry& EntryOf(AtomId atom);
  const Formula* MappedTo(AtomId atom) const;
  void Spend(std::size_t work);  // atoms and terms that are looked at

  const ptx::ControlFlow& flow_;
  FormulaAtoms& atoms_;
  FormulaAlgebra algebra_;
  std::vector<LoopPhi> phis_;
  std::vector<LoopPhi> values_;
  std::vector<std::optional<Formula>> resolved_;  // by atom: what a symbol stands for
  std::vector<Entry> entries_;                    // by atom
  std::uint32_t epoch_ = 1;
  std::size_t work_left_ = std::size_t{1} << 22U;
};

}  // namespace coalcheck::address
