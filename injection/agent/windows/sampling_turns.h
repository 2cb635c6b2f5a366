// SPDX-License-Identifier: Apache-2.0
//
// How often a context may still try to have PC sampling begin.
#pragma once

#include <atomic>

namespace coalcheck::agent {

// Any thread, without a lock.
class SamplingTurns {
 public:
  // False once sampling was tried, or its turn was waited for in vain too often.
  bool left() const { return turns_.load(std::memory_order_relaxed) > 0; }
  void Tried() { turns_ = 0; }
  // True: that was the last time.
  bool Missed() { return --turns_ == 0; }

 private:
  std::atomic<int> turns_{3};
};

}  // namespace coalcheck::agent
