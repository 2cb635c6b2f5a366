// SPDX-License-Identifier: Apache-2.0
//
// Taking CUPTI down waits in the driver for all running work, behind the gates of all contexts. It
// is done only where nothing runs, and nobody waits for that.
#include "injection/agent/lifetime/cupti_release.h"

#include <algorithm>
#include <optional>

#include "injection/agent/base/poll_until.h"

namespace coalcheck::agent {
namespace {

constexpr std::chrono::milliseconds kWithoutWaiting{0};

}  // namespace

bool CuptiRelease::TryRelease(const std::function<void()>& unsubscribe) {
  Phase running = Phase::kRunning;
  if (!phase_.compare_exchange_strong(running, Phase::kReleasing)) return false;
  struct Leave {
    std::atomic<Phase>& phase;
    ~Leave() {
      Phase releasing = Phase::kReleasing;
      phase.compare_exchange_strong(releasing, Phase::kRunning);
    }
  } const leave{phase_};
  return !parts_.lifecycle.ended() && !parts_.lifecycle.released() && Release(unsubscribe);
}

void CuptiRelease::ForbidReleases() {
  PollUntil(parts_.clock, parts_.deadlines.close, [this] {
    Phase running = Phase::kRunning;
    return phase_.compare_exchange_strong(running, Phase::kEnding) || running == Phase::kEnding;
  });
  phase_ = Phase::kEnding;  // also where a release took too long
}

bool CuptiRelease::Release(const std::function<void()>& unsubscribe) {
  const std::vector<ContextWatch*> watches = parts_.contexts.All();
  if (parts_.contexts.AnyDeviceStillCounts()) {
    if (!refused_.exchange(true)) {
      parts_.session.WriteLoss(
          recording::loss::kNotReleased,
          "CUPTI is kept: a context was destroyed while a window was open in it", 1);
    }
    return false;
  }
  {
    if (parts_.captures.any()) return false;
    const std::optional<HeldGates> held = parts_.windows.ShutDown(watches, kWithoutWaiting);
    if (!held || !TakeAllDown(watches)) return false;
  }
  parts_.session.WriteLoss(recording::loss::kReleased,
                           "CUPTI was given back: later launches were not seen", 1);
  unsubscribe();
  return true;
}

bool CuptiRelease::TakeAllDown(const std::vector<ContextWatch*>& watches) {
  // After a release this change never ends: nothing counts any more.
  parts_.code_changes.Begin(parts_.clock, kWithoutWaiting);
  // A context that was made or destroyed meanwhile may be at work on its own.
  const bool alone = parts_.code_changes.KeptOutBy(watches.size()) &&
                     parts_.contexts.All() == watches && !parts_.contexts.AnyDeviceStillCounts();
  if (!alone || !std::ranges::all_of(watches, [](ContextWatch* watch) {
        return watch->streams().WaitIdle(kWithoutWaiting);
      })) {
    parts_.code_changes.End();
    return false;
  }
  for (const ContextWatch* watch : watches) parts_.sampling.EndIdle(*watch);
  for (ContextWatch* watch : watches) {
    watch->SetUncountable();  // for threads that wait at the gate to open a window
    parts_.collector.TakeDown(watch->handle());
  }
  parts_.lifecycle.ReleasedCupti();  // from here on nobody needs the gates
  return true;
}

}  // namespace coalcheck::agent
