// SPDX-License-Identifier: Apache-2.0
//
// Which windows the agent can afford: what they are expected to take, and what is said of those
// that would take too long.
#pragma once

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstdint>
#include <optional>

#include "injection/agent/base/deadlines.h"
#include "injection/agent/base/device.h"
#include "injection/agent/counting/first_windows.h"
#include "injection/agent/process/process_facts.h"
#include "injection/agent/session/session.h"
#include "injection/agent/shapes/shape_entry.h"
#include "libcoalcheck/options/agent_options.h"
#include "libcoalcheck/selection/rank_share.h"
#include "libcoalcheck/selection/sampling.h"
#include "libcoalcheck/selection/window_cost.h"

namespace coalcheck::agent {

// Of the launch in a window: since when its thread was held, when it went to the driver, and when
// it came back, which waits for its kernel's code to be patched and not for the kernel.
struct LaunchTimes {
  Clock::TimePoint held;
  Clock::TimePoint called;
  Clock::TimePoint returned;
};

// Asked before a window is opened, told after it was closed. Any thread, without a lock.
class WindowPolicy {
 public:
  WindowPolicy(const options::AgentOptions& options, const Deadlines& deadlines, Clock& clock,
               Session& session, FirstWindows& first_windows)
      : options_(options),
        longest_(deadlines.Gate()),
        clock_(clock),
        session_(session),
        first_windows_(first_windows),
        budget_(options.budget),
        share_(ShareOf(options, session.job())),
        launches_block_(Environment("CUDA_LAUNCH_BLOCKING", "0") != "0"),
        start_(clock.Now()) {}

  // Whether a window for the next launch is wanted and within the budget; else `reason` may say
  // why not. Of a kernel's first window FirstWindows knows more.
  bool MayHaveWindow(const ShapeEntry& entry, const selection::ShapeHistory& history, Skip& reason);
  // The window of one launch is closed now.
  void NoteCost(const ShapeEntry& entry, const LaunchTimes& times);
  // The program was held since then.
  void Charge(Clock::TimePoint since);
  // Of all windows so far, for the recording.
  recording::Cost CostOf(std::uint64_t windows_closed) const;

 private:
  // At most what a window may take: a clock that jumps ahead has not held the program.
  Clock::TimePoint::duration TakenSince(Clock::TimePoint since) {
    return std::min<Clock::TimePoint::duration>(clock_.Now() - since, longest_);
  }
  static selection::RankShare ShareOf(const options::AgentOptions& options,
                                      const recording::JobMembership& job);
  // Whether one more window is not expected to take too long; else that is said.
  bool IsWithinLimit(const ShapeEntry& entry);
  void TellCost(const ShapeEntry& entry, std::chrono::nanoseconds expected);
  // Whether the user asked for more launches than windows pay for.
  bool CountsOn() const {
    return options_.sampling.kind == selection::Sampling::Kind::kAll ||
           options_.sampling.kind == selection::Sampling::Kind::kEvery;
  }
  // Of a program that is held for most of its time, once: by how much it is slower so far.
  void TellSlowness();

  const options::AgentOptions& options_;
  const std::chrono::milliseconds longest_;
  Clock& clock_;
  Session& session_;
  FirstWindows& first_windows_;
  selection::WindowBudget budget_;
  const selection::RankShare share_;
  const bool launches_block_;  // until the kernel has ended, as the user asked of CUDA
  std::atomic<bool> long_window_was_told_{false};
  std::atomic<bool> slowness_was_told_{false};
  const Clock::TimePoint start_;
};

}  // namespace coalcheck::agent
