// SPDX-License-Identifier: Apache-2.0
//
// What is known of how long a kernel takes uncounted, and of how often its code accesses memory.
#pragma once

#include <atomic>
#include <chrono>
#include <cstdint>
#include <optional>

#include "libcoalcheck/selection/window_cost.h"

namespace coalcheck::agent {

// Any thread.
class KernelTime {
 public:
  // An uncounted launch of so many threads took so long, with the context to itself.
  void Took(std::uint64_t threads, std::chrono::nanoseconds duration) {
    uncounted_.Took(threads, {}, duration);
  }
  // One had not ended when that was not waited for any longer.
  void Outlived() { outlived_.store(true, std::memory_order_relaxed); }
  bool outlived() const { return outlived_.load(std::memory_order_relaxed); }
  // Empty: none was timed to its end.
  std::optional<std::chrono::nanoseconds> Uncounted(std::uint64_t threads) const {
    return uncounted_.Expected(threads);
  }
  bool is_known() const { return outlived() || Uncounted(1).has_value(); }

  // Of one thread, as KernelCode says.
  void SetAccesses(double of_a_thread, double share, bool in_loops) {
    accesses_.store(of_a_thread, std::memory_order_relaxed);
    share_.store(share, std::memory_order_relaxed);
    in_loops_.store(in_loops, std::memory_order_relaxed);
    knows_accesses_.store(true, std::memory_order_release);
  }
  bool knows_accesses() const { return knows_accesses_.load(std::memory_order_acquire); }
  double accesses() const { return accesses_.load(std::memory_order_relaxed); }
  double share() const { return share_.load(std::memory_order_relaxed); }
  bool in_loops() const { return in_loops_.load(std::memory_order_relaxed); }

  // Its first window was put off, or left out.
  void PutOff() { put_off_.store(true, std::memory_order_relaxed); }
  bool was_put_off() const { return put_off_.load(std::memory_order_relaxed); }

 private:
  selection::KernelCost uncounted_;
  std::atomic<bool> outlived_{false};
  std::atomic<double> accesses_{0};
  std::atomic<double> share_{0};
  std::atomic<bool> in_loops_{false};
  std::atomic<bool> knows_accesses_{false};
  std::atomic<bool> put_off_{false};
};

}  // namespace coalcheck::agent
