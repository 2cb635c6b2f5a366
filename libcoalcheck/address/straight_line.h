// SPDX-License-Identifier: Apache-2.0
//
// Accesses with nothing but what computes their addresses, for kernels that take too long to
// evaluate as a whole: those whose addresses depend on no branch, no loop and no loaded value.
#pragma once

#include <cstdint>
#include <vector>

#include "libcoalcheck/ptx/control_flow.h"
#include "libcoalcheck/ptx/module.h"

namespace coalcheck::address {

struct StraightLine {
  // Without a branch; whoever takes part in an access in truth does so here.
  ptx::Function function;
  std::vector<std::uint32_t> from;  // of each instruction: which one of the whole function it is
};

// Of those of `accesses` that can be had. Empty for a function that is large. `flow`, of the
// function: lanes take part that the conditions let through which can be had as well; null: all.
StraightLine StraightLineOf(const ptx::Function& function,
                            const std::vector<std::uint32_t>& accesses,
                            const ptx::ControlFlow* flow = nullptr);

}  // namespace coalcheck::address
