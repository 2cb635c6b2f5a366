// SPDX-License-Identifier: Apache-2.0
//
// Releases CUPTI while the process goes on, for a profiler of its own.
//
//    running ──TryRelease──▶ releasing ──▶ running (released, or nothing has changed)
//       │                        │
//       └──────ForbidReleases────┴──▶ ending
#pragma once

#include <atomic>
#include <functional>
#include <vector>

#include "injection/agent/counting/parts.h"

namespace coalcheck::agent {

// TryRelease is called on Tick's thread, ForbidReleases by the thread that ends the process: the
// two do not overlap.
class CuptiRelease {
 public:
  explicit CuptiRelease(Parts& parts) : parts_(parts) {}

  // Closes and takes down all counting, is deaf from then on, and calls `unsubscribe`. False:
  // something runs, a thread is at work, the process ends, or it was released before; nothing has
  // changed.
  bool TryRelease(const std::function<void()>& unsubscribe);
  // Waits for a release that is under way, for a while; none begins from here on.
  void ForbidReleases();

 private:
  bool Release(const std::function<void()>& unsubscribe);
  // With all gates held. False: something runs, or a context came or went; nothing was done.
  bool TakeAllDown(const std::vector<ContextWatch*>& watches);

  enum class Phase { kRunning, kReleasing, kEnding };
  Parts& parts_;
  std::atomic<bool> refused_{false};  // for good, and that was said
  std::atomic<Phase> phase_{Phase::kRunning};
};

}  // namespace coalcheck::agent
