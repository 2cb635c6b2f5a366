// SPDX-License-Identifier: Apache-2.0
//
// Whether lanes may leave, or skip an access, in other ways in later rounds of a loop than in the
// first ones.
#pragma once

#include <cstdint>
#include <vector>

#include "libcoalcheck/address/atom_rounds.h"
#include "libcoalcheck/address/function_formulas.h"

namespace coalcheck::address {

class RoundConditions {
 public:
  // Both have to outlive it.
  RoundConditions(const FunctionFormulas& formulas, const AtomRounds& rounds);

  // True where one condition follows rounds and lanes in a way of its own, as `j < n / (i % 8)`, or
  // one does rounds and one lanes, as in `if (j > 1000 && i % 8) break;`. Not by bounds of a loop
  // that all lanes reach alike, and not where neighbours leave one after the other, as behind
  // `i + 256 * j < n`.
  bool MayPartLanes(std::uint32_t access) const;
  // Whether it is executed in some rounds of a loop and not in others, as behind `if (j < 3)`.
  bool FollowRounds(std::uint32_t access) const;

 private:
  // Of conditions that decide together.
  struct Deciding {
    bool parts_lanes = false;
    bool follows_rounds = false;
    bool follows_lanes = false;

    bool Add(const Deciding& other);
  };
  Deciding OfAccess(std::uint32_t access) const;
  Deciding OfEnd(std::uint32_t block) const;
  Deciding OfCondition(const Formula& condition) const;
  Deciding OfComparison(const FormulaAtom* comparison, const Formula& value) const;
  bool KeepsNeighbours(const Formula& difference, bool is_ordered) const;
  bool IsBound(std::uint32_t block, const AtomRound& condition) const;
  void Spread();

  const FunctionFormulas& formulas_;
  const AtomRounds& rounds_;
  std::vector<Deciding> blocks_;  // what decides whether they are executed
  bool is_known_ = true;
};

}  // namespace coalcheck::address
