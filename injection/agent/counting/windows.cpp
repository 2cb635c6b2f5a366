// SPDX-License-Identifier: Apache-2.0
//
// What is recorded when a window ends.
#include "injection/agent/counting/windows.h"

#include <fmt/format.h>

#include "injection/agent/base/poll_until.h"
#include "injection/agent/windows/unselected.h"
#include "libcoalcheck/base/demangle.h"

namespace coalcheck::agent {
namespace {

constexpr std::chrono::milliseconds kNoPatience{0};

bool IsOfOneLaunch(const ClosedWindow& closed) {
  return closed.inside.size() == 1 && closed.inside.begin()->second.launches == Launches(1);
}

// A digest of the counts, whatever their order. Never 0.
std::uint64_t DigestOf(const std::vector<InstructionCounts>& counts) {
  std::uint64_t digest = 1;
  for (const InstructionCounts& row : counts) {
    std::uint64_t mix = row.pc.value();
    for (const std::uint64_t value : row.values) mix = (mix ^ value) * 1099511628211ULL;
    digest += mix;
  }
  return digest == 0 ? 1 : digest;
}

}  // namespace

void Windows::BeginLaunch(ContextWatch& watch, ShapeEntry& entry) {
  ++counters_.open_windows;
  entry.Opened();
  watch.window().AddInside(entry, Launches(1));
}

void Windows::EndLaunch(ContextWatch& watch, ShapeEntry& entry, bool succeeded,
                        std::chrono::milliseconds patience) {
  if (!succeeded) entry.WindowDiscarded();
  if (End(watch, succeeded, patience) == CloseResult::kStillOpen) entry.EndedLate();
}

CloseResult Windows::End(ContextWatch& watch, bool launched, std::chrono::milliseconds patience) {
  ClosedWindow closed;
  if (launched) {
    const CloseResult result = watch.CloseAfterLaunch(patience, closed);
    Finish(watch, result, closed);
    return result;
  }
  const CloseResult result = watch.DiscardWindow(closed);
  --counters_.open_windows;
  RecordDiscarded(closed);
  if (result == CloseResult::kFailed) {
    lifecycle_.Stop(fmt::format("measuring stops: {}", watch.error()));
  }
  return result;
}

void Windows::OpenForMany(ContextWatch& watch, recording::WindowKind kind) {
  NoteOpened(watch,
             watch.OpenForMany(NextId(), LaunchOrdinal(counters_.launches.load() + 1), kind));
}

bool Windows::NoteOpened(const ContextWatch& watch, OpenResult result) {
  if (result == OpenResult::kOpened) ++counters_.open_windows;
  if (result == OpenResult::kFailed) {
    lifecycle_.Stop(fmt::format("nothing can be counted: {}", watch.error()));
  }
  return result == OpenResult::kOpened;
}

void Windows::TryClose(ContextWatch& watch, std::chrono::milliseconds patience,
                       GraphWait graph_wait) {
  if (lifecycle_.ended() || !watch.window().is_open()) return;
  ClosedWindow closed;
  const CloseResult result = watch.TryClose(patience, graph_wait, closed);
  Finish(watch, result, closed);
}

void Windows::CloseOrDiscard(ContextWatch& watch, std::string_view why_lost) {
  TryClose(watch, deadlines_.open, GraphWait::kNoMore);
  ClosedWindow discarded;
  bool is_discarded = false;
  // Another thread may hold the gate for a moment, for example to read samples.
  PollUntil(clock_, deadlines_.open, [&] {
    is_discarded = watch.DiscardStuckWindow(discarded);
    return is_discarded || !watch.window().is_open();
  });
  if (is_discarded) {
    --counters_.open_windows;
    RecordDiscarded(discarded);
  } else if (!watch.window().is_open()) {
    return;  // another thread has closed it meanwhile
  }
  session_.WriteLoss(recording::loss::kWindowLost, why_lost, 1);
}

void Windows::WaitBehindLate(ContextWatch& watch) {
  if (!watch.window().left_open()) return;
  const Clock::TimePoint start = clock_.Now();
  TryClose(watch, watch.window().PatienceBehind());
  watch.window().WaitedBehind(clock_.Now() - start);
  policy_.Charge(start);
}

void Windows::CloseBeforeRisk(ContextWatch& watch) {
  if (!watch.window().left_open()) return;
  const bool patient = !watch.backoff().TooSoon();
  const std::uint64_t misses = watch.backoff().misses();
  TryClose(watch, patient ? deadlines_.open : kNoPatience, GraphWait::kNoMore);
  if (patient && watch.window().left_open()) watch.backoff().Missed(misses);
}

void Windows::FlushResident(ContextWatch& watch) {
  if (session_.Full()) return TryClose(watch, kNoPatience, GraphWait::kNoMore);
  ClosedWindow closed;
  const CloseResult result =
      watch.FlushResident(NextId(), LaunchOrdinal(counters_.launches.load() + 1), closed);
  if (result == CloseResult::kStillOpen) return;
  ++counters_.open_windows;  // the next part is open already
  Finish(watch, result, closed);
}

std::optional<HeldGates> Windows::ShutDown(const std::vector<ContextWatch*>& watches,
                                           std::chrono::milliseconds patience) {
  // Code changes are kept out once for all contexts: a thread that waits to change code may be
  // about to leave a gate.
  const KeptOut changes(code_changes_, clock_, patience);
  if (!changes) return std::nullopt;
  HeldGates held;
  for (ContextWatch* watch : watches) {
    CloseResult result{};
    ClosedWindow closed;
    held.push_back(watch->ShutDown(changes, patience, result, closed));
    if (!held.back()) return std::nullopt;
    Finish(*watch, result, closed);
    if (result == CloseResult::kFailed) return std::nullopt;
  }
  return held;
}

void Windows::Finish(ContextWatch& watch, CloseResult result, ClosedWindow& closed) {
  if (result == CloseResult::kStillOpen) return;
  --counters_.open_windows;
  if (result == CloseResult::kClosed) return RecordClosed(watch, closed);
  RecordDiscarded(closed);
  const bool spoiled = result == CloseResult::kSpoiled;
  session_.WriteLoss(spoiled ? recording::loss::kWindowSpoiled : recording::loss::kWindowLost,
                     watch.error(), 1);
  if (!spoiled) lifecycle_.Stop(fmt::format("measuring stops: {}", watch.error()));
}

void Windows::RecordClosed(const ContextWatch& watch, ClosedWindow& closed) {
  ++counters_.windows_closed;
  NameSlowed(closed);
  for (ShapeEntry* entry : LeaveOutUnselected(closed)) session_.Write(entry->Tally());
  for (const auto& [entry, inside] : closed.inside) entry->Counted(inside.launches);
  if (IsOfOneLaunch(closed)) closed.inside.begin()->first->CameTo(DigestOf(closed.counts));
  session_.WriteWindow(closed, watch.id(), watch.device());
  for (const auto& [entry, inside] : closed.inside) session_.Write(entry->Tally());
}

void Windows::RecordDiscarded(const ClosedWindow& discarded) {
  NameSlowed(discarded);
  for (const auto& [entry, inside] : discarded.inside) {
    entry->Skipped(Skip::kFailed, inside.launches);
  }
}

void Windows::NameSlowed(const ClosedWindow& closed) {
  if (closed.behind_late == Launches(0)) return;
  session_.WriteLoss(recording::loss::kSlowed,
                     fmt::format("launches that ran as slowly as counted ones: {} had outlived "
                                 "--close-deadline in its window",
                                 Demangle(closed.opener)),
                     closed.behind_late.count());
}

}  // namespace coalcheck::agent
