// SPDX-License-Identifier: Apache-2.0
//
// Code changes as threads make them: calls one inside the other count as one, and a thread that
// needs the device to itself in the middle of its change takes the announcement back meanwhile.
#pragma once

#include "injection/agent/base/deadlines.h"
#include "injection/agent/base/device.h"
#include "injection/agent/code/code_changes.h"
#include "injection/agent/session/lifecycle.h"

namespace coalcheck::agent {

// Any thread, for itself: what it does concerns the change of the calling thread.
class AnnouncedChanges {
 public:
  AnnouncedChanges(CodeChanges& code_changes, Clock& clock, const Deadlines& deadlines,
                   const Lifecycle& lifecycle)
      : code_changes_(code_changes), clock_(clock), deadlines_(deadlines), lifecycle_(lifecycle) {}

  // Around every call that may load or unload code.
  void Begin();
  void End();
  static bool IsUnderWay();
  // Whether the thread's change goes on although somebody counts: it, or one before it, has waited
  // for too long.
  static bool IsBesideCounting();

 private:
  friend class SuspendedChange;
  // Whether the thread's change was announced, and is not any more.
  bool Suspend();
  void Resume();

  CodeChanges& code_changes_;
  Clock& clock_;
  const Deadlines& deadlines_;
  const Lifecycle& lifecycle_;
};

// The agent itself asks the driver for something that may load code, as long as this lives.
class ChangingCode {
 public:
  explicit ChangingCode(AnnouncedChanges& changes) : changes_(changes) { changes_.Begin(); }
  ChangingCode(const ChangingCode&) = delete;
  ChangingCode& operator=(const ChangingCode&) = delete;
  ~ChangingCode() { changes_.End(); }

 private:
  AnnouncedChanges& changes_;
};

// The thread's change, if it is in one, keeps nobody from counting as long as this lives.
class SuspendedChange {
 public:
  explicit SuspendedChange(AnnouncedChanges& changes)
      : changes_(changes), suspended_(changes.Suspend()) {}
  SuspendedChange(const SuspendedChange&) = delete;
  SuspendedChange& operator=(const SuspendedChange&) = delete;
  ~SuspendedChange() {
    if (suspended_) changes_.Resume();
  }

 private:
  AnnouncedChanges& changes_;
  const bool suspended_;
};

}  // namespace coalcheck::agent
