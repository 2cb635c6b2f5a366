// SPDX-License-Identifier: Apache-2.0
//
// What the agent does around a kernel launch: counts it in a window, lets it pass, or notes that it
// was captured into a graph.
#include <fmt/format.h>

#include <utility>

#include "injection/agent/agent.h"

namespace coalcheck::agent {
namespace {

// What LaunchBegins left for LaunchEnds on the same thread.
struct LaunchUnderWay {
  enum class Kind { kNothing, kPassedGate, kWindow };
  Kind kind = Kind::kNothing;
  ContextWatch* watch = nullptr;
  ShapeEntry* entry = nullptr;
  bool inside_another = false;  // it fell inside a window that was open already
};
thread_local LaunchUnderWay under_way;

}  // namespace

void Agent::LaunchBegins(ContextHandle context, StreamHandle stream, const LaunchSeen& launch) {
  under_way = {};
  if (Deaf()) return;
  ContextWatch* watch = Find(context);
  if (watch == nullptr) return;
  watch->AddStreamOnce(stream);
  ShapeEntry& entry = launch_book_.Find(launch);
  under_way.watch = watch;
  under_way.entry = &entry;
  if (watch->AnyCapture() && BeginCaptured(*watch, stream, entry)) return;

  if (watch->WindowLeftOpen()) TryClose(*watch, std::chrono::milliseconds(0));
  const selection::ShapeHistory history = entry.NextLaunch();
  ++launches_;
  Skip reason = entry.excluded() ? Skip::kExcluded : Skip::kSampling;
  if (stopped()) reason = Skip::kFailed;
  if (!stopped() && !entry.excluded() && selection::WantsWindow(options_.sampling, history)) {
    if (BeginWindow(*watch, entry, history, reason)) return;
  }
  BeginUnwindowed(*watch, entry, reason);
}

bool Agent::BeginCaptured(ContextWatch& watch, StreamHandle stream, ShapeEntry& entry) {
  const std::optional<CaptureId> capture = device_.CaptureOf(stream);
  if (!capture) return false;
  graph_book_.AddCaptured(*capture, entry);
  if (watch.PassGate()) under_way.kind = LaunchUnderWay::Kind::kPassedGate;
  return true;
}

// True when the launch goes on inside a window of its own; else `reason` says why not.
bool Agent::BeginWindow(ContextWatch& watch, ShapeEntry& entry,
                        const selection::ShapeHistory& history, Skip& reason) {
  const OpenResult result =
      watch.OpenForLaunch(WindowId(++windows_), LaunchOrdinal(launches_.load()), [&] {
        // Another thread may have counted the shape while this one waited for the gate.
        selection::ShapeHistory now = entry.History();
        now.earlier_launches = history.earlier_launches;
        return selection::WantsWindow(options_.sampling, now);
      });
  switch (result) {
    case OpenResult::kOpened:
      // First: whatever fails from here on, the launch's end leaves the gate.
      under_way.kind = LaunchUnderWay::Kind::kWindow;
      ++open_windows_;
      entry.Opened();
      watch.AddInside(entry, Launches(1));
      return true;
    case OpenResult::kGateBusy:
      entry.Missed();
      reason = Skip::kGateBusy;
      return false;
    case OpenResult::kNeverIdle:
      entry.Missed();
      reason = Skip::kNeverIdle;
      return false;
    case OpenResult::kCapturing:
      reason = Skip::kCapturing;
      return false;
    case OpenResult::kNotWanted:
      return false;
    case OpenResult::kFailed:
      reason = Skip::kFailed;
      Stop(fmt::format("nothing can be counted: {}", watch.error()));
      return false;
  }
  return false;
}

// The launch goes on without a window of its own. It may still fall inside an open one: left open
// by a kernel that has not ended, or waiting for a graph.
void Agent::BeginUnwindowed(ContextWatch& watch, ShapeEntry& entry, Skip reason) {
  if (watch.PassGate()) under_way.kind = LaunchUnderWay::Kind::kPassedGate;
  under_way.inside_another = watch.AddInside(entry, Launches(1));
  if (!under_way.inside_another) entry.Skipped(reason);
}

void Agent::LaunchEnds(bool succeeded) {
  const LaunchUnderWay launch = std::exchange(under_way, {});
  if (!succeeded && launch.inside_another) {
    launch.watch->TakeOutside(*launch.entry, Launches(1));
    launch.entry->Skipped(Skip::kFailed);
  }
  switch (launch.kind) {
    case LaunchUnderWay::Kind::kNothing:
      return;
    case LaunchUnderWay::Kind::kPassedGate:
      launch.watch->LeaveGate();
      return;
    case LaunchUnderWay::Kind::kWindow:
      break;
  }
  if (!succeeded) {
    launch.entry->GaveUp();
    GiveUpWindow(*launch.watch);
    return;
  }
  ClosedWindow closed;
  const CloseResult result = launch.watch->CloseAfterLaunch(closed);
  if (result == CloseResult::kStillOpen) launch.entry->EndedLate();
  Finish(*launch.watch, result, closed);
}

}  // namespace coalcheck::agent
