// SPDX-License-Identifier: Apache-2.0
//
// The addresses of a PTX function's accesses of global memory as formulas.
#pragma once

#include <absl/container/flat_hash_map.h>

#include <cstdint>
#include <optional>
#include <vector>

#include "libcoalcheck/address/build_formula.h"
#include "libcoalcheck/address/formula.h"
#include "libcoalcheck/ptx/control_flow.h"
#include "libcoalcheck/ptx/module.h"

namespace coalcheck::address {

class FunctionFormulas {
 public:
  // Both have to outlive it. Takes what the reader makes of any text, in bounded time.
  FunctionFormulas(const ptx::Function& function, const ptx::ControlFlow& flow);

  // In bytes. Null for an instruction that is no access of global memory, is never reached, or
  // stands in a function that is too large.
  const Formula* Of(std::uint32_t instruction) const;
  // Whether the formula leaves open a part of an address: an instruction that nobody knows.
  bool HasUnknownPart(const Formula& formula) const;

  // The value that an atom takes in each round, where it is no multiple of the rounds. Null for
  // other atoms.
  const LoopPhi* LoopValue(AtomId atom) const;
  // The condition of the branch at the end of a block. Null: it has none that matters, or jumps
  // through a table.
  const Formula* ConditionOf(std::uint32_t block) const;
  // What decides in an access itself which lanes take part.
  const std::vector<Formula>& GuardsOf(std::uint32_t access) const;
  // The conditions under which a loop is left.
  const std::vector<Formula>& ExitsOf(std::uint32_t loop) const { return exits_[loop]; }

  // Terms that were looked at to build them, as a measure of the time that took.
  std::uint64_t work() const { return work_; }

  const ptx::Function& function() const { return function_; }
  const ptx::ControlFlow& flow() const { return flow_; }
  const FormulaAtoms& atoms() const { return atoms_; }

 private:
  void AddExits(std::uint32_t block, const Formula& condition);
  bool IsUnknown(const FormulaAtom& atom) const;

  const ptx::Function& function_;
  const ptx::ControlFlow& flow_;
  FormulaAtoms atoms_;
  std::uint64_t work_ = 0;
  absl::flat_hash_map<std::uint32_t, Formula> addresses_;            // by instruction
  absl::flat_hash_map<std::uint32_t, std::vector<Formula>> guards_;  // by instruction
  absl::flat_hash_map<std::uint32_t, Formula> conditions_;           // by block
  absl::flat_hash_map<AtomId, LoopPhi> loop_values_;
  std::vector<std::vector<Formula>> exits_;  // by loop
  std::size_t exit_terms_left_ = std::size_t{1} << 20U;
  std::vector<bool> is_unknown_;  // by atom: it or a part of it is
};

// By how many bytes `b` lies behind `a`, when that is always the same: fields of a structure,
// elements of a vector. Both of one function.
std::optional<std::int64_t> ConstantDistance(const Formula& a, const Formula& b);

// How far a round of a loop takes an address, in bytes: a number, or what the run decides. Empty
// when it is not the same for all rounds.
std::optional<Formula> StepOfLoop(const FunctionFormulas& formulas, const Formula& address,
                                  std::uint32_t loop);

}  // namespace coalcheck::address
