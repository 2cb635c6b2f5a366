// SPDX-License-Identifier: Apache-2.0
//
// The thread's own state stands in thread_state.h.
#include "injection/agent/contexts/announced_changes.h"

#include <utility>

#include "injection/agent/base/thread_state.h"

namespace coalcheck::agent {

bool AnnouncedChanges::IsUnderWay() { return ThisThread().code_change != nullptr; }

bool AnnouncedChanges::IsBesideCounting() {
  const CodeChangeUnderWay* change = ThisThread().code_change;
  return change != nullptr && !change->in_time;
}

void AnnouncedChanges::Begin() {
  CodeChangeUnderWay*& change = ThisThread().code_change;
  if (change != nullptr) {
    ++change->depth;
  } else if (!lifecycle_.released() && !lifecycle_.forked()) {
    // Changes are announced even while the process ends or measuring has stopped: another thread
    // may still close a window.
    change = new CodeChangeUnderWay;
    change->in_time = code_changes_.Begin(clock_, deadlines_.Gate());
  }
}

void AnnouncedChanges::End() {
  CodeChangeUnderWay*& change = ThisThread().code_change;
  if (change == nullptr || --change->depth > 0) return;
  Suspend();
  delete std::exchange(change, nullptr);
}

bool AnnouncedChanges::Suspend() {
  CodeChangeUnderWay* change = ThisThread().code_change;
  const bool suspended = change != nullptr && std::exchange(change->announced, false);
  if (suspended) code_changes_.End();
  return suspended;
}

void AnnouncedChanges::Resume() {
  CodeChangeUnderWay& change = *ThisThread().code_change;
  change.in_time = code_changes_.Begin(clock_, deadlines_.Gate());
  change.announced = true;
}

}  // namespace coalcheck::agent
