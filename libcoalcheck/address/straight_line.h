// SPDX-License-Identifier: Apache-2.0
//
// Accesses with nothing but what computes their addresses, for kernels that take too long to
// evaluate as a whole: those whose addresses depend on no branch, no loop and no loaded value.
#pragma once

#include <cstdint>
#include <vector>

#include "libcoalcheck/ptx/module.h"

namespace coalcheck::address {

struct StraightLine {
  ptx::Function function;           // without a branch; every lane takes part in every access
  std::vector<std::uint32_t> from;  // of each instruction: which one of the whole function it is
};

// Of those of `accesses` that can be had. Empty for a function that is large.
StraightLine StraightLineOf(const ptx::Function& function,
                            const std::vector<std::uint32_t>& accesses);

}  // namespace coalcheck::address
