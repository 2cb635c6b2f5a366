// SPDX-License-Identifier: Apache-2.0
//
// Waiting, with a deadline, for something that can only be tried.
#pragma once

#include <chrono>

#include "injection/agent/base/device.h"

namespace coalcheck::agent {

// Polls: waits are rare and short, and a futex would tie the agent to one more system call to get
// wrong in a forked child. True: `attempt` succeeded. It is made once whatever the deadline.
template <typename Attempt>
bool PollUntil(Clock& clock, std::chrono::milliseconds deadline, Attempt attempt) {
  constexpr std::chrono::microseconds kRest{20};
  if (attempt()) return true;
  const Clock::TimePoint end = clock.Now() + deadline;
  while (clock.Now() < end) {
    clock.Rest(kRest);
    if (attempt()) return true;
  }
  return false;
}

}  // namespace coalcheck::agent
