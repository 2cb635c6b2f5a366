// SPDX-License-Identifier: Apache-2.0
//
// A map of maps, so that a graph is forgotten whole.
#include "injection/agent/captured_ranges.h"

namespace coalcheck::agent {

void CapturedRanges::Captured(const CapturedNode& node, RangeSetId ranges) {
  const std::lock_guard lock(mutex_);
  if (ranges == RangeSetId(0) || nodes_ >= kMostNodes) return;
  if (graphs_[node.graph].insert_or_assign(node.node, ranges).second) ++nodes_;
}

RangeSetId CapturedRanges::Of(const CapturedNode& node) const {
  const std::lock_guard lock(mutex_);
  const auto graph = graphs_.find(node.graph);
  if (graph == graphs_.end()) return {};
  const auto found = graph->second.find(node.node);
  return found == graph->second.end() ? RangeSetId() : found->second;
}

void CapturedRanges::Forget(GraphHandle graph) {
  const std::lock_guard lock(mutex_);
  const auto found = graphs_.find(graph);
  if (found == graphs_.end()) return;
  nodes_ -= found->second.size();
  graphs_.erase(found);
}

}  // namespace coalcheck::agent
