// SPDX-License-Identifier: Apache-2.0
//
// Which atoms of a function's formulas differ between lanes, blocks and rounds of loops.
#pragma once

#include <cstdint>
#include <vector>

#include "libcoalcheck/address/formula.h"
#include "libcoalcheck/address/function_formulas.h"

namespace coalcheck::address {

struct AtomRound {
  static constexpr std::uint32_t kManyLoops = ptx::kNone - 1;

  bool follows_lanes = false;
  bool splits_warps = false;  // differs between lanes of one warp, not at a single edge alone
  bool follows_blocks = false;
  // By other than integer arithmetic, as `__clz(tid)`: neighbours differ by it here, and not there.
  bool bends_lanes = false;
  std::uint32_t loop = ptx::kNone;  // whose rounds it follows, or kManyLoops
  // The rounds alone make it up, and each adds something else.
  bool is_uneven = false;
  bool holds_uneven = false;  // a part of it is so
  // A digit of the thread's number, as `tid / 32` or `tid % width`.
  bool is_digit = false;
  bool is_data = false;  // loaded, another symbol in each round

  bool FollowsRounds() const { return loop != ptx::kNone; }
  // True: that brought something new.
  bool Add(const AtomRound& other);
};

class AtomRounds {
 public:
  // `formulas` has to outlive it.
  explicit AtomRounds(const FunctionFormulas& formulas);

  const AtomRound& operator[](AtomId id) const { return atoms_[id]; }
  // What all atoms of a formula follow together.
  AtomRound Of(const Formula& formula) const;
  // Whether an instruction stands in a loop, or may come after one.
  bool IsBehindLoop(std::uint32_t instruction) const {
    return is_behind_loop_[formulas_.flow().BlockOf(instruction)];
  }

 private:
  AtomRound Source(const FormulaAtom& atom) const;
  AtomRound Open(std::uint32_t instruction) const;
  bool Update(AtomId id);
  bool SpreadUneven(AtomId id);
  bool IsOfWarps(const FormulaAtom& atom) const;
  bool IsOpenGuard(const FormulaAtom& comparison) const;
  bool HasWidthOfBlock(const Monomial& monomial) const;
  bool IsOfRows(AtomId id) const;
  bool IsData(const FormulaAtom& atom) const;
  bool HoldsUneven(const Formula& formula) const;
  bool IsDigit(const FormulaAtom& atom) const;
  bool IsPrivate(std::uint32_t load) const;
  void FindBlocksBehindLoops();

  const FunctionFormulas& formulas_;
  std::vector<AtomRound> atoms_;
  std::vector<bool> is_behind_loop_;  // by block: in a loop, or it may come after one
  bool has_private_memory_ = false;
};

}  // namespace coalcheck::address
