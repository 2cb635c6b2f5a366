// SPDX-License-Identifier: Apache-2.0
//
// In which ranges the launches that became nodes of a graph were captured.
#pragma once

#include <cstddef>
#include <mutex>
#include <unordered_map>

#include "injection/agent/device.h"

namespace coalcheck::agent {

// Any thread. Bounded: what is captured while too much is remembered belongs to no range.
class CapturedRanges {
 public:
  // The launch that became `node` was made in `ranges`.
  void Captured(const CapturedNode& node, RangeSetId ranges);
  RangeSetId Of(const CapturedNode& node) const;
  // The graph is destroyed: the driver may use its handle and those of its nodes again.
  void Forget(GraphHandle graph);

 private:
  static constexpr std::size_t kMostNodes = 100'000;
  using Nodes = std::unordered_map<GraphNodeHandle, RangeSetId>;

  mutable std::mutex mutex_;
  std::unordered_map<GraphHandle, Nodes> graphs_;
  std::size_t nodes_ = 0;
};

}  // namespace coalcheck::agent
