// SPDX-License-Identifier: Apache-2.0
//
// The loops of a control-flow graph, each with the loops inside it.
#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <vector>

#include "libcoalcheck/base/dominators.h"
#include "libcoalcheck/machine_code/control_flow.h"

namespace coalcheck::machine_code {

// Calls `visit` with the blocks, ascending, of every strongly connected part of the graph, and then
// of what is left of each when its entries are taken out, and so on: every loop, the outer ones
// first. False when that takes more than about `most_steps` visits of a block, in which case some
// were left out.
bool VisitLoops(std::span<const Block> blocks, std::uint64_t most_steps,
                const std::function<void(std::span<const std::uint32_t>)>& visit);

// For each block its immediate post-dominator, or kNoPostDominator. `steps_left` is counted down by
// the work; empty when it is not enough.
std::vector<std::uint32_t> PostDominators(std::span<const Block> blocks, std::uint64_t& steps_left);
inline constexpr std::uint32_t kNoPostDominator = kNoDominator;

}  // namespace coalcheck::machine_code
