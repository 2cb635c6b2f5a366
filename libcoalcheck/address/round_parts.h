// SPDX-License-Identifier: Apache-2.0
//
// What the first rounds of a loop do not tell of an access in later ones.
#pragma once

#include <cstdint>

#include "libcoalcheck/address/atom_rounds.h"
#include "libcoalcheck/address/function_formulas.h"
#include "libcoalcheck/address/round_conditions.h"

namespace coalcheck::address {

enum class RoundPart : std::uint8_t {
  kSteady,  // each round adds the same to its address, if anything
  kStart,   // where the lanes begin in a sector may change, as in `a[i + k / 4]`
  kLanes,   // how far apart lanes are may change, as in `a[i * (k / 4 + 1)]`, or which take part
};

// Of all accesses of a function. Values that follow blocks and rounds alike, and no lanes, change
// with the blocks, too, and count as steady.
class RoundParts {
 public:
  // `formulas` has to outlive it.
  explicit RoundParts(const FunctionFormulas& formulas);

  RoundPart Of(std::uint32_t access) const;
  // Whether it stands in a loop, or may come after one.
  bool IsBehindLoop(std::uint32_t access) const { return rounds_.IsBehindLoop(access); }
  // Whether it is executed in some rounds of a loop and not in others.
  bool IsOfSomeRounds(std::uint32_t access) const { return conditions_.FollowRounds(access); }
  // Whether other threads of a launch may lie in other ways, whatever those that are tried do.
  bool BendsLanes(std::uint32_t access) const;

 private:
  RoundPart OfAddress(const Formula& address) const;

  const FunctionFormulas& formulas_;
  const AtomRounds rounds_;
  const RoundConditions conditions_;
};

}  // namespace coalcheck::address
