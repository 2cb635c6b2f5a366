// SPDX-License-Identifier: Apache-2.0
//
// A map of maps, so that a graph is discarded whole.
#include "injection/agent/graphs/captured_nodes.h"

namespace coalcheck::agent {

void CapturedNodes::Captured(const CapturedNode& node, Capturing where) {
  const MutexLock lock(mutex_);
  if (nodes_ >= kMostNodes) {
    ++discarded_;
    return;
  }
  if (graphs_[node.graph].insert_or_assign(node.node, where).second) ++nodes_;
}

Capturing CapturedNodes::Of(const CapturedNode& node) const {
  const MutexLock lock(mutex_);
  const auto graph = graphs_.find(node.graph);
  if (graph == graphs_.end()) return {};
  const auto found = graph->second.find(node.node);
  return found == graph->second.end() ? Capturing() : found->second;
}

void CapturedNodes::Discard(GraphHandle graph) {
  const MutexLock lock(mutex_);
  const auto found = graphs_.find(graph);
  if (found == graphs_.end()) return;
  nodes_ -= found->second.size();
  graphs_.erase(found);
}

}  // namespace coalcheck::agent
