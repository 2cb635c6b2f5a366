// SPDX-License-Identifier: Apache-2.0
//
// The gate is one atomic word. Waiting polls it: waits are rare and short, and a futex would tie
// the agent to one more system call to get wrong in a forked child.
#include "injection/agent/gate.h"

namespace coalcheck::agent {
namespace {

constexpr std::chrono::microseconds kRest{20};

// Tries `attempt` until it succeeds or the deadline passes.
template <typename Attempt>
bool Until(Clock& clock, std::chrono::milliseconds deadline, Attempt attempt) {
  if (attempt()) return true;
  const Clock::TimePoint end = clock.Now() + deadline;
  while (clock.Now() < end) {
    clock.Rest(kRest);
    if (attempt()) return true;
  }
  return false;
}

}  // namespace

bool Gate::EnterShared(Clock& clock, std::chrono::milliseconds deadline) {
  return Until(clock, deadline, [this] {
    std::uint32_t seen = state_.load(std::memory_order_relaxed);
    while ((seen & kWriter) == 0) {
      if (state_.compare_exchange_weak(seen, seen + 1, std::memory_order_acquire)) return true;
    }
    return false;
  });
}

void Gate::LeaveShared() { state_.fetch_sub(1, std::memory_order_release); }

bool Gate::EnterExclusive(Clock& clock, std::chrono::milliseconds deadline) {
  return Until(clock, deadline, [this] {
    std::uint32_t nobody = 0;
    return state_.compare_exchange_strong(nobody, kWriter, std::memory_order_acquire);
  });
}

void Gate::LeaveExclusive() { state_.store(0, std::memory_order_release); }

}  // namespace coalcheck::agent
