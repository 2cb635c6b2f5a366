// SPDX-License-Identifier: Apache-2.0
//
// The gate is one atomic word, which waiting polls.
#include "injection/agent/windows/gate.h"

#include "injection/agent/base/poll_until.h"

namespace coalcheck::agent {

bool Gate::EnterShared(Clock& clock, std::chrono::milliseconds deadline) {
  return PollUntil(clock, deadline, [this] {
    std::uint32_t seen = state_.load(std::memory_order_relaxed);
    while ((seen & kWriter) == 0) {
      if (state_.compare_exchange_weak(seen, seen + 1, std::memory_order_acquire)) return true;
    }
    return false;
  });
}

void Gate::LeaveShared() { state_.fetch_sub(1, std::memory_order_release); }

bool Gate::EnterExclusive(Clock& clock, std::chrono::milliseconds deadline) {
  return PollUntil(clock, deadline, [this] { return TryEnterExclusive(); });
}

bool Gate::TryEnterExclusive() {
  std::uint32_t nobody = 0;
  return state_.compare_exchange_strong(nobody, kWriter, std::memory_order_acquire);
}

void Gate::LeaveExclusive() { state_.store(0, std::memory_order_release); }

}  // namespace coalcheck::agent
