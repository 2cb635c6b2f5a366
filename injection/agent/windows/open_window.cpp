// SPDX-License-Identifier: Apache-2.0
//
// The window's state; the two words that launches ask without a lock follow it under the lock.
#include "injection/agent/windows/open_window.h"

#include <algorithm>

namespace coalcheck::agent {

OpenWindow::Window OpenWindow::Made(WindowId window, LaunchOrdinal launch,
                                    recording::WindowKind kind) {
  return {.id = window, .kind = kind, .first_launch = launch, .inside = {}, .opened = clock_.Now()};
}

void OpenWindow::Open(WindowId window, LaunchOrdinal launch, recording::WindowKind kind) {
  const MutexLock lock(mutex_);
  window_ = Made(window, launch, kind);
  id_.store(window.value(), std::memory_order_release);
  left_open_.store(false, std::memory_order_release);
}

void OpenWindow::OutlivedDeadline(std::chrono::milliseconds patience) {
  const MutexLock lock(mutex_);
  if (window_) {
    window_->close = recording::WindowClose::kLate;
    window_->patience_behind = patience;
  }
  left_open_.store(true, std::memory_order_release);
}

ClosedWindow OpenWindow::Take() {
  const MutexLock lock(mutex_);
  Window window = std::exchange(window_, std::nullopt).value_or(Window{});
  id_.store(0, std::memory_order_release);
  left_open_.store(false, std::memory_order_release);
  return Closed(std::move(window));
}

ClosedWindow OpenWindow::Exchange(WindowId next, LaunchOrdinal launch) {
  const MutexLock lock(mutex_);
  Window window = std::exchange(*window_, Made(next, launch, window_->kind));
  id_.store(next.value(), std::memory_order_release);
  return Closed(std::move(window));
}

ClosedWindow OpenWindow::Closed(Window window) {
  return {.window = window.id,
          .kind = window.kind,
          .close = window.close,
          .first_launch = window.first_launch,
          .inside = std::move(window.inside),
          .counts = {},
          .opener = std::move(window.opener),
          .behind_late = window.behind_late};
}

LaunchesOfShape* OpenWindow::FindInside(ShapeEntry& entry) {
  if (!window_) return nullptr;
  const auto found = window_->inside.find(&entry);
  return found == window_->inside.end() ? nullptr : &found->second;
}

bool OpenWindow::AddInside(ShapeEntry& entry, Launches launches) {
  if (!is_open()) return false;
  const MutexLock lock(mutex_);
  if (!window_) return false;
  if (window_->inside.empty()) window_->opener = entry.shape().kernel;
  window_->inside[&entry].launches += launches;
  if (window_->close == recording::WindowClose::kLate) window_->behind_late += launches;
  return true;
}

void OpenWindow::TakeOutside(ShapeEntry& entry, Launches launches) {
  const MutexLock lock(mutex_);
  LaunchesOfShape* inside = FindInside(entry);
  if (inside == nullptr) return;
  inside->launches = inside->launches - launches;
  window_->behind_late = window_->behind_late - launches;
  if (inside->launches == Launches(0)) window_->inside.erase(&entry);
}

bool OpenWindow::CanKeepArguments(ShapeEntry& entry) {
  const MutexLock lock(mutex_);
  LaunchesOfShape* inside = FindInside(entry);
  if (inside == nullptr) return false;
  if (inside->arguments.full()) inside->arguments.AddUnread();
  return !inside->arguments.full();
}

void OpenWindow::KeepArguments(ShapeEntry& entry, recording::LaunchArguments arguments) {
  const MutexLock lock(mutex_);
  LaunchesOfShape* inside = FindInside(entry);
  if (inside != nullptr) inside->arguments.Add(std::move(arguments), window_->room_for_arguments);
}

bool OpenWindow::HasInside() const {
  const MutexLock lock(mutex_);
  return window_ && !window_->inside.empty();
}

void OpenWindow::GraphPending() {
  const MutexLock lock(mutex_);
  if (window_) ++window_->graphs_pending;
}

void OpenWindow::GraphLaunched() {
  const MutexLock lock(mutex_);
  if (!window_) return;
  window_->graph_launched = true;
  if (window_->graphs_pending > 0) --window_->graphs_pending;
}

void OpenWindow::Spoil() {
  const MutexLock lock(mutex_);
  if (window_) window_->spoiled = true;
}

bool OpenWindow::IsSpoiled() const {
  const MutexLock lock(mutex_);
  return window_ && window_->spoiled;
}

std::chrono::milliseconds OpenWindow::PatienceBehind() const {
  const MutexLock lock(mutex_);
  return window_ ? window_->patience_behind : std::chrono::milliseconds(0);
}

void OpenWindow::WaitedBehind(Clock::TimePoint::duration waited) {
  const auto whole = std::chrono::ceil<std::chrono::milliseconds>(waited);
  const MutexLock lock(mutex_);
  if (window_) window_->patience_behind -= std::min(whole, window_->patience_behind);
}

bool OpenWindow::IsReadyToClose(GraphWait graph_wait) const {
  const MutexLock lock(mutex_);
  if (!window_) return false;
  if (graph_wait == GraphWait::kNoMore) return true;
  if (window_->kind == recording::WindowKind::kResident) return false;
  const bool waits = window_->kind == recording::WindowKind::kGraph &&
                     (window_->graphs_pending > 0 || !window_->graph_launched);
  return !waits || clock_.Now() >= window_->opened + graph_deadline_;
}

std::optional<OpenWindow::Waiting> OpenWindow::WaitsFor() const {
  const MutexLock lock(mutex_);
  if (!window_ || window_->kind == recording::WindowKind::kResident) return std::nullopt;
  const bool is_graph = window_->kind == recording::WindowKind::kGraph;
  return Waiting{is_graph ? std::string() : window_->opener, window_->opened, window_->id,
                 window_->close == recording::WindowClose::kLate};
}

}  // namespace coalcheck::agent
