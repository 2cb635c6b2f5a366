// SPDX-License-Identifier: Apache-2.0
//
// In which ranges, and in which context, the launches that became nodes of a graph were captured.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <unordered_map>

#include "injection/agent/base/device.h"
#include "libcoalcheck/base/mutex.h"

namespace coalcheck::agent {

struct Capturing {
  RangeSetId ranges;
  ContextHandle context;  // 0: not known
};

// Any thread. Bounded: of what is captured while too much is remembered, only the number is known.
class CapturedNodes {
 public:
  static constexpr std::size_t kMostNodes = 100'000;

  // The launch that became `node` was made there.
  void Captured(const CapturedNode& node, Capturing where);
  Capturing Of(const CapturedNode& node) const;
  std::uint64_t discarded() const { return discarded_.load(std::memory_order_relaxed); }
  // The graph is destroyed: the driver may use its handle and those of its nodes again.
  void Discard(GraphHandle graph);

 private:
  using Nodes = std::unordered_map<GraphNodeHandle, Capturing>;

  mutable Mutex mutex_;
  std::unordered_map<GraphHandle, Nodes> graphs_ COALCHECK_GUARDED_BY(mutex_);
  std::size_t nodes_ COALCHECK_GUARDED_BY(mutex_) = 0;
  std::atomic<std::uint64_t> discarded_{0};
};

}  // namespace coalcheck::agent
