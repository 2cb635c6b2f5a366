// SPDX-License-Identifier: Apache-2.0
//
// Which kernels a graph holds, and whether its launch may be counted.
//
// What was measured, and decides the code
//  * a launch of any graph outside a window makes the next window's graph come back empty or in
//    part, until the same thread has launched a plain kernel;
//  * so does an upload of the graph before its first launch;
//  * the kernels in the bodies of conditional nodes are not counted at all.
#pragma once

#include <chrono>
#include <cstdint>

#include "injection/agent/counting/parts.h"
#include "injection/agent/graphs/capture_tracker.h"
#include "injection/agent/graphs/graph_book.h"

namespace coalcheck::agent {

// Any thread.
class GraphVetting {
 public:
  GraphVetting(Parts& parts, const CaptureTracker& captures);

  // With `context` current.
  GraphKernelsPtr KernelsOf(ContextHandle context, GraphHandle graph);
  // While the graph is there: it may be gone when its instance is launched.
  void ReadArguments(GraphKernels& kernels);
  // Asks of each kernel what a launch of its own would be asked; each takes its turn.
  bool WantsWindow(GraphKernels& kernels);
  // The same later, of those that had their turn.
  bool StillWantsWindow(const GraphKernels& kernels);
  // No kernel of it may wait for other work.
  static bool MayBeHeld(const GraphKernels& kernels);
  // It is worth a watch when nothing but untried signs of waiting kept it from a window.
  bool ShouldWatch(GraphKernels& kernels) const;
  std::chrono::milliseconds CloseDeadlineOf(const GraphKernels& kernels) const;

  // This thread has launched a plain kernel; a graph, uncounted; and that no plain kernel since.
  static void LaunchedPlainly();
  void LaunchedUncounted() const;
  bool HasReplayed() const;

 private:
  bool IsCountedItself(const GraphContents& contents, const GraphKernels& kernels) const;

  const std::uint64_t number_;  // tests have more than one agent in a process
  Parts& parts_;
  const CaptureTracker& captures_;
};

}  // namespace coalcheck::agent
