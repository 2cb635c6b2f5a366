// SPDX-License-Identifier: Apache-2.0
//
// How long each wait of the agent's may take.
#pragma once

#include <algorithm>
#include <chrono>

#include "libcoalcheck/options/agent_options.h"

namespace coalcheck::agent {

struct Deadlines {
  explicit Deadlines(const options::AgentOptions& options)
      : open(options.open_deadline),
        close(options.close_deadline),
        close_waiting(std::min(options.close_deadline, kCloseWaiting)),
        graph(options.graph_deadline),
        watch(options.watch_deadline),
        time(close_waiting) {}

  // For an idle context, before a launch is counted.
  std::chrono::milliseconds open;
  // For the end of a counted kernel; and once as long again before anything is launched behind it.
  std::chrono::milliseconds close;
  // The same where its code has signs of waiting for others.
  std::chrono::milliseconds close_waiting;
  std::chrono::milliseconds graph;
  std::chrono::milliseconds watch;
  // For the end of a launch that shows how long its kernel takes.
  std::chrono::milliseconds time;

  // The longest that a window keeps the gate.
  std::chrono::milliseconds Gate() const { return open + close + close_waiting; }

 private:
  static constexpr std::chrono::milliseconds kCloseWaiting{1000};
};

}  // namespace coalcheck::agent
