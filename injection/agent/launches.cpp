// SPDX-License-Identifier: Apache-2.0
//
// What the agent does around a kernel launch: counts it in a window, watches how it ends, lets it
// pass, or leaves it to the graph it is captured into.
#include <fmt/format.h>

#include <utility>

#include "injection/agent/alone.h"

namespace coalcheck::agent {
namespace {

// What LaunchBegins left for LaunchEnds on the same thread.
struct LaunchUnderWay {
  enum class Kind { kNothing, kQuiet, kPassedGate, kWatched, kWindow };
  Kind kind = Kind::kNothing;
  ContextWatch* watch = nullptr;
  StreamHandle stream;
  ShapeEntry* entry = nullptr;  // none: captured
  bool inside_another = false;  // it fell inside a window that was open already
  Clock::TimePoint held_since;  // kWindow, kWatched
};
thread_local LaunchUnderWay launch_under_way;

}  // namespace

// Another thread may still have a window open, or sample.
ContextWatch* Agent::PassQuietly(ContextHandle context, FunctionHandle function) {
  if (released_ || forked_) return nullptr;
  ContextWatch* watch = Find(context);
  if (watch != nullptr && function != FunctionHandle(0)) LoadBeforeLaunch(*watch, function);
  return watch != nullptr && watch->PassGate() ? watch : nullptr;
}

void Agent::LaunchBegins(ContextHandle context, StreamHandle stream, const LaunchSeen& launch) {
  launch_under_way = {};
  if (Deaf()) {
    launch_under_way.watch = PassQuietly(context, launch.function);
    if (launch_under_way.watch != nullptr) launch_under_way.kind = LaunchUnderWay::Kind::kQuiet;
    return;
  }
  ContextWatch* watch = Find(context);
  if (watch == nullptr) return;
  watch->AddStreamOnce(stream);
  watch->CountLaunch();
  launch_under_way.watch = watch;
  launch_under_way.stream = stream;
  LoadBeforeLaunch(*watch, launch.function);
  if (watch->AnyCapture() && device_.IsCapturing(stream)) {
    if (watch->PassGate()) launch_under_way.kind = LaunchUnderWay::Kind::kPassedGate;
    return;  // its graph will tell
  }
  BeginSampling(*watch);
  LaunchSeen seen = launch;
  seen.ranges = ranges_.Current();
  ShapeEntry& entry = launch_book_.Find(seen);
  WriteNewRanges();
  launch_under_way.entry = &entry;
  if (options_.collection == options::Collection::kResident) BeginResident(*watch);
  WaitBehindLate(*watch);
  const std::optional<Skip> left_out = LeftOut(entry, launch.function);
  const selection::ShapeHistory history =
      entry.NextLaunch(options_.sampling.kind, left_out.has_value());
  ++launches_;
  Skip reason = entry.excluded() ? Skip::kExcluded : Skip::kSampling;
  if (options_.collection == options::Collection::kResident) reason = Skip::kNeverIdle;
  if (stopped() || session_.Full()) reason = Skip::kFailed;
  if (history.ended_late) reason = Skip::kWaits;
  if (left_out) reason = *left_out;
  const bool wanted = !stopped() && !session_.Full() && !entry.excluded() && !left_out &&
                      options_.collection == options::Collection::kWindows &&
                      MayHaveWindow(entry, history, reason);
  if (wanted && BeginCounted(*watch, entry, launch.function, history, reason)) return;
  BeginUnwindowed(*watch, entry, launch.function, reason);
}

std::optional<Skip> Agent::LeftOut(ShapeEntry& entry, FunctionHandle function) {
  if (entry.kernel().undecided.load(std::memory_order_relaxed)) {
    NeedCode(entry, function);
    launch_book_.Decide(entry, code_.InlinedFunctions(entry.shape().kernel));
  }
  if (entry.left_out()) return entry.left_out();
  if (!switched_on_.load(std::memory_order_relaxed)) return Skip::kSwitchedOff;
  if (!launch_book_.Admits(entry)) return Skip::kLaunchRange;
  return std::nullopt;
}

// Under lazy loading a kernel's first launch in a context is what loads its code there. That must
// not happen while counting begins or ends in another context; those of its own have the gate.
void Agent::LoadBeforeLaunch(ContextWatch& watch, FunctionHandle function) {
  if (contexts_made_.load(std::memory_order_relaxed) < 2) return;
  if (watch.loaded_functions().Contains(function)) return;
  const ChangingCode changing(*this);
  device_.LoadCode(function);
  watch.loaded_functions().Add(function);
}

void Agent::NeedCode(const ShapeEntry& entry, FunctionHandle function) {
  if (function == FunctionHandle(0) || code_.Knows(entry.shape().kernel)) return;
  const ChangingCode changing(*this);
  device_.LoadCode(function);
}

Trust Agent::TrustOf(const ShapeEntry& entry, FunctionHandle function) {
  KernelTrust& trust = entry.trust();
  if (trust.get() == Trust::kUnknown) {
    const bool dares = options_.waiting_kernels == options::WaitingKernels::kWindow;
    if (!dares) NeedCode(entry, function);
    if (!code_.HasLines(entry.shape().kernel)) ++kernels_without_lines_;
    const bool waits = !dares && code_.MayWaitForOthers(entry.shape().kernel);
    trust.Set(waits ? Trust::kSuspect : Trust::kFree);
  }
  return trust.get();
}

bool Agent::BeginCounted(ContextWatch& watch, ShapeEntry& entry, FunctionHandle function,
                         const selection::ShapeHistory& history, Skip& reason) {
  launch_under_way.held_since = clock_.Now();
  switch (TrustOf(entry, function)) {
    case Trust::kNeedsOthers:
      reason = Skip::kWaits;
      return false;
    case Trust::kUnknown:
    case Trust::kSuspect:
      return BeginWatched(watch, entry, reason);
    case Trust::kFree:
    case Trust::kEndsAlone:
      break;
  }
  const OpenResult result =
      watch.OpenForLaunch(WindowId(++windows_), LaunchOrdinal(launches_.load()), [&] {
        // Another thread may have counted the shape while this one waited for the gate.
        selection::ShapeHistory now = entry.History(options_.sampling.kind);
        now.earlier_launches = history.earlier_launches;
        return selection::WantsWindow(options_.sampling, now);
      });
  if (!BeginHeld(watch, entry, result, reason)) return false;
  launch_under_way.kind = LaunchUnderWay::Kind::kWindow;
  ++open_windows_;
  entry.Opened();
  watch.AddInside(entry, Launches(1));
  return true;
}

std::chrono::milliseconds Agent::CloseDeadlineOf(const ShapeEntry& entry) const {
  const bool looked_at = options_.waiting_kernels != options::WaitingKernels::kWindow;
  const bool has_no_signs = looked_at && entry.trust().get() == Trust::kFree;
  return has_no_signs ? deadlines_.close : deadlines_.close_waiting;
}

void Agent::WaitBehindLate(ContextWatch& watch) {
  if (!watch.WindowLeftOpen()) return;
  const Clock::TimePoint start = clock_.Now();
  TryClose(watch, watch.PatienceBehind());
  watch.WaitedBehind(clock_.Now() - start);
  Charge(start);
}

bool Agent::BeginWatched(ContextWatch& watch, ShapeEntry& entry, Skip& reason) {
  reason = Skip::kWaits;
  if (options_.waiting_kernels == options::WaitingKernels::kSkip) return false;
  const OpenResult result = watch.HoldForWatch(
      [&entry] { return entry.trust().get() == Trust::kSuspect; });  // nobody has watched it since
  if (!BeginHeld(watch, entry, result, reason)) return false;
  launch_under_way.kind = LaunchUnderWay::Kind::kWatched;
  return true;
}

// Whether the gate is held now; else `reason` says why not.
bool Agent::BeginHeld(ContextWatch& watch, ShapeEntry& entry, OpenResult result, Skip& reason) {
  switch (result) {
    case OpenResult::kOpened:
      return true;
    case OpenResult::kGateBusy:
      Charge(launch_under_way.held_since);
      entry.Missed();
      reason = Skip::kGateBusy;
      return false;
    case OpenResult::kNeverIdle:
      Charge(launch_under_way.held_since);
      entry.Missed();
      reason = Skip::kNeverIdle;
      return false;
    case OpenResult::kTooSoon:
      reason = Skip::kNeverIdle;
      return false;
    case OpenResult::kCapturing:
      reason = Skip::kCapturing;
      return false;
    case OpenResult::kNotWanted:
      reason = Skip::kSampling;
      return false;
    case OpenResult::kUncountable:
      ++too_late_launches_;
      reason = Skip::kFailed;
      return false;
    case OpenResult::kFailed:
      reason = Skip::kFailed;
      Stop(fmt::format("nothing can be counted: {}", watch.error()));
      return false;
  }
  return false;
}

// The launch goes on without a window of its own. It may still fall inside an open one: left open
// by a kernel that has not ended, waiting for a graph, or resident.
void Agent::BeginUnwindowed(ContextWatch& watch, ShapeEntry& entry, FunctionHandle function,
                            Skip reason) {
  // Such a kernel had better not wait inside a window that waits for a graph.
  if (watch.WindowLeftOpen() && !entry.excluded()) {
    TrustOf(entry, function);
    if (!entry.trust().MayBeHeld()) CloseBeforeRisk(watch);
  }
  if (watch.PassGate()) launch_under_way.kind = LaunchUnderWay::Kind::kPassedGate;
  launch_under_way.inside_another = watch.AddInside(entry, Launches(1));
  if (!launch_under_way.inside_another) entry.Skipped(reason);
}

// What comes had better not run inside a window that was left open. Waits, but like every wait for
// an idle context ever more rarely.
void Agent::CloseBeforeRisk(ContextWatch& watch) {
  if (!watch.WindowLeftOpen()) return;
  const bool patient = !watch.TooSoonToTry();
  const std::uint64_t misses = watch.Misses();
  TryClose(watch, patient ? deadlines_.open : std::chrono::milliseconds(0), GraphWait::kNoMore);
  if (patient && watch.WindowLeftOpen()) watch.NotIdle(misses);
}

void Agent::LaunchEnds(bool succeeded, const LaunchCall* call) {
  const LaunchUnderWay launch = std::exchange(launch_under_way, {});
  if (launch.kind == LaunchUnderWay::Kind::kQuiet) return launch.watch->LeaveGate();
  const bool was_captured = launch.entry == nullptr;
  if (succeeded && !was_captured) LaunchedPlainly();
  if (succeeded && was_captured && launch.watch != nullptr)
    EndCaptured(*launch.watch, launch.stream);
  if (!succeeded && launch.inside_another) {
    launch.watch->TakeOutside(*launch.entry, Launches(1));
    launch.entry->Skipped(Skip::kFailed);
  }
  const bool is_counted = launch.kind == LaunchUnderWay::Kind::kWindow || launch.inside_another;
  if (succeeded && is_counted && call != nullptr && options_.record_arguments) {
    launch.watch->AddArguments(*launch.entry, [call] { return call->Arguments(); });
  }
  switch (launch.kind) {
    case LaunchUnderWay::Kind::kNothing:
    case LaunchUnderWay::Kind::kQuiet:
      return;
    case LaunchUnderWay::Kind::kPassedGate:
      return launch.watch->LeaveGate();
    case LaunchUnderWay::Kind::kWatched:
      EndWatched(*launch.watch, *launch.entry, succeeded);
      return Charge(launch.held_since);
    case LaunchUnderWay::Kind::kWindow:
      EndWindow(*launch.watch, *launch.entry, succeeded);
      if (succeeded) NoteCost(*launch.entry, launch.held_since);
      return Charge(launch.held_since);
  }
}

// Its kernel belongs to the ranges and the context of the capture, wherever the graph is launched.
void Agent::EndCaptured(const ContextWatch& watch, StreamHandle stream) {
  const Capturing where{ranges_.Current(), watch.handle()};
  if (where.ranges == RangeSetId(0) && contexts_made_.load() < 2) return;
  if (const auto node = device_.LastCaptured(stream)) captured_nodes_.Captured(*node, where);
}

void Agent::EndWatched(ContextWatch& watch, ShapeEntry& entry, bool succeeded) {
  const bool ended = watch.EndedWhileWatched();
  if (!succeeded) return entry.Skipped(Skip::kFailed);  // nothing ran: nothing was learned
  if (ended) {
    entry.trust().EndedWhileWatched();
  } else {
    entry.trust().Set(Trust::kNeedsOthers);
  }
  entry.Skipped(ended ? Skip::kWatched : Skip::kWaits);
}

void Agent::EndWindow(ContextWatch& watch, ShapeEntry& entry, bool succeeded) {
  if (!succeeded) {
    entry.GaveUp();
    GiveUpWindow(watch);
    return;
  }
  ClosedWindow closed;
  const CloseResult result = watch.CloseAfterLaunch(CloseDeadlineOf(entry), closed);
  if (result == CloseResult::kStillOpen) entry.EndedLate();
  Finish(watch, result, closed);
}

}  // namespace coalcheck::agent
