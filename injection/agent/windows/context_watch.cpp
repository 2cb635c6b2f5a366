// SPDX-License-Identifier: Apache-2.0
//
// Opening and closing of windows in one context.
#include "injection/agent/windows/context_watch.h"

#include <algorithm>
#include <utility>

#include "injection/agent/base/until.h"

namespace coalcheck::agent {
namespace {

constexpr std::chrono::microseconds kShortestRest{5};
constexpr std::chrono::microseconds kLongestRest{1000};
constexpr std::uint64_t kMostDoublings = 40;
constexpr std::string_view kSpoiledBy =
    "a graph was launched inside whose kernels were counted in part";

// A wait lasts at most a tenth longer than what is waited for, and takes little of a processor.
std::chrono::microseconds RestAfter(Clock::TimePoint::duration waited) {
  const auto tenth = std::chrono::duration_cast<std::chrono::microseconds>(waited / 10);
  return std::clamp(tenth, kShortestRest, kLongestRest);
}

}  // namespace

void ContextWatch::AddStream(StreamHandle stream) {
  const std::lock_guard lock(streams_mutex_);
  streams_.insert(stream);
}

void ContextWatch::RemoveStream(StreamHandle stream) {
  const std::lock_guard lock(streams_mutex_);
  streams_.erase(stream);
}

bool ContextWatch::PassGate() { return gate_.EnterShared(clock_, deadlines_.Gate()); }

// Both or neither: nobody is held while the other is waited for.
ContextWatch::HeldGate ContextWatch::TakeGate(std::chrono::milliseconds patience) {
  const bool taken = Until(clock_, patience, [this] {
    if (!code_changes_.TryKeepOut()) return false;
    if (gate_.TryEnterExclusive()) return true;
    code_changes_.LetChange();
    return false;
  });
  return taken ? HeldGate(*this) : HeldGate();
}

ContextWatch::HeldGate ContextWatch::EnterAlone(std::chrono::milliseconds patience) {
  if (AnyCapture()) return {};
  HeldGate held = TakeGate(patience);
  return AnyCapture() ? HeldGate() : std::move(held);
}

void ContextWatch::LeaveAlone() {
  gate_.LeaveExclusive();
  code_changes_.LetChange();
}

StreamState ContextWatch::StateOfAll() {
  std::set<StreamHandle> streams;
  {
    const std::lock_guard lock(streams_mutex_);
    streams = streams_;
  }
  for (const StreamHandle stream : streams) {
    if (AnyCapture()) return StreamState::kBusy;  // one that could not wait for the gate
    const StreamState state = device_.Query(handle_, stream);
    if (state == StreamState::kUnknown) RemoveStream(stream);
    if (state == StreamState::kBusy || state == StreamState::kFailed) return state;
  }
  return StreamState::kIdle;
}

bool ContextWatch::WaitIdle(std::chrono::milliseconds deadline) {
  if (AnyCapture()) return false;
  StreamState state = StateOfAll();
  const Clock::TimePoint start = clock_.Now();
  for (Clock::TimePoint now = start;
       state == StreamState::kBusy && now - start < deadline && !AnyCapture(); now = clock_.Now()) {
    clock_.Rest(RestAfter(now - start));
    state = StateOfAll();
  }
  return state == StreamState::kIdle;
}

void ContextWatch::NotIdle(std::uint64_t misses) {
  if (!misses_in_a_row_.compare_exchange_strong(misses, misses + 1)) return;
  next_try_ = launches_seen_.load() + (std::uint64_t{1} << std::min(misses + 1, kMostDoublings));
}

OpenResult ContextWatch::OpenBehindGate(WindowId window, LaunchOrdinal launch,
                                        recording::WindowKind kind) {
  Result<Done> prepared = collector_.Prepare(handle_);
  Result<Done> enabled = prepared.ok() ? collector_.Enable(handle_) : prepared;
  const std::lock_guard lock(window_mutex_);
  if (!enabled.ok()) {
    error_ = enabled.error();
    return OpenResult::kFailed;
  }
  window_ = OpenWindow{
      .id = window, .kind = kind, .first_launch = launch, .inside = {}, .opened = clock_.Now()};
  open_id_.store(window.value(), std::memory_order_release);
  left_open_.store(kind == recording::WindowKind::kGraph, std::memory_order_release);
  return OpenResult::kOpened;
}

bool ContextWatch::EndedWhileWatched() {
  const HeldGate held(*this);
  return WaitIdle(deadlines_.watch);
}

CloseResult ContextWatch::CloseAfterLaunch(std::chrono::milliseconds patience,
                                           ClosedWindow& closed) {
  const HeldGate held(*this);
  if (WaitIdle(patience)) return CloseBehindGate(closed);
  const std::lock_guard lock(window_mutex_);
  if (window_) {
    window_->close = recording::WindowClose::kLate;
    window_->patience_behind = patience;
  }
  left_open_.store(true, std::memory_order_release);
  return CloseResult::kStillOpen;
}

ClosedWindow ContextWatch::TakeWindow() {
  const std::lock_guard lock(window_mutex_);
  OpenWindow window = std::exchange(window_, std::nullopt).value_or(OpenWindow{});
  open_id_.store(0, std::memory_order_release);
  left_open_.store(false, std::memory_order_release);
  return Closed(std::move(window));
}

ClosedWindow ContextWatch::ExchangeWindow(WindowId next, LaunchOrdinal launch) {
  const std::lock_guard lock(window_mutex_);
  OpenWindow window = std::exchange(*window_, OpenWindow{.id = next,
                                                         .kind = window_->kind,
                                                         .first_launch = launch,
                                                         .inside = {},
                                                         .opened = clock_.Now()});
  open_id_.store(next.value(), std::memory_order_release);
  return Closed(std::move(window));
}

ClosedWindow ContextWatch::Closed(OpenWindow window) {
  return {.window = window.id,
          .kind = window.kind,
          .close = window.close,
          .first_launch = window.first_launch,
          .inside = std::move(window.inside),
          .counts = {},
          .opener = std::move(window.opener),
          .behind_late = window.behind_late};
}

ContextWatch::HeldGate ContextWatch::ShutDown(const KeptOut& /*changes*/,
                                              std::chrono::milliseconds patience,
                                              CloseResult& result, ClosedWindow& closed) {
  result = CloseResult::kStillOpen;
  if (!gate_.EnterExclusive(clock_, patience)) return {};
  code_changes_.KeepOutToo();
  HeldGate held(*this);
  // Behind the gate: the thread that held it may have left counting on.
  if (counts_for_good_) return {};
  if (OpenWindowId() == WindowId(0)) return held;
  if (AnyCapture() || !WaitIdle(patience)) return {};
  result = CloseBehindGate(closed);
  return held;
}

bool ContextWatch::Abandon(ClosedWindow& lost) {
  // Changing code is no hindrance: nothing is asked of the device.
  if (!gate_.TryEnterExclusive()) return false;
  const bool had_window = OpenWindowId() != WindowId(0);
  if (had_window) counts_for_good_ = true;  // before the window goes: see MayCount
  lost = TakeWindow();
  gate_.LeaveExclusive();
  return had_window;
}

CloseResult ContextWatch::GiveUpWindow(ClosedWindow& lost) {
  const HeldGate held(*this);
  const Result<std::uint64_t> disabled = collector_.Disable(handle_);
  if (!disabled.ok()) counts_for_good_ = true;
  lost = TakeWindow();
  if (!disabled.ok()) SetError(disabled.error());
  return disabled.ok() ? CloseResult::kClosed : CloseResult::kFailed;
}

CloseResult ContextWatch::CloseBehindGate(ClosedWindow& closed) {
  Result<std::vector<InstructionCounts>> counts = collector_.Flush(handle_);
  Result<std::uint64_t> dropped = collector_.Disable(handle_);
  if (!dropped.ok()) counts_for_good_ = true;
  const bool spoiled = IsSpoiled();
  closed = TakeWindow();
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
  const HeldGate held(*this);
  return OpenBehindGate(window, launch, kind);
}

CloseResult ContextWatch::FlushResident(WindowId next, LaunchOrdinal launch, ClosedWindow& closed) {
  last_flush_ = clock_.Now().time_since_epoch().count();
  const HeldGate held = EnterAlone(std::chrono::milliseconds(0));
  if (!held || !HasInside() || AnyCapture() || !AllIdle()) return CloseResult::kStillOpen;
  Result<std::vector<InstructionCounts>> counts = collector_.Flush(handle_);
  const bool spoiled = IsSpoiled();
  closed = ExchangeWindow(next, launch);
  if (spoiled) SetError(std::string(kSpoiledBy));
  if (!counts.ok()) {
    SetError(counts.error());
    return CloseResult::kFailed;
  }
  closed.counts = std::move(counts).value();
  return spoiled ? CloseResult::kSpoiled : CloseResult::kClosed;
}

bool ContextWatch::HasInside() const {
  const std::lock_guard lock(window_mutex_);
  return window_ && !window_->inside.empty();
}

void ContextWatch::Spoil() {
  const std::lock_guard lock(window_mutex_);
  if (window_) window_->spoiled = true;
}

bool ContextWatch::IsSpoiled() const {
  const std::lock_guard lock(window_mutex_);
  return window_ && window_->spoiled;
}

std::optional<ContextWatch::Waiting> ContextWatch::WaitsFor() const {
  const std::lock_guard lock(window_mutex_);
  if (!window_ || window_->kind == recording::WindowKind::kResident) return std::nullopt;
  const bool is_graph = window_->kind == recording::WindowKind::kGraph;
  return Waiting{is_graph ? std::string() : window_->opener, window_->opened, window_->id,
                 window_->close == recording::WindowClose::kLate};
}

void ContextWatch::GraphPending() {
  const std::lock_guard lock(window_mutex_);
  if (window_) ++window_->graphs_pending;
}

void ContextWatch::GraphLaunched() {
  const std::lock_guard lock(window_mutex_);
  if (!window_) return;
  window_->graph_launched = true;
  if (window_->graphs_pending > 0) --window_->graphs_pending;
}

std::chrono::milliseconds ContextWatch::PatienceBehind() const {
  const std::lock_guard lock(window_mutex_);
  return window_ ? window_->patience_behind : std::chrono::milliseconds(0);
}

void ContextWatch::WaitedBehind(Clock::TimePoint::duration waited) {
  const auto whole = std::chrono::ceil<std::chrono::milliseconds>(waited);
  const std::lock_guard lock(window_mutex_);
  if (window_) window_->patience_behind -= std::min(whole, window_->patience_behind);
}

bool ContextWatch::AddInside(ShapeEntry& entry, Launches launches) {
  if (OpenWindowId() == WindowId(0)) return false;
  const std::lock_guard lock(window_mutex_);
  if (!window_) return false;
  if (window_->inside.empty()) window_->opener = entry.shape().kernel;
  window_->inside[&entry].launches += launches;
  if (window_->close == recording::WindowClose::kLate) window_->behind_late += launches;
  return true;
}

bool ContextWatch::CanKeepArguments(ShapeEntry& entry) {
  const std::lock_guard lock(window_mutex_);
  if (!window_) return false;
  const auto found = window_->inside.find(&entry);
  if (found == window_->inside.end()) return false;
  ArgumentSets& sets = found->second.arguments;
  if (sets.full()) sets.AddUnread();
  return !sets.full();
}

void ContextWatch::KeepArguments(ShapeEntry& entry, recording::LaunchArguments arguments) {
  const std::lock_guard lock(window_mutex_);
  if (!window_) return;
  const auto found = window_->inside.find(&entry);
  if (found == window_->inside.end()) return;
  found->second.arguments.Add(std::move(arguments), window_->room_for_arguments);
}

void ContextWatch::TakeOutside(ShapeEntry& entry, Launches launches) {
  const std::lock_guard lock(window_mutex_);
  if (!window_) return;
  const auto found = window_->inside.find(&entry);
  if (found == window_->inside.end()) return;
  found->second.launches = found->second.launches - launches;
  window_->behind_late = window_->behind_late - launches;
  if (found->second.launches == Launches(0)) window_->inside.erase(found);
}

void ContextWatch::SetError(const std::string& error) {
  const std::lock_guard lock(window_mutex_);
  error_ = error;
}

std::string ContextWatch::error() const {
  const std::lock_guard lock(window_mutex_);
  return error_;
}

ContextWatch::Readiness ContextWatch::ReadyToClose(GraphWait graph_wait) const {
  const std::lock_guard lock(window_mutex_);
  if (!window_) return Readiness::kNothingToClose;
  if (graph_wait == GraphWait::kNoMore) return Readiness::kReady;
  if (window_->kind == recording::WindowKind::kResident) return Readiness::kWaitsForGraph;
  const bool waits = window_->kind == recording::WindowKind::kGraph &&
                     (window_->graphs_pending > 0 || !window_->graph_launched);
  return waits && clock_.Now() < window_->opened + deadlines_.graph ? Readiness::kWaitsForGraph
                                                                    : Readiness::kReady;
}

CloseResult ContextWatch::TryClose(std::chrono::milliseconds patience, GraphWait graph_wait,
                                   ClosedWindow& closed) {
  if (AnyCapture() || ReadyToClose(graph_wait) != Readiness::kReady) return CloseResult::kStillOpen;
  const HeldGate held = EnterAlone(patience);
  const bool ready = held && ReadyToClose(graph_wait) == Readiness::kReady && WaitIdle(patience);
  return ready ? CloseBehindGate(closed) : CloseResult::kStillOpen;
}

}  // namespace coalcheck::agent
