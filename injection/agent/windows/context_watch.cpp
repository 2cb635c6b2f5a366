// SPDX-License-Identifier: Apache-2.0
//
// Opening and closing of windows in one context.
#include "injection/agent/windows/context_watch.h"

#include <string_view>
#include <utility>
#include <vector>

namespace coalcheck::agent {
namespace {

constexpr std::string_view kSpoiledBy =
    "a graph was launched inside whose kernels were counted in part";

}  // namespace

OpenResult ContextWatch::OpenBehindGate(WindowId window, LaunchOrdinal launch,
                                        recording::WindowKind kind) {
  Status prepared = collector_.Prepare(handle_);
  Status enabled = prepared.ok() ? collector_.Enable(handle_) : prepared;
  if (!enabled.ok()) {
    SetError(enabled.error());
    return OpenResult::kFailed;
  }
  window_.Open(window, launch, kind);
  return OpenResult::kOpened;
}

bool ContextWatch::EndedWithin(std::chrono::milliseconds patience) {
  const HeldGate held(gate_);
  return streams_.WaitIdle(patience);
}

CloseResult ContextWatch::CloseAfterLaunch(std::chrono::milliseconds patience,
                                           ClosedWindow& closed) {
  const HeldGate held(gate_);
  if (streams_.WaitIdle(patience)) return CloseBehindGate(closed);
  window_.OutlivedDeadline(patience);
  return CloseResult::kStillOpen;
}

HeldGate ContextWatch::ShutDown(const KeptOut& changes, std::chrono::milliseconds patience,
                                CloseResult& result, ClosedWindow& closed) {
  result = CloseResult::kStillOpen;
  HeldGate held = gate_.EnterToo(changes, patience);
  // Asked behind the gate, since the thread that held it before may have left counting on.
  if (!held || counts_for_good_) return {};
  if (!window_.is_open()) return held;
  if (captures_.any() || !streams_.WaitIdle(patience)) return {};
  result = CloseBehindGate(closed);
  return held;
}

bool ContextWatch::DiscardStuckWindow(ClosedWindow& discarded) {
  bool had_window = false;
  gate_.TryDoBesideChanges([&] {
    had_window = window_.is_open();
    if (had_window) counts_for_good_ = true;  // before the window goes: see MayCount
    discarded = window_.Take();
  });
  return had_window;
}

CloseResult ContextWatch::DiscardWindow(ClosedWindow& discarded) {
  const HeldGate held(gate_);
  const Result<std::uint64_t> disabled = collector_.Disable(handle_);
  if (!disabled.ok()) counts_for_good_ = true;
  discarded = window_.Take();
  if (!disabled.ok()) SetError(disabled.error());
  return disabled.ok() ? CloseResult::kClosed : CloseResult::kFailed;
}

CloseResult ContextWatch::CloseBehindGate(ClosedWindow& closed) {
  Result<std::vector<InstructionCounts>> counts = collector_.Flush(handle_);
  Result<std::uint64_t> dropped = collector_.Disable(handle_);
  if (!dropped.ok()) counts_for_good_ = true;
  const bool spoiled = window_.IsSpoiled();
  closed = window_.Take();
  if (spoiled && counts.ok() && dropped.ok()) {
    SetError(std::string(kSpoiledBy));
    return CloseResult::kSpoiled;
  }
  if (!counts.ok() || !dropped.ok()) {
    SetError(counts.ok() ? dropped.error() : counts.error());
    return CloseResult::kFailed;
  }
  closed.dropped_records = dropped.value();
  closed.counts = std::move(counts).value();
  return CloseResult::kClosed;
}

OpenResult ContextWatch::OpenForMany(WindowId window, LaunchOrdinal launch,
                                     recording::WindowKind kind) {
  const OpenResult result = EnterIdle([] { return true; });
  if (result != OpenResult::kOpened) return result;
  const HeldGate held(gate_);
  const OpenResult opened = OpenBehindGate(window, launch, kind);
  if (opened == OpenResult::kOpened && kind == recording::WindowKind::kGraph) window_.LeaveOpen();
  return opened;
}

CloseResult ContextWatch::FlushResident(WindowId next, LaunchOrdinal launch, ClosedWindow& closed) {
  last_flush_ = clock_.Now().time_since_epoch().count();
  const HeldGate held = gate_.EnterAlone(std::chrono::milliseconds(0));
  if (!held || !window_.HasInside() || captures_.any() || !streams_.AllIdle()) {
    return CloseResult::kStillOpen;
  }
  Result<std::vector<InstructionCounts>> counts = collector_.Flush(handle_);
  const bool spoiled = window_.IsSpoiled();
  closed = window_.Exchange(next, launch);
  if (spoiled) SetError(std::string(kSpoiledBy));
  if (!counts.ok()) {
    SetError(counts.error());
    return CloseResult::kFailed;
  }
  closed.counts = std::move(counts).value();
  return spoiled ? CloseResult::kSpoiled : CloseResult::kClosed;
}

CloseResult ContextWatch::TryClose(std::chrono::milliseconds patience, GraphWait graph_wait,
                                   ClosedWindow& closed) {
  if (captures_.any() || !window_.IsReadyToClose(graph_wait)) return CloseResult::kStillOpen;
  const HeldGate held = gate_.EnterAlone(patience);
  const bool ready = held && window_.IsReadyToClose(graph_wait) && streams_.WaitIdle(patience);
  return ready ? CloseBehindGate(closed) : CloseResult::kStillOpen;
}

void ContextWatch::SetError(const std::string& error) {
  const MutexLock lock(error_mutex_);
  error_ = error;
}

std::string ContextWatch::error() const {
  const MutexLock lock(error_mutex_);
  return error_;
}

}  // namespace coalcheck::agent
