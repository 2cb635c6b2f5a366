// SPDX-License-Identifier: Apache-2.0
//
// The streams of one context, and whether all that was launched into them has ended.
#pragma once

#include <atomic>
#include <chrono>
#include <cstdint>
#include <set>

#include "injection/agent/base/device.h"
#include "injection/agent/windows/capture_set.h"
#include "libcoalcheck/base/mutex.h"

namespace coalcheck::agent {

// Any thread. No question is asked while a stream captures, for that would break the capture.
class ContextStreams {
 public:
  ContextStreams(ContextHandle context, Device& device, Clock& clock, const CaptureSet& captures)
      : context_(context), device_(device), clock_(clock), captures_(captures) {}

  void Add(StreamHandle stream);
  // The same for a stream seen at a launch, most of which are known.
  void AddOnce(StreamHandle stream) {
    if (last_.load(std::memory_order_relaxed) == stream.value()) return;
    last_.store(stream.value(), std::memory_order_relaxed);
    Add(stream);
  }
  void Remove(StreamHandle stream);

  bool AllIdle() { return State() == StreamState::kIdle; }
  // Whether everything that was launched here ends in time. The gate is the caller's alone.
  bool WaitIdle(std::chrono::milliseconds deadline);

 private:
  StreamState State();

  const ContextHandle context_;
  Device& device_;
  Clock& clock_;
  const CaptureSet& captures_;
  std::atomic<std::uintptr_t> last_{0};
  Mutex mutex_;
  std::set<StreamHandle> streams_ COALCHECK_GUARDED_BY(mutex_);
};

}  // namespace coalcheck::agent
