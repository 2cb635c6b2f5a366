// SPDX-License-Identifier: Apache-2.0
//
// The window that is open in one context, if any: which launches are inside it, and what it waits
// for. It asks nothing of the device; ContextWatch switches counting on and off.
#pragma once

#include <atomic>
#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>

#include "injection/agent/base/device.h"
#include "injection/agent/windows/closed_window.h"
#include "libcoalcheck/base/mutex.h"

namespace coalcheck::agent {

// Whether a window over a graph still waits for the graph's first launch.
enum class GraphWait { kUntilLaunched, kNoMore };

// Any thread. Who opens, takes or exchanges the window holds the context's gate; the rest is for
// whoever launches. The lock is held for a moment, never across a call of the driver.
class OpenWindow {
 public:
  // `graph_deadline`: how long a window waits for its graphs.
  OpenWindow(Clock& clock, std::chrono::milliseconds graph_deadline)
      : clock_(clock), graph_deadline_(graph_deadline) {}

  void Open(WindowId window, LaunchOrdinal launch, recording::WindowKind kind);
  // Nobody holds the gate for it from here on: it waits for graphs that are instantiated in it.
  void LeaveOpen() { left_open_.store(true, std::memory_order_release); }
  // Its kernel has not ended in time: nobody holds the gate for it from here on, and launches may
  // wait for it `patience` more, all together.
  void OutlivedDeadline(std::chrono::milliseconds patience);
  // The window is closed: nothing is open after it.
  ClosedWindow Take();
  // The same, and the next part of it, of the same kind, is open.
  ClosedWindow Exchange(WindowId next, LaunchOrdinal launch);

  // 0 for none.
  WindowId id() const { return WindowId(id_.load(std::memory_order_acquire)); }
  bool is_open() const { return id() != WindowId(0); }
  // Whether a window is open that nobody holds the gate for: it waits for a kernel or for a graph.
  // A resident one is not meant.
  bool left_open() const { return left_open_.load(std::memory_order_acquire); }

  // Says that launches of `entry` happened inside; false when none is open.
  bool AddInside(ShapeEntry& entry, Launches launches);
  // Takes launches back that failed; their window cannot have closed.
  void TakeOutside(ShapeEntry& entry, Launches launches);
  // Keeps what a launch inside was called with, which `read` says. Where there is no room for more
  // it is not asked.
  template <typename Read>
  void AddArguments(ShapeEntry& entry, Read read) {
    if (CanKeepArguments(entry)) KeepArguments(entry, read());
  }
  bool HasInside() const;

  // A graph instantiated in the open window has been made; it was launched for the first time.
  void GraphPending();
  void GraphLaunched();
  // Work went to the device of which the window counts an unknown part: its counts will be thrown
  // away. Nothing happens when none is open.
  void Spoil();
  bool IsSpoiled() const;

  // How long launches may still wait, all together, for a window that has outlived its deadline: as
  // long as that was. 0 where there is none.
  std::chrono::milliseconds PatienceBehind() const;
  void WaitedBehind(Clock::TimePoint::duration waited);
  // Whether it may be closed as soon as all is idle: not a resident one, nor one that still waits
  // for a graph.
  bool IsReadyToClose(GraphWait graph_wait) const;

  // The kernel that the window was opened for and since when; nothing for a resident one.
  struct Waiting {
    std::string kernel;  // mangled; empty: a graph
    Clock::TimePoint since;
    WindowId window;
    bool is_late = false;
  };
  std::optional<Waiting> WaitsFor() const;

 private:
  struct Window {
    WindowId id;
    recording::WindowKind kind;
    recording::WindowClose close = recording::WindowClose::kInTime;
    LaunchOrdinal first_launch;
    InsideWindow inside;
    Bytes room_for_arguments = kMostArgumentsOfWindow;
    std::uint64_t graphs_pending = 0;
    bool graph_launched = false;
    bool spoiled = false;
    std::string opener = {};
    Launches behind_late = {};
    std::chrono::milliseconds patience_behind{0};
    Clock::TimePoint opened;
  };

  Window Made(WindowId window, LaunchOrdinal launch, recording::WindowKind kind);
  static ClosedWindow Closed(Window window);
  // Counts the launch as one of which nothing is kept, where it cannot.
  bool CanKeepArguments(ShapeEntry& entry);
  void KeepArguments(ShapeEntry& entry, recording::LaunchArguments arguments);
  LaunchesOfShape* FindInside(ShapeEntry& entry) COALCHECK_REQUIRES(mutex_);

  Clock& clock_;
  const std::chrono::milliseconds graph_deadline_;
  std::atomic<std::uint64_t> id_{0};
  std::atomic<bool> left_open_{false};
  mutable Mutex mutex_;
  std::optional<Window> window_ COALCHECK_GUARDED_BY(mutex_);
};

}  // namespace coalcheck::agent
