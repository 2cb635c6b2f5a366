// SPDX-License-Identifier: Apache-2.0
//
// The ways a launch may go.
#include "injection/agent/launches/launch_tracker.h"

#include <fmt/format.h>

#include <utility>

#include "injection/agent/graphs/graph_tracker.h"

namespace coalcheck::agent {
namespace {

using Kind = LaunchUnderWay::Kind;

}  // namespace

void LaunchTracker::Begin(ContextHandle context, StreamHandle stream, const LaunchSeen& launch) {
  LaunchUnderWay& under_way = ThisThread().launch;
  under_way = {};
  if (parts_.IsDeaf()) {
    under_way.watch = parts_.PassQuietly(context, launch.function);
    if (under_way.watch != nullptr) under_way.kind = Kind::kQuiet;
    return;
  }
  ContextWatch* watch = parts_.contexts.Find(context);
  if (watch == nullptr) return;
  watch->streams().AddOnce(stream);
  watch->backoff().CountLaunch();
  under_way.watch = watch;
  under_way.stream = stream;
  parts_.vetting.LoadBeforeLaunch(*watch, launch.function);
  if (captures_.IsCapturing(stream)) {
    if (watch->gate().Pass()) under_way.kind = Kind::kPassedGate;
    return;  // its graph will tell
  }
  parts_.sampling.Begin(*watch);
  BeginSelected(*watch, launch);
}

void LaunchTracker::BeginSelected(ContextWatch& watch, const LaunchSeen& launch) {
  LaunchSeen seen = launch;
  seen.ranges = parts_.ranges.Current();
  ShapeEntry& entry = parts_.launch_book.Find(seen);
  parts_.WriteNewRanges();
  ThisThread().launch.entry = &entry;
  ThisThread().launch.function = launch.function;
  parts_.resident.Begin(watch);
  parts_.windows.WaitBehindLate(watch);
  const std::optional<Skip> left_out = parts_.vetting.LeftOut(entry, launch.function);
  const selection::ShapeHistory history =
      entry.NextLaunch(parts_.options.sampling.kind, left_out.has_value());
  ++parts_.counters.launches;
  Skip reason = ReasonAgainst(entry, history, left_out);
  const bool wanted = !parts_.lifecycle.stopped() && !parts_.session.Full() && !entry.excluded() &&
                      !left_out && !parts_.resident.is_wanted() &&
                      parts_.policy.MayHaveWindow(entry, history, reason);
  if (wanted && BeginCounted(watch, entry, launch, history, reason)) return;
  BeginUnwindowed(watch, entry, launch.function, reason);
}

Skip LaunchTracker::ReasonAgainst(const ShapeEntry& entry, const selection::ShapeHistory& history,
                                  std::optional<Skip> left_out) const {
  if (left_out) return *left_out;
  if (history.ended_late) return Skip::kWaits;
  if (parts_.lifecycle.stopped() || parts_.session.Full()) return Skip::kFailed;
  if (parts_.resident.is_wanted()) return Skip::kNeverIdle;
  return entry.excluded() ? Skip::kExcluded : Skip::kSampling;
}

bool LaunchTracker::BeginCounted(ContextWatch& watch, ShapeEntry& entry, const LaunchSeen& launch,
                                 const selection::ShapeHistory& history, Skip& reason) {
  LaunchUnderWay& under_way = ThisThread().launch;
  under_way.held_since = parts_.clock.Now();
  switch (parts_.vetting.TrustOf(entry, launch.function)) {
    case Trust::kNeedsOthers:
      reason = Skip::kWaits;
      return false;
    case Trust::kUnpatchable:
      reason = Skip::kOtherLanes;
      return false;
    case Trust::kUnknown:
    case Trust::kSuspect:
      return BeginWatched(watch, entry, reason);
    case Trust::kFree:
    case Trust::kEndsAlone:
      break;
  }
  if (parts_.first_windows.WantsAccesses(entry)) parts_.vetting.CountAccesses(entry, launch);
  switch (parts_.first_windows.RuleOn(entry)) {
    case selection::FirstWindow::kTimeFirst:
      return BeginTimed(watch, entry, reason);
    case selection::FirstWindow::kLeaveOut:
      reason = Skip::kWindowLimit;
      return false;
    case selection::FirstWindow::kOpen:
      break;
  }
  return BeginWindow(watch, entry, history, reason);
}

bool LaunchTracker::BeginWindow(ContextWatch& watch, ShapeEntry& entry,
                                const selection::ShapeHistory& history, Skip& reason) {
  const OpenResult result = parts_.windows.OpenForLaunch(watch, [&] {
    // Another thread may have counted the shape while this one waited for the gate.
    selection::ShapeHistory now = entry.History(parts_.options.sampling.kind);
    now.earlier_launches = history.earlier_launches;
    return selection::WantsWindow(parts_.options.sampling, now);
  });
  if (!IsHeld(watch, entry, result, reason)) return false;
  ThisThread().launch.kind = Kind::kWindow;
  ThisThread().launch.launched = parts_.clock.Now();
  parts_.windows.BeginLaunch(watch, entry);
  return true;
}

bool LaunchTracker::BeginWatched(ContextWatch& watch, ShapeEntry& entry, Skip& reason) {
  reason = Skip::kWaits;
  if (parts_.options.waiting_kernels == options::WaitingKernels::kSkip) return false;
  const OpenResult result = watch.HoldForWatch(
      [&entry] { return entry.trust().get() == Trust::kSuspect; });  // nobody has watched it since
  if (!IsHeld(watch, entry, result, reason)) return false;
  ThisThread().launch.kind = Kind::kWatched;
  ThisThread().launch.launched = parts_.clock.Now();
  return true;
}

bool LaunchTracker::BeginTimed(ContextWatch& watch, ShapeEntry& entry, Skip& reason) {
  const OpenResult result =
      watch.HoldForWatch([&entry] { return !entry.kernel().time.is_known(); });
  if (!IsHeld(watch, entry, result, reason)) return false;
  LaunchUnderWay& under_way = ThisThread().launch;
  under_way.kind = Kind::kTimed;
  under_way.launched = parts_.clock.Now();
  parts_.policy.Charge(under_way.held_since);  // what comes now takes the program no longer
  return true;
}

bool LaunchTracker::IsHeld(const ContextWatch& watch, ShapeEntry& entry, OpenResult result,
                           Skip& reason) {
  switch (result) {
    case OpenResult::kOpened:
      return true;
    case OpenResult::kGateBusy:
    case OpenResult::kNeverIdle:
      parts_.policy.Charge(ThisThread().launch.held_since);
      entry.Missed();
      reason = result == OpenResult::kGateBusy ? Skip::kGateBusy : Skip::kNeverIdle;
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
      ++parts_.counters.too_late_launches;
      reason = Skip::kFailed;
      return false;
    case OpenResult::kFailed:
      reason = Skip::kFailed;
      parts_.lifecycle.Stop(fmt::format("nothing can be counted: {}", watch.error()));
      return false;
  }
  return false;
}

void LaunchTracker::BeginUnwindowed(ContextWatch& watch, ShapeEntry& entry, FunctionHandle function,
                                    Skip reason) {
  // Such a kernel had better not wait inside a window that waits for a graph.
  if (watch.window().left_open() && !entry.excluded()) {
    parts_.vetting.TrustOf(entry, function);
    if (!entry.trust().MayBeHeld()) parts_.windows.CloseBeforeRisk(watch);
  }
  LaunchUnderWay& under_way = ThisThread().launch;
  if (watch.gate().Pass()) under_way.kind = Kind::kPassedGate;
  under_way.inside_another = watch.window().AddInside(entry, Launches(1));
  if (!under_way.inside_another) entry.Skipped(reason);
}

void LaunchTracker::End(bool succeeded, const LaunchCall* call) {
  const LaunchUnderWay launch = std::exchange(ThisThread().launch, {});
  if (launch.kind == Kind::kQuiet) return launch.watch->gate().Leave();
  if (launch.entry != nullptr) {
    EndInside(launch, succeeded, call);
  } else if (succeeded && launch.watch != nullptr) {
    captures_.LaunchCaptured(*launch.watch, launch.stream);
  }
  if (launch.watch == nullptr) return;
  if (launch.kind == Kind::kPassedGate) return launch.watch->gate().Leave();
  if (launch.entry == nullptr) return;
  switch (launch.kind) {
    case Kind::kNothing:
    case Kind::kQuiet:
    case Kind::kPassedGate:
      return;
    case Kind::kWatched:
      return EndWatched(launch, succeeded);
    case Kind::kTimed:
      return EndTimed(launch, succeeded);
    case Kind::kWindow:
      return EndWindow(launch, succeeded);
  }
}

// Of a launch that was not captured: it may have been inside a window, its own or another. What it
// was called with is kept either way.
void LaunchTracker::EndInside(const LaunchUnderWay& launch, bool succeeded,
                              const LaunchCall* call) {
  if (succeeded) GraphTracker::LaunchedPlainly();
  if (!succeeded && launch.inside_another) {
    launch.watch->window().TakeOutside(*launch.entry, Launches(1));
    launch.entry->Skipped(Skip::kFailed);
  }
  if (!succeeded || call == nullptr || !parts_.options.record_arguments) return;
  if (launch.kind == Kind::kWindow || launch.inside_another) {
    launch.watch->window().AddArguments(*launch.entry, [call] { return call->Arguments(); });
  } else {
    parts_.uncounted.Add(*launch.entry, launch.function, *call);
  }
}

void LaunchTracker::EndWatched(const LaunchUnderWay& launch, bool succeeded) {
  ShapeEntry& entry = *launch.entry;
  const bool ended = launch.watch->EndedWhileWatched();
  parts_.policy.Charge(launch.held_since);
  if (!succeeded) return entry.Skipped(Skip::kFailed);  // nothing ran: nothing was learned
  if (ended) {
    entry.kernel().time.Took(entry.threads(), parts_.clock.Now() - launch.launched);
    entry.trust().EndedWhileWatched();
  } else {
    entry.trust().Set(Trust::kNeedsOthers);
  }
  entry.Skipped(ended ? Skip::kWatched : Skip::kWaits);
}

void LaunchTracker::EndTimed(const LaunchUnderWay& launch, bool succeeded) {
  ShapeEntry& entry = *launch.entry;
  const bool ended = launch.watch->EndedWithin(parts_.deadlines.time);
  const Clock::TimePoint::duration took = parts_.clock.Now() - launch.launched;
  if (!succeeded) return entry.Skipped(Skip::kFailed);
  if (ended) {
    entry.kernel().time.Took(entry.threads(), took);
  } else if (took >= parts_.deadlines.time) {
    entry.kernel().time.Outlived();
  }
  entry.Skipped(Skip::kTimed);
}

void LaunchTracker::EndWindow(const LaunchUnderWay& launch, bool succeeded) {
  const LaunchTimes times{launch.held_since, launch.launched, parts_.clock.Now()};
  parts_.windows.EndLaunch(*launch.watch, *launch.entry, succeeded,
                           parts_.vetting.CloseDeadlineOf(*launch.entry));
  if (succeeded) parts_.policy.NoteCost(*launch.entry, times);
  parts_.policy.Charge(launch.held_since);
}

}  // namespace coalcheck::agent
