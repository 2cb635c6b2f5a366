// SPDX-License-Identifier: Apache-2.0
//
// The windows of all contexts: numbered as they are opened, and recorded as they are closed or
// discarded.
#pragma once

#include <chrono>
#include <optional>
#include <string_view>
#include <vector>

#include "injection/agent/base/deadlines.h"
#include "injection/agent/contexts/all_gates.h"
#include "injection/agent/counting/run_counters.h"
#include "injection/agent/counting/window_policy.h"
#include "injection/agent/session/lifecycle.h"
#include "injection/agent/session/session.h"
#include "injection/agent/windows/context_watch.h"

namespace coalcheck::agent {

// Called around launches and instantiations, when the program waits for the device, and when
// contexts or the process end. Any thread. A window is closed (its counts are recorded), or
// discarded (its launches are recorded as not counted).
class Windows {
 public:
  Windows(Session& session, Lifecycle& lifecycle, RunCounters& counters, WindowPolicy& policy,
          CodeChanges& code_changes, Clock& clock, const Deadlines& deadlines)
      : session_(session),
        lifecycle_(lifecycle),
        counters_(counters),
        policy_(policy),
        code_changes_(code_changes),
        clock_(clock),
        deadlines_(deadlines) {}

  bool AnyOpen() const { return counters_.open_windows.load(std::memory_order_relaxed) > 0; }

  // Opens one for a launch and keeps the gate, as ContextWatch does.
  template <typename StillWanted>
  OpenResult OpenForLaunch(ContextWatch& watch, StillWanted still_wanted) {
    return watch.OpenForLaunch(NextId(), LaunchOrdinal(counters_.launches.load()),
                               recording::WindowKind::kLaunch, still_wanted);
  }
  // The same for the launch of a graph, until EndGraph.
  template <typename StillWanted>
  bool OpenForGraph(ContextWatch& watch, StillWanted still_wanted) {
    return NoteOpened(watch, watch.OpenForLaunch(NextId(), LaunchOrdinal(counters_.launches.load()),
                                                 recording::WindowKind::kGraph, still_wanted));
  }
  // The launch of `entry` goes on inside the window that was opened for it, until EndLaunch.
  void BeginLaunch(ContextWatch& watch, ShapeEntry& entry);
  void EndLaunch(ContextWatch& watch, ShapeEntry& entry, bool succeeded,
                 std::chrono::milliseconds patience);
  // Leaves the gate in every case. Not launched: nothing was counted.
  CloseResult EndGraph(ContextWatch& watch, bool launched, std::chrono::milliseconds patience) {
    return End(watch, launched, patience);
  }
  // Opens one for graphs or for good, where that is possible now.
  void OpenForMany(ContextWatch& watch, recording::WindowKind kind);

  // Closes a window left open, when everything in it has ended, or has in so long.
  void TryClose(ContextWatch& watch, std::chrono::milliseconds patience,
                GraphWait graph_wait = GraphWait::kUntilLaunched);
  // The last chance of a window: closes it now, or discards it, which is said with this reason.
  void CloseOrDiscard(ContextWatch& watch, std::string_view why_lost);
  // A window that has outlived its deadline is waited for, once as long again, before anything is
  // launched: what is launched while it is open is slow.
  void WaitBehindLate(ContextWatch& watch);
  // What comes had better not run inside a window that was left open. Waits, but like every wait
  // for an idle context ever more rarely.
  void CloseBeforeRisk(ContextWatch& watch);
  // Takes the counts of a resident window, where all is idle now.
  void FlushResident(ContextWatch& watch);
  // Closes what is open in the contexts; they can do nothing as long as their gates are held.
  // Nothing: not all could be closed in time.
  std::optional<HeldGates> ShutDown(const std::vector<ContextWatch*>& watches,
                                    std::chrono::milliseconds patience);

 private:
  WindowId NextId() { return WindowId(++counters_.windows); }
  bool NoteOpened(const ContextWatch& watch, OpenResult result);
  // Of the window that the gate is held for.
  CloseResult End(ContextWatch& watch, bool launched, std::chrono::milliseconds patience);
  // Records what closing a window brought.
  void Finish(ContextWatch& watch, CloseResult result, ClosedWindow& closed);
  void RecordClosed(const ContextWatch& watch, ClosedWindow& closed);
  void RecordDiscarded(const ClosedWindow& discarded);
  void NameSlowed(const ClosedWindow& closed);

  Session& session_;
  Lifecycle& lifecycle_;
  RunCounters& counters_;
  WindowPolicy& policy_;
  CodeChanges& code_changes_;
  Clock& clock_;
  const Deadlines& deadlines_;
};

}  // namespace coalcheck::agent
