// SPDX-License-Identifier: Apache-2.0
//
// What the agent counts of the program's run besides the tallies of its kernels: for progress, and
// for the losses at the end.
#pragma once

#include <atomic>
#include <cstdint>

namespace coalcheck::agent {

// Any thread. The comment says who adds.
struct RunCounters {
  std::atomic<std::uint64_t> launches{0};        // LaunchTracker and GraphTracker: a graph is one
  std::atomic<std::uint64_t> windows{0};         // Windows: asked for, and so the last WindowId
  std::atomic<std::uint64_t> open_windows{0};    // Windows
  std::atomic<std::uint64_t> windows_closed{0};  // Windows
  std::atomic<std::uint64_t> kernels_without_lines{0};  // KernelVetting
  std::atomic<std::uint64_t> too_late_launches{0};      // LaunchTracker
  std::atomic<std::uint64_t> unseen_graph_launches{0};  // GraphTracker
  std::atomic<std::uint64_t> unseen_nodes_launches{0};  // GraphTracker
  std::atomic<std::uint64_t> updated_graphs{0};         // GraphTracker
};

}  // namespace coalcheck::agent
