// SPDX-License-Identifier: Apache-2.0
//
// Code changes are kept out before the gate is entered, and let in again after it was left.
#include "injection/agent/windows/context_gate.h"

#include "injection/agent/base/poll_until.h"

namespace coalcheck::agent {

HeldGate::~HeldGate() {
  if (gate_ != nullptr) gate_->LeaveAlone();
}

// Takes both or neither, and holds neither while it waits for the other.
HeldGate ContextGate::Enter(std::chrono::milliseconds patience) {
  const bool entered = PollUntil(clock_, patience, [this] {
    if (!code_changes_.TryKeepOut()) return false;
    if (gate_.TryEnterExclusive()) return true;
    code_changes_.Release();
    return false;
  });
  return entered ? HeldGate(*this) : HeldGate();
}

HeldGate ContextGate::EnterAlone(std::chrono::milliseconds patience) {
  if (captures_.any()) return {};
  HeldGate held = Enter(patience);
  return captures_.any() ? HeldGate() : std::move(held);
}

HeldGate ContextGate::EnterToo(const KeptOut& /*changes*/, std::chrono::milliseconds patience) {
  if (!gate_.EnterExclusive(clock_, patience)) return {};
  code_changes_.KeepOutToo();
  return HeldGate(*this);
}

void ContextGate::LeaveAlone() {
  gate_.LeaveExclusive();
  code_changes_.Release();
}

}  // namespace coalcheck::agent
