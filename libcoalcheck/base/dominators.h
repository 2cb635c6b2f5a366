// SPDX-License-Identifier: Apache-2.0
//
// The dominators of a graph.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace coalcheck {

// By node: those that it leads to, or those that lead to it.
using Edges = std::vector<std::span<const std::uint32_t>>;

inline constexpr std::uint32_t kNoDominator = 0xffffffff;

// The immediate dominator of each node as seen from `root`; kNoDominator for the root and what
// cannot be reached. In O(edges * log(nodes)), whatever the graph.
std::vector<std::uint32_t> Dominators(const Edges& next, const Edges& previous, std::uint32_t root);

}  // namespace coalcheck
