// SPDX-License-Identifier: Apache-2.0
//
// Reads the formulas of a function's addresses off its instructions, block after block. Registers
// that loops change stay symbols; formula_loops.h says what becomes of them.
#pragma once

#include <absl/container/flat_hash_map.h>
#include <absl/container/flat_hash_set.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

#include "libcoalcheck/address/formula.h"
#include "libcoalcheck/address/formula_algebra.h"
#include "libcoalcheck/address/formula_definitions.h"
#include "libcoalcheck/ptx/control_flow.h"
#include "libcoalcheck/ptx/module.h"

namespace coalcheck::address {

// A register that has one value when its loop is entered and another one in each further round.
struct LoopPhi {
  AtomId atom = kNoAtom;
  std::uint32_t reg = 0;
  std::uint32_t header = 0;  // block
  Formula start;
  Formula next;  // in terms of the values of this round
};

class FormulaBuilder {
 public:
  // The terms of all formulas that are kept, of all registers in all blocks; any further value is
  // unknown. Without the limit a text could ask for blocks times registers.
  static constexpr std::size_t kMostTerms = std::size_t{1} << 21U;
  static constexpr std::uint64_t kMostWork = std::uint64_t{1} << 24U;  // on terms; half a second

  FormulaBuilder(const ptx::Function& function, const ptx::ControlFlow& flow, FormulaAtoms& atoms);

  void Build();
  // The address that each access of global memory names in its brackets, by instruction.
  const absl::flat_hash_map<std::uint32_t, Formula>& addresses() const { return addresses_; }
  // By access: its guard, and how many bytes a copy reads.
  const absl::flat_hash_map<std::uint32_t, std::vector<Formula>>& guards() const { return guards_; }
  std::vector<LoopPhi>& phis() { return phis_; }
  // How many terms were kept or looked through, as a measure of the time.
  std::size_t work() const { return kMostTerms - left_ + definitions_.work(); }
  // The condition of the branch at the end of each block.
  const absl::flat_hash_map<std::uint32_t, Formula>& conditions() const { return conditions_; }

 private:
  // Build and definitions: build_formula.cpp.
  void BuildBlock(std::uint32_t block);
  void AddAccess(const ptx::Operand& address);
  void Define(std::uint32_t instruction);
  void Set(std::uint32_t reg, std::uint32_t block, Formula value);
  std::optional<Formula> At(std::uint32_t reg, std::uint32_t block);
  std::optional<Formula> Met(std::uint32_t reg, std::uint32_t block);
  Formula Chosen(std::uint32_t block, const std::vector<std::pair<std::uint32_t, Formula>>& values);
  std::optional<bool> SideOf(std::uint32_t branch, std::uint32_t from, std::uint32_t to) const;
  std::vector<Formula> ConditionsOf(std::uint32_t block);
  void CloseLoops();
  Formula Unknown(std::uint32_t instruction);
  void Spend(std::size_t terms) { left_ -= std::min(terms, left_); }

  // One instruction's result: build_formula_instruction.cpp.
  Formula Operand(const ptx::Operand& operand, ptx::Type type);
  Formula Argument(std::size_t index);
  Formula Result(std::size_t index);
  Formula Integer();
  bool MayOverflow() const;
  Formula Bitwise();
  Formula Shifted();
  Formula FieldOf();
  Formula Moved(std::size_t index);
  Formula Converted();
  Formula Compared();
  Formula Loaded(std::size_t index);
  std::uint32_t PlaceOf(const ptx::Operand& vector, std::uint32_t index) const;
  Formula Opaque(FormulaKind kind, std::size_t index, FormulaBounds bounds = {});
  Formula Narrowed(const Formula& x, std::uint32_t bits);

  const ptx::Function& function_;
  const ptx::ControlFlow& flow_;
  FormulaAtoms& atoms_;
  FormulaAlgebra algebra_;
  std::vector<bool> relevant_;
  FormulaDefinitions definitions_;
  std::vector<std::optional<Formula>> single_;                       // by register
  absl::flat_hash_map<std::uint64_t, Formula> in_block_;             // so far, then at its end
  std::vector<bool> built_;                                          // by block
  absl::flat_hash_map<std::uint32_t, Formula> addresses_;            // by instruction
  absl::flat_hash_map<std::uint32_t, std::vector<Formula>> guards_;  // the same
  absl::flat_hash_map<std::uint32_t, Formula> conditions_;           // by block
  std::vector<LoopPhi> phis_;
  absl::flat_hash_set<std::uint64_t> asked_for_;  // values where definitions meet, one for another
  std::size_t left_ = kMostTerms;                 // that may still be kept
  std::uint32_t block_ = 0;                       // that is being built
  std::uint32_t instruction_ = 0;                 // the same
  const ptx::Instruction* one_ = nullptr;         // the same
};

}  // namespace coalcheck::address
