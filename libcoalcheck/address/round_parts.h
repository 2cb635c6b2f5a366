// SPDX-License-Identifier: Apache-2.0
//
// What the first rounds of a loop do not tell of an address in later ones.
#pragma once

#include <cstdint>
#include <vector>

#include "libcoalcheck/address/function_formulas.h"

namespace coalcheck::address {

enum class RoundPart : std::uint8_t {
  kSteady,  // each round adds the same to it, if anything
  kStart,   // where the lanes begin in a sector may change, as in `a[i + k / 4]`
  kLanes,   // how far apart lanes are may change, as in `a[i * (k / 4 + 1)]`
};

// Of all addresses of a function. Values that follow threads or blocks and rounds alike, as the
// quotient of an index of a loop over the grid, change with the blocks, too, and count as steady.
class RoundParts {
 public:
  // `formulas` has to outlive it.
  explicit RoundParts(const FunctionFormulas& formulas);

  RoundPart Of(const Formula& address) const;

 private:
  struct Part {
    bool follows_lanes = false;
    bool follows_blocks = false;
    bool follows_rounds = false;
    bool is_uneven = false;  // the rounds alone make it up, and each adds something else
    bool holds_uneven = false;
  };
  Part OfAtom(const FormulaAtom& atom) const;
  Part OfLoopValue(AtomId id) const;
  void Join(const Formula& formula, Part& part) const;

  const FunctionFormulas& formulas_;
  std::vector<Part> parts_;  // by atom
};

}  // namespace coalcheck::address
