// SPDX-License-Identifier: Apache-2.0
//
// Clocks for tests of the agent: one whose time passes only by resting, and the real one.
#pragma once

#include <atomic>
#include <chrono>
#include <thread>

#include "injection/agent/base/device.h"

namespace coalcheck::testing {

// Resting takes no time and moves the clock, so that every deadline passes at once and exactly.
// Any thread.
class FakeClock final : public agent::Clock {
 public:
  TimePoint Now() override { return TimePoint(std::chrono::microseconds(now_us_.load())); }
  void Rest(std::chrono::microseconds duration) override { now_us_ += duration.count(); }
  void Advance(std::chrono::milliseconds duration) { Rest(duration); }

 private:
  std::atomic<std::int64_t> now_us_{1};
};

class RealClock final : public agent::Clock {
 public:
  TimePoint Now() override { return std::chrono::steady_clock::now(); }
  void Rest(std::chrono::microseconds duration) override { std::this_thread::sleep_for(duration); }
};

}  // namespace coalcheck::testing
