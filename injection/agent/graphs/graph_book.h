// SPDX-License-Identifier: Apache-2.0
//
// Which kernels an instantiated graph holds, and what became of its launches.
#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <unordered_map>
#include <vector>

#include "injection/agent/base/device.h"
#include "injection/agent/graphs/counted_instance.h"
#include "injection/agent/shapes/launch_book.h"
#include "injection/agent/shapes/uncounted_launches.h"
#include "libcoalcheck/base/mutex.h"

namespace coalcheck::agent {

// One executable graph, as it was when it was instantiated.
struct GraphKernels {
  std::vector<ShapeEntry*> shapes;
  std::vector<ShapeEntry*> admitted;  // of `shapes`, what the filters and --launch-skip let in
  std::vector<CapturedNode> nodes;    // parallel to `shapes`
  // The same, where they are wanted: what the kernels are called with.
  std::vector<recording::LaunchArguments> arguments;
  // Those that run in another context than the graph's, as on a second GPU. No window is open
  // there: its kernels are launched and not counted.
  std::vector<ShapeEntry*> elsewhere;
  std::uint64_t unseen_nodes = 0;
  // The instance that is counted is the application's own, if any: see CountedInstance.
  bool counted_itself = true;
  CountedInstance counted_instance;
  std::atomic<WindowId> window{};          // that instance was made in; 0: none
  bool resident = false;                   // that window is never closed
  std::atomic<bool> spoiled{false};        // uploaded: its first launch will not show in the window
  std::atomic<bool> updated{false};        // `arguments` are not those of its next launch
  std::atomic<bool> launched{false};       // for the first time
  std::atomic<bool> watch_is_over{false};  // nothing more will be learned from watching it
  std::atomic<std::uint64_t> replays{0};   // launches outside windows, not yet in the tallies
};
using GraphKernelsPtr = std::shared_ptr<GraphKernels>;

// Any thread.
class GraphBook {
 public:
  explicit GraphBook(UncountedLaunches& uncounted) : uncounted_(uncounted) {}

  // Handles are reused by the driver: what `exec` meant before is folded into the tallies.
  void Instantiated(GraphExecHandle exec, GraphKernelsPtr kernels);
  void Destroyed(GraphExecHandle exec) { Instantiated(exec, nullptr); }
  // Null when it was not seen being instantiated.
  GraphKernelsPtr Find(GraphExecHandle exec) const;
  // Moves the launches outside windows into the tallies.
  void FoldReplays();

 private:
  void Fold(GraphKernels& kernels);

  UncountedLaunches& uncounted_;
  mutable Mutex mutex_;
  std::unordered_map<GraphExecHandle, GraphKernelsPtr> execs_ COALCHECK_GUARDED_BY(mutex_);
};

}  // namespace coalcheck::agent
