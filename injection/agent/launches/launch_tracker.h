// SPDX-License-Identifier: Apache-2.0
//
// Follows a kernel launch from its call to its return: counts it in a window, watches how it ends,
// lets it pass, or leaves it to the graph it is captured into.
#pragma once

#include <optional>

#include "injection/agent/base/thread_state.h"
#include "injection/agent/counting/parts.h"
#include "injection/agent/graphs/capture_tracker.h"

namespace coalcheck::agent {

// Told of each launch by the thread that makes it: Begin before the driver does it, End after; what
// the one leaves for the other lies in ThisThread(). Any thread, with the launch's context current.
class LaunchTracker {
 public:
  LaunchTracker(Parts& parts, CaptureTracker& captures) : parts_(parts), captures_(captures) {}

  void Begin(ContextHandle context, StreamHandle stream, const LaunchSeen& launch);
  // `call` tells of the launch that ends; none: nothing is known of it.
  void End(bool succeeded, const LaunchCall* call = nullptr);

 private:
  void BeginSelected(ContextWatch& watch, const LaunchSeen& launch);
  // Why the launch is not counted, if it is not. What is decided before a window is asked for.
  Skip ReasonAgainst(const ShapeEntry& entry, const selection::ShapeHistory& history,
                     std::optional<Skip> left_out) const;
  // All are true when the launch goes on inside a window of its own, watched or timed; else
  // `reason` says why not.
  bool BeginCounted(ContextWatch& watch, ShapeEntry& entry, const LaunchSeen& launch,
                    const selection::ShapeHistory& history, Skip& reason);
  bool BeginWatched(ContextWatch& watch, ShapeEntry& entry, Skip& reason);
  bool BeginWindow(ContextWatch& watch, ShapeEntry& entry, const selection::ShapeHistory& history,
                   Skip& reason);
  // The launch runs as it is, to show how long its kernel takes.
  bool BeginTimed(ContextWatch& watch, ShapeEntry& entry, Skip& reason);
  // Whether the gate is held now; else `reason` says why not.
  bool IsHeld(const ContextWatch& watch, ShapeEntry& entry, OpenResult result, Skip& reason);
  // The launch goes on without a window of its own. It may still fall inside an open one: left open
  // by a kernel that has not ended, waiting for a graph, or resident.
  void BeginUnwindowed(ContextWatch& watch, ShapeEntry& entry, FunctionHandle function,
                       Skip reason);
  void EndInside(const LaunchUnderWay& launch, bool succeeded, const LaunchCall* call);
  void EndWatched(const LaunchUnderWay& launch, bool succeeded);
  void EndTimed(const LaunchUnderWay& launch, bool succeeded);
  void EndWindow(const LaunchUnderWay& launch, bool succeeded);

  Parts& parts_;
  CaptureTracker& captures_;
};

}  // namespace coalcheck::agent
