// SPDX-License-Identifier: Apache-2.0
//
// The gate of one context together with what keeps code from changing: whoever has a context to
// itself has both.
#pragma once

#include <chrono>
#include <utility>

#include "injection/agent/base/device.h"
#include "injection/agent/code/code_changes.h"
#include "injection/agent/windows/capture_set.h"
#include "injection/agent/windows/gate.h"

namespace coalcheck::agent {

class ContextGate;

// A gate that was entered alone, while no code changes; left when this goes, unless it was kept.
class HeldGate {
 public:
  HeldGate() = default;
  // Of a gate that the caller holds.
  explicit HeldGate(ContextGate& gate) : gate_(&gate) {}
  HeldGate(HeldGate&& other) noexcept : gate_(std::exchange(other.gate_, nullptr)) {}
  HeldGate& operator=(HeldGate&& other) noexcept {
    std::swap(gate_, other.gate_);
    return *this;
  }
  ~HeldGate();
  explicit operator bool() const { return gate_ != nullptr; }
  // Somebody else leaves it later.
  void Keep() { gate_ = nullptr; }

 private:
  ContextGate* gate_ = nullptr;
};

// Every launch passes it; a window, and whatever else needs an idle context, enters it alone. Any
// thread.
class ContextGate {
 public:
  // `longest_hold`: how long a window may keep the gate, and a launch waits for it.
  ContextGate(Clock& clock, const CaptureSet& captures, CodeChanges& code_changes,
              std::chrono::milliseconds longest_hold)
      : clock_(clock),
        captures_(captures),
        code_changes_(code_changes),
        longest_hold_(longest_hold) {}

  // A launch that is not counted passes the gate. False: the wait took too long, go on without.
  bool Pass() { return gate_.EnterShared(clock_, longest_hold_); }
  void Leave() { gate_.LeaveShared(); }

  // Nothing: not in time.
  HeldGate Enter(std::chrono::milliseconds patience);
  // Nothing: not in time, or a stream is capturing.
  HeldGate EnterAlone(std::chrono::milliseconds patience);
  // Does `work` with the gate to itself. False: as EnterAlone.
  template <typename Work>
  bool DoAlone(std::chrono::milliseconds patience, Work work) {
    const HeldGate held = EnterAlone(patience);
    if (held) work();
    return static_cast<bool>(held);
  }
  // For one who keeps code from changing already.
  HeldGate EnterToo(const KeptOut& changes, std::chrono::milliseconds patience);
  // Does `work`, which asks nothing of the device, where nobody is inside: changing code is no
  // hindrance.
  template <typename Work>
  bool TryDoBesideChanges(Work work) {
    if (!gate_.TryEnterExclusive()) return false;
    work();
    gate_.LeaveExclusive();
    return true;
  }

 private:
  friend class HeldGate;
  void LeaveAlone();

  Clock& clock_;
  const CaptureSet& captures_;
  CodeChanges& code_changes_;
  const std::chrono::milliseconds longest_hold_;
  Gate gate_;
};

}  // namespace coalcheck::agent
