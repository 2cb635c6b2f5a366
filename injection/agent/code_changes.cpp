// SPDX-License-Identifier: Apache-2.0
//
// Both numbers are one atomic word, so that neither side can miss the other.
#include "injection/agent/code_changes.h"

#include "injection/agent/until.h"

namespace coalcheck::agent {

bool CodeChanges::Begin(Clock& clock, std::chrono::milliseconds deadline) {
  state_.fetch_add(kChange, std::memory_order_acquire);
  return Until(clock, deadline,
               [this] { return state_.load(std::memory_order_acquire) % kChange == 0; });
}

void CodeChanges::End() { state_.fetch_sub(kChange, std::memory_order_release); }

bool CodeChanges::TryKeepOut() {
  std::uint64_t seen = state_.load(std::memory_order_relaxed);
  while (seen < kChange) {
    if (state_.compare_exchange_weak(seen, seen + 1, std::memory_order_acquire)) return true;
  }
  return false;
}

void CodeChanges::LetChange() { state_.fetch_sub(1, std::memory_order_release); }

}  // namespace coalcheck::agent
