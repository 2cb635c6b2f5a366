// SPDX-License-Identifier: Apache-2.0
//
// Both numbers are one atomic word, so that neither side can miss the other.
#include "injection/agent/code/code_changes.h"

#include "injection/agent/base/poll_until.h"

namespace coalcheck::agent {

bool CodeChanges::Begin(Clock& clock, std::chrono::milliseconds deadline) {
  constexpr std::chrono::milliseconds kNone{0};
  const std::chrono::milliseconds patience = waited_in_vain_ ? kNone : deadline;
  PollUntil(clock, patience, [this] { return insisting_.load(std::memory_order_relaxed) == 0; });
  state_.fetch_add(kChange, std::memory_order_acquire);
  const bool in_time = PollUntil(
      clock, patience, [this] { return state_.load(std::memory_order_acquire) % kChange == 0; });
  if (!in_time && deadline > kNone) waited_in_vain_ = true;
  return in_time;
}

void CodeChanges::End() { state_.fetch_sub(kChange, std::memory_order_release); }

bool CodeChanges::TryKeepOut() {
  std::uint64_t seen = state_.load(std::memory_order_relaxed);
  while (seen < kChange) {
    if (state_.compare_exchange_weak(seen, seen + 1, std::memory_order_acquire)) return true;
  }
  return false;
}

void CodeChanges::KeepOutToo() { state_.fetch_add(1, std::memory_order_acquire); }

void CodeChanges::Release() {
  waited_in_vain_ = false;
  state_.fetch_sub(1, std::memory_order_release);
}

bool CodeChanges::KeptOutBy(std::size_t holders) const {
  return state_.load(std::memory_order_acquire) % kChange == holders;
}

KeptOut::KeptOut(CodeChanges& changes, Clock& clock, std::chrono::milliseconds patience)
    : changes_(changes), kept_([&] {
        ++changes.insisting_;
        const bool kept = PollUntil(clock, patience, [&] { return changes.TryKeepOut(); });
        --changes.insisting_;
        return kept;
      }()) {}

}  // namespace coalcheck::agent
