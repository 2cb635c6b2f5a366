// SPDX-License-Identifier: Apache-2.0
//
// Handles are reused by the driver, so a new capture or instantiation replaces what a handle meant.
#include "injection/agent/graph_book.h"

#include <utility>

namespace coalcheck::agent {

void GraphBook::AddCaptured(CaptureId capture, ShapeEntry& entry) {
  const std::lock_guard lock(mutex_);
  captures_[capture].push_back(&entry);
}

void GraphBook::EndCapture(CaptureId capture, std::optional<GraphHandle> graph, WindowId window) {
  const std::lock_guard lock(mutex_);
  auto node = captures_.extract(capture);
  if (!graph) return;
  auto kernels = std::make_shared<GraphKernels>();
  if (!node.empty()) kernels->shapes = std::move(node.mapped());
  kernels->window = window;
  graphs_[*graph] = std::move(kernels);
}

void GraphBook::Instantiated(GraphExecHandle exec, GraphHandle graph) {
  const std::lock_guard lock(mutex_);
  if (const auto old = execs_.find(exec); old != execs_.end()) {
    Fold(*old->second);
    execs_.erase(old);
  }
  const auto found = graphs_.find(graph);
  if (found != graphs_.end()) execs_[exec] = found->second;
}

GraphKernelsPtr GraphBook::Find(GraphExecHandle exec) const {
  const std::lock_guard lock(mutex_);
  const auto found = execs_.find(exec);
  return found == execs_.end() ? nullptr : found->second;
}

void GraphBook::FoldReplays() {
  const std::lock_guard lock(mutex_);
  for (const auto& [exec, kernels] : execs_) Fold(*kernels);
}

void GraphBook::Fold(GraphKernels& kernels) {
  const Launches replays(kernels.replays.exchange(0));
  if (replays == Launches(0)) return;
  for (ShapeEntry* entry : kernels.shapes) entry->AddLaunches(replays, Skip::kGraphReplay);
}

}  // namespace coalcheck::agent
