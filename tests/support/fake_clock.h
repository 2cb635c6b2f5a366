// SPDX-License-Identifier: Apache-2.0
//
// Clocks for tests of the agent: one whose time passes only by resting, and the real one.
#pragma once

#include <atomic>
#include <chrono>
#include <functional>
#include <thread>
#include <utility>

#include "injection/agent/base/device.h"

namespace coalcheck::testing {

// Resting takes no time and moves the clock, so that every deadline passes at once and exactly.
// Any thread.
class FakeClock final : public agent::Clock {
 public:
  TimePoint Now() override { return TimePoint(std::chrono::microseconds(now_us_.load())); }
  void Rest(std::chrono::microseconds duration) override {
    now_us_ += duration.count();
    if (has_work_.exchange(false)) work_();
  }
  // What happens once, while somebody rests next. While nobody rests.
  void AtNextRest(std::function<void()> work) {
    work_ = std::move(work);
    has_work_ = true;
  }
  void Advance(std::chrono::milliseconds duration) { Rest(duration); }

 private:
  std::atomic<std::int64_t> now_us_{1};
  std::function<void()> work_;
  std::atomic<bool> has_work_{false};
};

class RealClock final : public agent::Clock {
 public:
  TimePoint Now() override { return std::chrono::steady_clock::now(); }
  void Rest(std::chrono::microseconds duration) override { std::this_thread::sleep_for(duration); }
};

}  // namespace coalcheck::testing
