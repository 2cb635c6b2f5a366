// SPDX-License-Identifier: Apache-2.0
//
// In which ranges, and in which context, the launches that became nodes of a graph were captured.
#pragma once

#include <cstddef>
#include <mutex>
#include <unordered_map>

#include "injection/agent/device.h"

namespace coalcheck::agent {

struct Capturing {
  RangeSetId ranges;
  ContextHandle context;  // 0: not known
};

// Any thread. Bounded: of what is captured while too much is remembered, nothing is known.
class CapturedNodes {
 public:
  // The launch that became `node` was made there.
  void Captured(const CapturedNode& node, Capturing where);
  Capturing Of(const CapturedNode& node) const;
  // The graph is destroyed: the driver may use its handle and those of its nodes again.
  void Forget(GraphHandle graph);

 private:
  static constexpr std::size_t kMostNodes = 100'000;
  using Nodes = std::unordered_map<GraphNodeHandle, Capturing>;

  mutable std::mutex mutex_;
  std::unordered_map<GraphHandle, Nodes> graphs_;
  std::size_t nodes_ = 0;
};

}  // namespace coalcheck::agent
