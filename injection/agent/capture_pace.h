// SPDX-License-Identifier: Apache-2.0
//
// How often a stream capture gets a window: a program that captures anew in every step is not
// slowed down again and again for graphs that hold nothing new.
#pragma once

#include <cstdint>
#include <mutex>

namespace coalcheck::agent {

// After a window whose graphs held only kernels counted before, twice as many captures pass without
// one; a window that brought something new resets that. Any thread.
class CapturePace {
 public:
  // Whether the capture that begins now gets a window.
  bool Next() {
    const std::lock_guard lock(mutex_);
    if (passing_ == 0) return true;
    --passing_;
    return false;
  }
  void WindowClosed(bool brought_something_new) {
    const std::lock_guard lock(mutex_);
    pause_ = brought_something_new ? 0 : (pause_ == 0 ? 1 : pause_ * 2);
    passing_ = pause_;
  }

 private:
  std::mutex mutex_;
  std::uint64_t pause_ = 0;
  std::uint64_t passing_ = 0;
};

}  // namespace coalcheck::agent
