// SPDX-License-Identifier: Apache-2.0
//
// How often a context that is never idle is asked whether it is: after 2, 4, 8 … launches.
#pragma once

#include <atomic>
#include <cstdint>

namespace coalcheck::agent {

// Asked before a launch waits for an idle context, told afterwards. Any thread, without a lock.
class IdleBackoff {
 public:
  // One more launch is on its way, whatever becomes of it. Nobody counts while nothing was missed.
  void CountLaunch() {
    if (misses_in_a_row_.load(std::memory_order_relaxed) == 0) return;
    launches_.fetch_add(1, std::memory_order_relaxed);
  }
  bool TooSoon() const {
    return misses_in_a_row_.load() > 0 && launches_.load() < next_try_.load();
  }
  // To be asked when a try begins and handed to Missed: tries that fail together count once.
  std::uint64_t misses() const { return misses_in_a_row_.load(); }
  void Missed(std::uint64_t misses) {
    if (!misses_in_a_row_.compare_exchange_strong(misses, misses + 1)) return;
    const std::uint64_t doublings = misses + 1 < kMostDoublings ? misses + 1 : kMostDoublings;
    next_try_ = launches_.load() + (std::uint64_t{1} << doublings);
  }
  void FoundIdle() { misses_in_a_row_ = 0; }

 private:
  static constexpr std::uint64_t kMostDoublings = 40;
  std::atomic<std::uint64_t> launches_{0};
  std::atomic<std::uint64_t> misses_in_a_row_{0};
  std::atomic<std::uint64_t> next_try_{0};
};

}  // namespace coalcheck::agent
