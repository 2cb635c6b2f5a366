// SPDX-License-Identifier: Apache-2.0
//
// Where the values of virtual registers come from: one definition each, or several that meet at the
// beginning of blocks, as phi functions.
#pragma once

#include <absl/container/flat_hash_set.h>

#include <cstdint>
#include <vector>

#include "libcoalcheck/ptx/control_flow.h"
#include "libcoalcheck/ptx/module.h"

namespace coalcheck::address {

class FormulaDefinitions {
 public:
  // Of the instructions that are `relevant`.
  FormulaDefinitions(const ptx::Function& function, const ptx::ControlFlow& flow,
                     const std::vector<bool>& relevant);

  // False when the function is too large to be looked at.
  bool is_complete() const { return is_complete_; }
  // Steps of the search for them, in terms that cost as much.
  std::size_t work() const { return (kMostWork - work_left_) / 16; }
  bool HasOne(std::uint32_t reg) const { return count_[reg] <= 1; }
  // Whether several definitions of a register meet at the beginning of a block.
  bool Meet(std::uint32_t reg, std::uint32_t block) const {
    return meeting_.contains(Key(reg, block));
  }

 private:
  static std::uint64_t Key(std::uint32_t reg, std::uint32_t block) {
    return std::uint64_t{block} << 32U | reg;
  }
  void FindFrontiers(const ptx::ControlFlow& flow);
  void Place(std::uint32_t reg, std::vector<std::uint32_t> blocks);

  std::vector<std::uint32_t> count_;  // definitions, by register
  std::vector<std::vector<std::uint32_t>> frontiers_;
  absl::flat_hash_set<std::uint64_t> meeting_;
  static constexpr std::size_t kMostWork = std::size_t{1} << 22U;
  std::size_t work_left_ = kMostWork;
  bool is_complete_ = true;
};

}  // namespace coalcheck::address
