// SPDX-License-Identifier: Apache-2.0
//
// Whether the rounds of a loop could be shared out between threads.
#pragma once

#include <cstdint>
#include <map>
#include <set>

#include "libcoalcheck/ptx/control_flow.h"
#include "libcoalcheck/ptx/module.h"

namespace coalcheck::moves {

enum class Rounds : std::uint8_t {
  kIndependent,  // no round needs what another computed
  kReduced,      // they add something up, or take the least or most of it, and nothing else
  kInOrder,      // or nobody knows
};

// The worst of those loops.
Rounds WorstRoundsOf(const ptx::Function& function, const ptx::ControlFlow& flow,
                     const std::set<std::uint32_t>& loops);

// Of a loop that the compiler unrolled whole: `loads` has the round of each load.
Rounds UnrolledRounds(const ptx::Function& function,
                      const std::map<std::uint32_t, std::uint32_t>& loads);

}  // namespace coalcheck::moves
