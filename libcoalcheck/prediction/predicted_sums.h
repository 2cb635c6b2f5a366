// SPDX-License-Identifier: Apache-2.0
//
// What an access asks for over several launches: those that were given add up, as in the report of
// their run; each that is only possible stands for itself.
#pragma once

#include <cstdint>
#include <optional>
#include <set>

#include "libcoalcheck/address/launch_evaluation.h"
#include "libcoalcheck/address/round_parts.h"

namespace coalcheck::prediction {

// 0 to 1; 0 where there are no sectors.
double WastedShare(const address::Sums& sums);

// Of several launches, whatever their order: what the one asks for that wastes least, and the one
// that wastes most.
class Extremes {
 public:
  void Include(const address::Sums& least, const address::Sums& most);
  void Include(const Extremes& other);

  bool is_empty() const { return is_empty_; }
  const address::Sums& least() const { return least_; }
  const address::Sums& most() const { return most_; }

 private:
  bool is_empty_ = true;
  address::Sums least_, most_;
};

// Of one instruction of the PTX, over all its copies.
struct PredictedSums {
  address::Sums given_least;  // over the launches that were given
  address::Sums given_most;
  Extremes possible;
  double lanes_open = 0;               // requests in which lanes differ by what is not known
  std::set<std::uint32_t> parameters;  // offsets of those in addresses that are not known
  bool by_stores = false;              // AccessRange::by_stores
  bool by_rounds = false;              // as first rounds of a loop, for all of them
  // Where only some of these execute it: its block in the code, with calls inlined.
  std::optional<std::uint32_t> round_block;
  bool is_cut = false;                // examples were given up before their end
  bool has_variables = false;         // addresses begin at variables of the module
  std::set<std::uint32_t> ptx_lines;  // of instructions that load what is in addresses

  // Widens all of them by what rounds of loops may ask for that were not run.
  void AllowFor(address::RoundPart rounds);
  // Widens what is possible by what threads may ask for that were not tried.
  void AllowForOtherThreads();
  // The given launches together, and each possible one.
  Extremes All() const;
};

}  // namespace coalcheck::prediction
