// SPDX-License-Identifier: Apache-2.0
//
// The streams that are being captured, of all contexts: a capture can spread from one to another
// by events, and a question to any of its streams breaks it.
#pragma once

#include <atomic>
#include <cstddef>
#include <set>

#include "injection/agent/base/device.h"
#include "libcoalcheck/base/mutex.h"

namespace coalcheck::agent {

// Any thread.
class CaptureSet {
 public:
  bool any() const { return count_.load(std::memory_order_relaxed) > 0; }
  void Began(StreamHandle stream) {
    const MutexLock lock(mutex_);
    streams_.insert(stream);
    count_ = streams_.size();
  }
  // Also for one that did not begin here, which changes nothing.
  void Ended(StreamHandle stream) {
    const MutexLock lock(mutex_);
    if (const auto found = streams_.find(stream); found != streams_.end()) streams_.erase(found);
    count_ = streams_.size();
  }

 private:
  std::atomic<std::size_t> count_{0};
  Mutex mutex_;
  // A per-thread default stream has one handle in all threads.
  std::multiset<StreamHandle> streams_ COALCHECK_GUARDED_BY(mutex_);
};

}  // namespace coalcheck::agent
