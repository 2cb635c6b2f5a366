// SPDX-License-Identifier: Apache-2.0
//
// One CUDA context under watch: its streams, its gate and the window that may be open in it.
//
// The life of a window
//   1. A launch that should be counted has the gate to itself, no code changes, no stream is
//      capturing, and every known stream is idle before the deadline: counting is enabled. Patching
//      needs all of that.
//   2. The launch goes to the driver, which patches the kernel and starts it.
//   3. The caller waits for its end, with a deadline; then the counts are taken, counting ends, and
//      the gate opens again.
//   4. Not ended by the deadline: the gate opens with the window still open, because the kernel may
//      need the application to go on. The window closes at the first call that finds everything
//      idle; launches made meanwhile are inside it.
// A graph has such a window, too: its launch is that of an instance made in it. Where that cannot
// be, a window opens before the application's instantiation and closes, by the same rule as 4, once
// every graph instantiated in it was launched, or when its deadline has passed.
// A resident window opens before the first launch and ends with the context; its counts are taken
// whenever everything is idle.
// A kernel that is only watched goes through 1 to 3 without counting.
//
//              OpenForLaunch                CloseAfterLaunch, ended in time
//    closed ─────────────────▶ open, gate held ─────────────────────────────▶ closed
//      │                             │ CloseAfterLaunch, outlived the deadline
//      │ OpenForMany                 ▼
//      └───────────────────▶ open, gate left ──TryClose, ShutDown──▶ closed
//                                    │ DiscardStuckWindow
//                                    ▼
//                            closed, and counting stays on for good
#pragma once

#include <atomic>
#include <chrono>
#include <cstdint>
#include <string>

#include "injection/agent/base/deadlines.h"
#include "injection/agent/base/device.h"
#include "injection/agent/code/code_changes.h"
#include "injection/agent/code/loaded_functions.h"
#include "injection/agent/windows/capture_set.h"
#include "injection/agent/windows/closed_window.h"
#include "injection/agent/windows/context_gate.h"
#include "injection/agent/windows/context_streams.h"
#include "injection/agent/windows/idle_backoff.h"
#include "injection/agent/windows/open_window.h"
#include "injection/agent/windows/sampling_turns.h"
#include "libcoalcheck/base/mutex.h"

namespace coalcheck::agent {

enum class OpenResult {
  kOpened,
  kGateBusy,
  kNeverIdle,
  kTooSoon,
  kCapturing,
  kNotWanted,
  kFailed,
  kUncountable
};
// kSpoiled: it was closed, but its counts cannot be attributed to its launches.
enum class CloseResult { kClosed, kStillOpen, kSpoiled, kFailed };

// Any thread. The context must be current where launches and captures are concerned. Lives as long
// as the agent, also when its context is gone: other threads may still refer to it.
class ContextWatch {
 public:
  // What all contexts share.
  struct Shared {
    Collector& collector;
    Device& device;
    Clock& clock;
    const CaptureSet& captures;
    CodeChanges& code_changes;
    const Deadlines& deadlines;
  };
  ContextWatch(ContextHandle handle, ContextId id, DeviceIndex device, const Shared& shared)
      : handle_(handle),
        id_(id),
        device_index_(device),
        collector_(shared.collector),
        clock_(shared.clock),
        captures_(shared.captures),
        deadlines_(shared.deadlines),
        streams_(handle, shared.device, shared.clock, shared.captures),
        gate_(shared.clock, shared.captures, shared.code_changes, deadlines_.Gate()),
        window_(shared.clock, deadlines_.graph) {}

  ContextHandle handle() const { return handle_; }
  ContextId id() const { return id_; }
  DeviceIndex device() const { return device_index_; }
  ContextStreams& streams() { return streams_; }
  ContextGate& gate() { return gate_; }
  OpenWindow& window() { return window_; }
  const OpenWindow& window() const { return window_; }
  IdleBackoff& backoff() { return backoff_; }
  SamplingTurns& sampling_turns() { return sampling_turns_; }
  LoadedFunctions& loaded_functions() { return loaded_functions_; }

  // Its device cannot count any more.
  void SetUncountable() { countable_ = false; }
  // Whether counting may be on here: in a window, or for good, where one was discarded as stuck or
  // ending it failed.
  bool MayCount() const {
    // In this order, as the window goes after counting is known to stay.
    return window_.is_open() || counts_for_good_;
  }

  // Opens a window for one launch, of a kernel or of a graph, and keeps the gate. `still_wanted` is
  // asked once more behind the gate. kFailed: error() says why. Anything but kOpened leaves the
  // gate.
  template <typename StillWanted>
  OpenResult OpenForLaunch(WindowId window, LaunchOrdinal launch, recording::WindowKind kind,
                           StillWanted still_wanted);
  // After the launch: waits up to `patience`, takes the counts and leaves the gate in every case.
  CloseResult CloseAfterLaunch(std::chrono::milliseconds patience, ClosedWindow& closed);
  // The launch failed: nothing was counted. Leaves the gate; `discarded` says what was inside.
  // kFailed: counting could not be ended, error() says why.
  CloseResult DiscardWindow(ClosedWindow& discarded);

  // Like OpenForLaunch, but nothing is counted: the gate is kept once everything is idle.
  template <typename StillWanted>
  OpenResult HoldForWatch(StillWanted still_wanted) {
    return EnterIdle(still_wanted);
  }
  // After the watched launch: whether its kernel ended in time. Leaves the gate.
  bool EndedWhileWatched() { return EndedWithin(deadlines_.watch); }
  bool EndedWithin(std::chrono::milliseconds patience);

  // Opens a window of many launches: for the graphs that are instantiated next, or for good
  // (kResident). Leaves the gate.
  OpenResult OpenForMany(WindowId window, LaunchOrdinal launch, recording::WindowKind kind);
  // Takes the counts of a resident window when everything is idle now; the next part of it is
  // called `next`.
  CloseResult FlushResident(WindowId next, LaunchOrdinal launch, ClosedWindow& closed);
  // Since that was last tried; very long when it never was.
  Clock::TimePoint::duration TimeSinceFlush() const {
    return clock_.Now() - Clock::TimePoint(Clock::TimePoint::duration(last_flush_.load()));
  }

  // Closes a window left open, when everything in it has ended. Waits up to `patience`.
  CloseResult TryClose(std::chrono::milliseconds patience, GraphWait graph_wait,
                       ClosedWindow& closed);
  // Closes the open window, if any, when all that runs has ended in time: nothing begins here any
  // more until the gate is left. Nothing: not so. `result` is kStillOpen where there was no window.
  HeldGate ShutDown(const KeptOut& changes, std::chrono::milliseconds patience, CloseResult& result,
                    ClosedWindow& closed);
  // The open window, if any, will never be closed, and counting stays on: says what was inside.
  // False when there is none, or a thread is at work on it.
  bool DiscardStuckWindow(ClosedWindow& discarded);

  std::string error() const;

 private:
  // Enters the gate alone, once all is idle; whatever is not kOpened has left it.
  template <typename StillWanted>
  OpenResult EnterIdle(StillWanted still_wanted);
  OpenResult OpenBehindGate(WindowId window, LaunchOrdinal launch, recording::WindowKind kind);
  CloseResult CloseBehindGate(ClosedWindow& closed);
  void SetError(const std::string& error);

  const ContextHandle handle_;
  const ContextId id_;
  const DeviceIndex device_index_;
  Collector& collector_;
  Clock& clock_;
  const CaptureSet& captures_;
  const Deadlines deadlines_;

  ContextStreams streams_;
  ContextGate gate_;
  OpenWindow window_;
  IdleBackoff backoff_;
  SamplingTurns sampling_turns_;
  LoadedFunctions loaded_functions_;
  std::atomic<bool> countable_{true};
  std::atomic<bool> counts_for_good_{false};  // nobody will end it any more
  std::atomic<Clock::TimePoint::rep> last_flush_{0};
  mutable Mutex error_mutex_;
  std::string error_ COALCHECK_GUARDED_BY(error_mutex_);
};

template <typename StillWanted>
OpenResult ContextWatch::EnterIdle(StillWanted still_wanted) {
  if (!countable_) return OpenResult::kUncountable;
  if (captures_.any()) return OpenResult::kCapturing;
  if (window_.left_open()) return OpenResult::kNotWanted;
  if (backoff_.TooSoon()) return OpenResult::kTooSoon;
  const std::uint64_t misses = backoff_.misses();
  HeldGate held = gate_.Enter(deadlines_.open);
  if (!held) {
    backoff_.Missed(misses);
    return OpenResult::kGateBusy;
  }
  if (!countable_ || counts_for_good_ || window_.is_open() || !still_wanted()) {
    return OpenResult::kNotWanted;
  }
  if (captures_.any()) return OpenResult::kCapturing;
  if (!streams_.WaitIdle(deadlines_.open)) {
    backoff_.Missed(misses);
    return OpenResult::kNeverIdle;
  }
  backoff_.FoundIdle();
  held.Keep();
  return OpenResult::kOpened;
}

template <typename StillWanted>
OpenResult ContextWatch::OpenForLaunch(WindowId window, LaunchOrdinal launch,
                                       recording::WindowKind kind, StillWanted still_wanted) {
  OpenResult result = EnterIdle(still_wanted);
  if (result != OpenResult::kOpened) return result;
  HeldGate held(gate_);
  result = OpenBehindGate(window, launch, kind);
  if (result == OpenResult::kOpened) held.Keep();
  return result;
}

}  // namespace coalcheck::agent
