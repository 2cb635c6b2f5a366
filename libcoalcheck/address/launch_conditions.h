// SPDX-License-Identifier: Apache-2.0
//
// Which accesses a launch never comes to, as its sizes and arguments decide: `if (blockDim.x >
// 256)` in blocks of 128.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "libcoalcheck/address/function_formulas.h"
#include "libcoalcheck/address/launch_values.h"

namespace coalcheck::address {

class LaunchConditions {
 public:
  // `formulas` has to outlive it. Takes what the formulas take to build, at most.
  LaunchConditions(const FunctionFormulas& formulas, const LaunchValues& launch);

  // Whether what is known of the launch alone keeps all threads from it.
  bool RuleOut(std::uint32_t access) const;
  // Whether nothing but what is known of the launch, and the rounds of loops, decides whether it is
  // executed: all warps come to it, or none.
  bool DecideAlone(std::uint32_t access) const;

 private:
  void FindNumbers(const LaunchValues& launch);
  void FindBlocks();
  bool IsSettled(const Formula& condition) const;
  std::optional<bool> Holds(const Formula& condition) const;
  std::optional<std::int64_t> NumberOf(const Formula& formula) const;
  bool IsOfLaunch(const Formula& formula) const;

  const FunctionFormulas& formulas_;
  std::vector<std::optional<std::int64_t>> numbers_;  // by atom; empty where it is not known
  std::vector<bool> is_of_launch_;                    // by atom: known, or of rounds and the like
  std::vector<bool> is_never_;                        // by block: no thread comes to it
  std::vector<bool> is_alone_;                        // by block: as for DecideAlone()
};

}  // namespace coalcheck::address
