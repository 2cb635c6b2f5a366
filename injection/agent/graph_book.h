// SPDX-License-Identifier: Apache-2.0
//
// Which kernels a captured graph holds, from the capture to its launches.
#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <mutex>
#include <optional>
#include <unordered_map>
#include <vector>

#include "injection/agent/device.h"
#include "injection/agent/launch_book.h"

namespace coalcheck::agent {

// The kernels of one graph, in the order in which they were captured, and what became of it.
struct GraphKernels {
  std::vector<ShapeEntry*> shapes;
  WindowId window;                        // the window open while it was captured; 0: none
  std::atomic<bool> counted{false};       // its first launch ended inside that window
  std::atomic<std::uint64_t> replays{0};  // launches outside windows, not yet in the tallies
};
using GraphKernelsPtr = std::shared_ptr<GraphKernels>;

// Any thread.
class GraphBook {
 public:
  // A launch was captured instead of made.
  void AddCaptured(CaptureId capture, ShapeEntry& entry);
  // The capture became `graph`; empty when it was given up.
  void EndCapture(CaptureId capture, std::optional<GraphHandle> graph, WindowId window);
  void Instantiated(GraphExecHandle exec, GraphHandle graph);
  // Null when the graph was not made by a capture that was seen.
  GraphKernelsPtr Find(GraphExecHandle exec) const;
  // Moves the launches outside windows into the tallies.
  void FoldReplays();

 private:
  static void Fold(GraphKernels& kernels);

  mutable std::mutex mutex_;
  std::unordered_map<CaptureId, std::vector<ShapeEntry*>> captures_;
  std::unordered_map<GraphHandle, GraphKernelsPtr> graphs_;
  std::unordered_map<GraphExecHandle, GraphKernelsPtr> execs_;
};

}  // namespace coalcheck::agent
