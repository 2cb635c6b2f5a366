// SPDX-License-Identifier: Apache-2.0
//
// Whose code a context has loaded, as far as the agent has seen to it.
#pragma once

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <set>

#include "injection/agent/base/device.h"
#include "libcoalcheck/base/mutex.h"

namespace coalcheck::agent {

// Any thread. What was found once is most often found again without a lock.
class LoadedFunctions {
 public:
  // Whether `function` was added since the last Clear().
  bool Contains(FunctionHandle function) {
    std::atomic<std::uintptr_t>& recent = recent_[(function.value() >> 4U) % kRecent];
    if (recent.load(std::memory_order_relaxed) == function.value()) return true;
    const MutexLock lock(mutex_);
    if (!functions_.contains(function)) return false;
    recent.store(function.value(), std::memory_order_relaxed);
    return true;
  }
  void Add(FunctionHandle function) {
    const MutexLock lock(mutex_);
    functions_.insert(function);
  }
  // The driver may give their handles to other functions.
  void Clear() {
    const MutexLock lock(mutex_);
    functions_.clear();
    for (std::atomic<std::uintptr_t>& recent : recent_) recent = 0;
  }

 private:
  static constexpr std::size_t kRecent = 256;
  std::array<std::atomic<std::uintptr_t>, kRecent> recent_{};
  Mutex mutex_;
  std::set<FunctionHandle> functions_ COALCHECK_GUARDED_BY(mutex_);
};

}  // namespace coalcheck::agent
