// SPDX-License-Identifier: Apache-2.0
//
// Which kernels get a first window: what it will take is foretold, and the kernels that get none
// for that are named.
#pragma once

#include <chrono>
#include <optional>
#include <string>
#include <string_view>

#include "injection/agent/base/deadlines.h"
#include "injection/agent/base/device.h"
#include "injection/agent/session/session.h"
#include "injection/agent/shapes/launch_book.h"
#include "libcoalcheck/options/agent_options.h"
#include "libcoalcheck/selection/first_window.h"
#include "libcoalcheck/selection/window_cost.h"

namespace coalcheck::agent {

// "1.5 s", and below a tenth of a second "15.0 ms".
std::string InSeconds(std::chrono::nanoseconds duration);

// "--window-limit 5 counts it, and so does --kernel 'k'", of the readable name; without a limit
// "--kernel 'k' counts it".
std::string WhatCountsIt(const std::string& name, std::optional<std::chrono::milliseconds> limit);
// `takes`: "is expected to" or "may".
void SayIsCounted(const std::string& name, std::string_view takes, std::chrono::nanoseconds cost);

// Rules under --sampling auto, and on kernels that had no window yet; everything else may open. Any
// thread, without a lock.
class FirstWindows {
 public:
  FirstWindows(const options::AgentOptions& options, const Deadlines& deadlines, Clock& clock,
               Session& session)
      : options_(options),
        deadlines_(deadlines),
        clock_(clock),
        session_(session),
        windows_(options.window_limit),
        start_(clock.Now()) {}

  // Whether RuleOn needs to know how often the kernel's code accesses memory.
  bool WantsAccesses(const ShapeEntry& entry) const;
  // What becomes of the window that the next launch outside graphs would have.
  selection::FirstWindow RuleOn(const ShapeEntry& entry);
  // Whether a graph may open one for it.
  bool MayGoOn(const ShapeEntry& entry);

  // A window held the program for so long, and of that the launch itself. Before the kernel's cost
  // is noted.
  void Took(const ShapeEntry& entry, std::chrono::nanoseconds window,
            std::chrono::nanoseconds launch);
  // At the end: kernels that were put off and never counted.
  void NameLeftOut(const LaunchBook& book);

 private:
  bool IsRuledOn(const ShapeEntry& entry) const;
  // The user has named the kernels.
  bool IsAskedFor() const { return !options_.filters.kernel.empty(); }
  selection::FirstLaunch FirstLaunchOf(const ShapeEntry& entry) const;
  std::chrono::nanoseconds Now() const { return clock_.Now() - start_; }
  void SayWhatItCosts(const ShapeEntry& entry, const selection::FirstLaunch& launch);
  void Name(const ShapeEntry& entry);

  const options::AgentOptions& options_;
  const Deadlines& deadlines_;
  Clock& clock_;
  Session& session_;
  selection::FirstWindowBudget windows_;
  selection::Corrections corrections_;
  const Clock::TimePoint start_;
};

}  // namespace coalcheck::agent
