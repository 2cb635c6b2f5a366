// SPDX-License-Identifier: Apache-2.0
//
// Executable graphs by handle.
#include "injection/agent/graphs/graph_book.h"

#include <utility>

namespace coalcheck::agent {

void GraphBook::Instantiated(GraphExecHandle exec, GraphKernelsPtr kernels) {
  const MutexLock lock(mutex_);
  if (const auto old = execs_.find(exec); old != execs_.end()) {
    Fold(*old->second);
    execs_.erase(old);
  }
  if (kernels != nullptr) execs_[exec] = std::move(kernels);
}

GraphKernelsPtr GraphBook::Find(GraphExecHandle exec) const {
  const MutexLock lock(mutex_);
  const auto found = execs_.find(exec);
  return found == execs_.end() ? nullptr : found->second;
}

void GraphBook::FoldReplays() {
  const MutexLock lock(mutex_);
  for (const auto& [exec, kernels] : execs_) Fold(*kernels);
}

void GraphBook::Fold(GraphKernels& kernels) {
  const Launches replays(kernels.replays.exchange(0));
  if (replays == Launches(0)) return;
  for (std::size_t i = 0; i < kernels.shapes.size(); ++i) {
    ShapeEntry* entry = kernels.shapes[i];
    const Trust trust = entry->trust().get();
    Skip reason = Skip::kGraphReplay;
    if (trust == Trust::kSuspect || trust == Trust::kNeedsOthers) reason = Skip::kWaits;
    if (trust == Trust::kUnpatchable) reason = Skip::kOtherLanes;
    entry->AddLaunches(replays, reason);
    // Which replays were made before an update is not known.
    if (i >= kernels.arguments.size() || kernels.updated) continue;
    uncounted_.AddReplays(*entry, kernels.arguments[i], replays);
  }
  for (ShapeEntry* entry : kernels.elsewhere) entry->AddLaunches(replays, Skip::kOtherContext);
}

}  // namespace coalcheck::agent
