// SPDX-License-Identifier: Apache-2.0
//
// Finds the instructions that a stalled instruction waits for, backwards along every path of the
// control flow.
#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <vector>

#include "libcoalcheck/machine_code/control_bits.h"
#include "libcoalcheck/machine_code/control_flow.h"
#include "libcoalcheck/machine_code/instruction.h"

namespace coalcheck::machine_code {

// Over the code of one section, which outlives it. Bounded: all calls together look at so many
// instructions at most.
class WaitSearch {
 public:
  static constexpr std::uint64_t kMostSteps = 4'000'000;

  WaitSearch(std::span<const Word> words, std::span<const Instruction> instructions,
             const ControlFlow& flow, std::uint64_t most_steps = kMostSteps);

  struct Found {
    std::vector<std::uint32_t> instructions;  // by number, ascending
    bool complete = true;  // false: a path goes through a call, or the search met its bound
  };

  // The instructions that may have set a scoreboard that instruction number `n` waits for, without
  // another wait for it in between.
  Found SettersFor(std::uint32_t n);
  // Those of `is_wanted` that can be passed before `n`, with none of `ends` between.
  Found PassedBefore(std::uint32_t n, const std::function<bool(std::uint32_t)>& is_wanted,
                     const std::function<bool(std::uint32_t)>& ends);

 private:
  std::span<const Word> words_;
  std::span<const Instruction> instructions_;
  const ControlFlow& flow_;
  std::uint64_t steps_left_;
  // By block: the last search that has seen it.
  std::vector<std::uint64_t> seen_by_;
  std::uint64_t searches_ = 0;
};

}  // namespace coalcheck::machine_code
