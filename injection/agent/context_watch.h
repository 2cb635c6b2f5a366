// SPDX-License-Identifier: Apache-2.0
//
// One CUDA context under watch: its streams, its gate and the window that may be open in it.
//
// The life of a window
//   1. A launch that should be counted has the gate to itself, no stream is capturing, and every
//      known stream is idle before the deadline: counting is enabled. Patching needs all of that.
//   2. The launch goes to the driver, which patches the kernel and starts it.
//   3. The caller waits for its end, with a deadline; then the counts are taken, counting ends, and
//      the gate opens again.
//   4. Not ended by the deadline: the gate opens with the window still open, because the kernel may
//      need the application to go on. The window closes at the first call that finds everything
//      idle; launches made meanwhile are inside it.
// A window over a graph opens before the capture and closes, by the same rule as 4, once every
// graph captured in it was launched, or when its deadline has passed.
#pragma once

#include <atomic>
#include <chrono>
#include <map>
#include <mutex>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "injection/agent/device.h"
#include "injection/agent/gate.h"
#include "injection/agent/launch_book.h"

namespace coalcheck::agent {

// How long each wait may take.
struct Deadlines {
  std::chrono::milliseconds open{100};
  std::chrono::milliseconds close{1000};
  std::chrono::milliseconds graph{5000};
};

// What came of closing a window, for the recording.
struct ClosedWindow {
  WindowId window;
  recording::WindowKind kind = recording::WindowKind::kLaunch;
  recording::WindowClose close = recording::WindowClose::kInTime;
  LaunchOrdinal first_launch;
  std::map<ShapeEntry*, Launches> inside;
  std::uint64_t dropped_records = 0;
  std::vector<InstructionCounts> counts;
};

enum class OpenResult { kOpened, kGateBusy, kNeverIdle, kCapturing, kNotWanted, kFailed };
enum class CloseResult { kClosed, kStillOpen, kFailed };

// Whether a window over a graph still waits for the graph's first launch.
enum class GraphWait { kUntilLaunched, kNoMore };

// Any thread. The context must be current where launches and captures are concerned.
class ContextWatch {
 public:
  ContextWatch(ContextHandle handle, ContextId id, DeviceIndex device, Collector& collector,
               Device& device_state, Clock& clock, Deadlines deadlines)
      : handle_(handle),
        id_(id),
        device_index_(device),
        collector_(collector),
        device_(device_state),
        clock_(clock),
        deadlines_(deadlines) {}

  ContextId id() const { return id_; }
  DeviceIndex device() const { return device_index_; }

  void AddStream(StreamHandle stream);
  // The same for a stream seen at a launch, most of which are known.
  void AddStreamOnce(StreamHandle stream) {
    if (last_stream_.exchange(stream.value(), std::memory_order_relaxed) != stream.value()) {
      AddStream(stream);
    }
  }
  void RemoveStream(StreamHandle stream);
  void CaptureBegan(StreamHandle stream);
  // Also for one that did not begin here, which changes nothing.
  void CaptureEnded(StreamHandle stream);
  bool AnyCapture() const { return capturing_.load(std::memory_order_relaxed) > 0; }

  // A launch that is not counted passes the gate. False: the wait took too long, go on without.
  bool PassGate();
  void LeaveGate() { gate_.LeaveShared(); }

  // Opens a window and keeps the gate. `still_wanted` is asked once more behind the gate. kFailed:
  // error() says why. Anything but kOpened leaves the gate.
  template <typename StillWanted>
  OpenResult OpenForLaunch(WindowId window, LaunchOrdinal launch, StillWanted still_wanted);
  // After the launch: waits, takes the counts and leaves the gate in every case.
  CloseResult CloseAfterLaunch(ClosedWindow& closed);
  // The launch failed: nothing was counted. Leaves the gate; `lost` says what was inside. kFailed:
  // counting could not be ended, error() says why.
  CloseResult GiveUpWindow(ClosedWindow& lost);

  // Opens a window for the graphs that are captured next; leaves the gate.
  OpenResult OpenForGraph(WindowId window, LaunchOrdinal launch);
  // A graph captured in the open window has been made; it was launched for the first time.
  void GraphPending();
  void GraphLaunched();

  // The open window's id, 0 for none.
  WindowId OpenWindowId() const { return WindowId(open_id_.load(std::memory_order_acquire)); }
  // Whether a window is open that nobody holds the gate for: it waits for a kernel or for a graph.
  bool WindowLeftOpen() const { return left_open_.load(std::memory_order_acquire); }
  // Says that launches of `entry` happened inside the open window; false when none is open.
  bool AddInside(ShapeEntry& entry, Launches launches);
  // Takes launches back that failed; their window cannot have closed.
  void TakeOutside(ShapeEntry& entry, Launches launches);
  // Closes a window left open, when everything in it has ended. Waits up to `patience`.
  CloseResult TryClose(std::chrono::milliseconds patience, GraphWait graph_wait,
                       ClosedWindow& closed);
  // The open window, if any, will never be closed: forgets it and says what was inside. False when
  // there is none, or a thread is at work on it.
  bool Abandon(ClosedWindow& lost);

  std::string error() const;

 private:
  enum class Readiness { kWaitsForGraph, kReady };

  struct OpenWindow {
    WindowId id;
    recording::WindowKind kind;
    recording::WindowClose close = recording::WindowClose::kInTime;
    LaunchOrdinal first_launch;
    std::map<ShapeEntry*, Launches> inside;
    std::uint64_t graphs_pending = 0;
    bool graph_launched = false;
    Clock::TimePoint graph_deadline;
  };

  OpenResult OpenBehindGate(WindowId window, LaunchOrdinal launch, recording::WindowKind kind);
  CloseResult CloseBehindGate(ClosedWindow& closed);
  bool AllIdle();
  bool WaitIdle(std::chrono::milliseconds deadline);
  Readiness ReadyToClose(GraphWait graph_wait) const;
  void SetError(const std::string& error);
  ClosedWindow TakeWindow();

  const ContextHandle handle_;
  const ContextId id_;
  const DeviceIndex device_index_;
  Collector& collector_;
  Device& device_;
  Clock& clock_;
  const Deadlines deadlines_;

  Gate gate_;
  std::atomic<std::size_t> capturing_{0};  // how many are in captures_
  std::atomic<std::uintptr_t> last_stream_{0};
  std::mutex streams_mutex_;
  std::set<StreamHandle> streams_;
  // A per-thread default stream has one handle in all threads.
  std::multiset<StreamHandle> captures_;
  std::atomic<std::uint64_t> open_id_{0};
  std::atomic<bool> left_open_{false};
  // Guards window_ and error_; never held across a call of the driver.
  mutable std::mutex window_mutex_;
  std::optional<OpenWindow> window_;
  std::string error_;
};

template <typename StillWanted>
OpenResult ContextWatch::OpenForLaunch(WindowId window, LaunchOrdinal launch,
                                       StillWanted still_wanted) {
  if (AnyCapture()) return OpenResult::kCapturing;
  if (WindowLeftOpen()) return OpenResult::kNotWanted;
  if (!gate_.EnterExclusive(clock_, deadlines_.open)) return OpenResult::kGateBusy;
  if (WindowLeftOpen() || !still_wanted()) {
    gate_.LeaveExclusive();
    return OpenResult::kNotWanted;
  }
  const OpenResult result = OpenBehindGate(window, launch, recording::WindowKind::kLaunch);
  if (result != OpenResult::kOpened) gate_.LeaveExclusive();
  return result;
}

}  // namespace coalcheck::agent
