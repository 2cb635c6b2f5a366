// SPDX-License-Identifier: Apache-2.0
//
// Follows graphs. A graph's kernels are counted when counting is on from before its instantiation
// to the end of that instance's first launch; later launches run unpatched and are not seen. An
// instance that was made so stays some 0.5 us slower for each kernel: so one of the agent's own is
// made, and launched in place of the application's, when that is launched for the first time.
#pragma once

#include <optional>

#include "injection/agent/counting/parts.h"
#include "injection/agent/graphs/capture_tracker.h"
#include "injection/agent/graphs/graph_book.h"
#include "injection/agent/graphs/graph_vetting.h"

namespace coalcheck::agent {

struct GraphLaunchUnderWay;

// Told of the driver's calls on graphs by the thread that makes them; what …Begins leaves for its
// …Ends lies in ThisThread(). Any thread, with the graph's context current.
class GraphTracker {
 public:
  GraphTracker(Parts& parts, CaptureTracker& captures)
      : parts_(parts), captures_(captures), vetting_(parts, captures) {}

  struct Instantiation {
    bool uploads = false;     // the same call uploads it to the device, before its first launch
    bool for_device = false;  // kernels may launch it: it is not to be launched by another name
  };
  void InstantiateBegins(ContextHandle context, GraphHandle graph, Instantiation how);
  // `exec` is empty when the call failed.
  void InstantiateEnds(std::optional<GraphExecHandle> exec);
  // It was uploaded before its first launch, which then cannot be counted.
  void Uploaded(GraphExecHandle exec);
  // It was updated in place: it may hold other kernels than it was instantiated with.
  void Updated(GraphExecHandle exec);
  // It was changed in place, and holds the same kernels.
  void Changed(GraphExecHandle exec);
  void ExecDestroyed(GraphExecHandle exec);
  // The instance that the driver shall launch.
  GraphExecHandle LaunchBegins(ContextHandle context, StreamHandle stream, GraphExecHandle exec);
  void LaunchEnds(bool succeeded);

  // This thread has launched a plain kernel: graphs can be counted again.
  static void LaunchedPlainly() { GraphVetting::LaunchedPlainly(); }
  // Moves the launches outside windows into the tallies.
  void FoldReplays() { book_.FoldReplays(); }

 private:
  void OpenWindowFor(ContextWatch& watch);
  // Opens a window for this launch alone, and makes the instance that is launched.
  bool BeginCounted(ContextWatch& watch, GraphKernels& kernels);
  void EndCounted(const GraphLaunchUnderWay& launch, bool succeeded);
  GraphExecHandle LaunchedFor(GraphKernels& kernels, GraphExecHandle exec, bool inside);
  bool MayCount() const { return !parts_.lifecycle.stopped() && !parts_.session.Full(); }
  // Notes the window that is open, where the graph will be counted in it.
  void EnterWindow(const ContextWatch& watch, GraphKernels& kernels) const;
  bool IsInsideWindow(const ContextWatch& watch, const GraphKernels* kernels) const;
  static void EndWatched(ContextWatch& watch, GraphKernels& kernels, bool launched);
  void LaunchedOutside(ContextWatch& watch, GraphKernels* kernels);

  Parts& parts_;
  CaptureTracker& captures_;
  GraphVetting vetting_;
  GraphBook book_{parts_.uncounted};
};

}  // namespace coalcheck::agent
