// SPDX-License-Identifier: Apache-2.0
//
// One CUDA context under watch: its streams, its gate and the window that may be open in it.
//
// The life of a window
//   1. A launch that should be counted has the gate to itself, no code changes, no stream is
//      capturing, and every known stream is idle before the deadline: counting is enabled. Patching
//      needs all of that.
//   2. The launch goes to the driver, which patches the kernel and starts it.
//   3. The caller waits for its end, with a deadline; then the counts are taken, counting ends, and
//      the gate opens again.
//   4. Not ended by the deadline: the gate opens with the window still open, because the kernel may
//      need the application to go on. The window closes at the first call that finds everything
//      idle; launches made meanwhile are inside it.
// A window over a graph opens before its instantiation and closes, by the same rule as 4, once
// every graph instantiated in it was launched, or when its deadline has passed.
// A resident window opens before the first launch and ends with the context; its counts are taken
// whenever everything is idle.
// A kernel that is only watched goes through 1 to 3 without counting.
#pragma once

#include <atomic>
#include <chrono>
#include <cstdint>
#include <map>
#include <mutex>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "injection/agent/base/deadlines.h"
#include "injection/agent/base/device.h"
#include "injection/agent/code/code_changes.h"
#include "injection/agent/code/loaded_functions.h"
#include "injection/agent/shapes/argument_sets.h"
#include "injection/agent/shapes/launch_book.h"
#include "injection/agent/windows/capture_set.h"
#include "injection/agent/windows/gate.h"

namespace coalcheck::agent {

// The launches of one shape that are inside a window.
struct LaunchesOfShape {
  Launches launches;
  ArgumentSets arguments = {};
};
using InsideWindow = std::map<ShapeEntry*, LaunchesOfShape>;

// What came of closing a window, for the recording.
struct ClosedWindow {
  WindowId window;
  recording::WindowKind kind = recording::WindowKind::kLaunch;
  recording::WindowClose close = recording::WindowClose::kInTime;
  LaunchOrdinal first_launch;
  InsideWindow inside;
  std::uint64_t dropped_records = 0;
  std::vector<InstructionCounts> counts;
  std::string opener = {};    // the kernel of the first launch inside, mangled
  Launches behind_late = {};  // made after the window had outlived its deadline
};

enum class OpenResult {
  kOpened,
  kGateBusy,
  kNeverIdle,
  kTooSoon,
  kCapturing,
  kNotWanted,
  kFailed,
  kUncountable
};
// kSpoiled: it was closed, and what it counted cannot be given to its launches.
enum class CloseResult { kClosed, kStillOpen, kSpoiled, kFailed };

// Whether a window over a graph still waits for the graph's first launch.
enum class GraphWait { kUntilLaunched, kNoMore };

// Any thread. The context must be current where launches and captures are concerned.
class ContextWatch {
 public:
  ContextWatch(ContextHandle handle, ContextId id, DeviceIndex device, Collector& collector,
               Device& device_state, Clock& clock, const CaptureSet& captures,
               CodeChanges& code_changes, const Deadlines& deadlines)
      : handle_(handle),
        id_(id),
        device_index_(device),
        collector_(collector),
        device_(device_state),
        clock_(clock),
        captures_(captures),
        code_changes_(code_changes),
        deadlines_(deadlines) {}

  // A gate that was entered alone, while no code changes; left when this goes, unless it was kept.
  class HeldGate {
   public:
    HeldGate() = default;
    // Of a gate that the caller holds.
    explicit HeldGate(ContextWatch& watch) : watch_(&watch) {}
    HeldGate(HeldGate&& other) noexcept : watch_(std::exchange(other.watch_, nullptr)) {}
    HeldGate& operator=(HeldGate&& other) noexcept {
      std::swap(watch_, other.watch_);
      return *this;
    }
    ~HeldGate() {
      if (watch_ != nullptr) watch_->LeaveAlone();
    }
    explicit operator bool() const { return watch_ != nullptr; }
    // Somebody else leaves it later.
    void Keep() { watch_ = nullptr; }

   private:
    ContextWatch* watch_ = nullptr;
  };

  ContextHandle handle() const { return handle_; }
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
  // In any context.
  bool AnyCapture() const { return captures_.any(); }

  LoadedFunctions& loaded_functions() { return loaded_functions_; }

  // Its device cannot count any more.
  void SetUncountable() { countable_ = false; }

  // After the context was found busy, the next tries to find it idle come ever more rarely.
  bool TooSoonToTry() const { return launches_seen_.load() < next_try_.load(); }
  // `misses` is what Misses() said when the try began: tries that fail together count once.
  std::uint64_t Misses() const { return misses_in_a_row_.load(); }
  void NotIdle(std::uint64_t misses);

  // One more launch is on its way, whatever becomes of it.
  void CountLaunch() { launches_seen_.fetch_add(1, std::memory_order_relaxed); }

  // Whether PC sampling was not tried here yet, nor its turn waited for in vain too often.
  bool WantsSampling() const { return sampling_turns_.load(std::memory_order_relaxed) > 0; }
  void SamplingWasTried() { sampling_turns_ = 0; }
  // True: that was the last time.
  bool SamplingMissedItsTurn() { return --sampling_turns_ == 0; }

  // Nothing: not in time, or a stream is capturing.
  HeldGate EnterAlone(std::chrono::milliseconds patience);
  // Does `work` with the gate to itself.
  template <typename Work>
  bool DoAlone(std::chrono::milliseconds patience, Work work) {
    const HeldGate held = EnterAlone(patience);
    if (held) work();
    return static_cast<bool>(held);
  }
  // Whether everything that was launched here ends in time. The gate is the caller's alone.
  bool WaitIdle(std::chrono::milliseconds deadline);

  // A launch that is not counted passes the gate. False: the wait took too long, go on without.
  bool PassGate();
  void LeaveGate() { gate_.LeaveShared(); }

  // Opens a window and keeps the gate. `still_wanted` is asked once more behind the gate. kFailed:
  // error() says why. Anything but kOpened leaves the gate.
  template <typename StillWanted>
  OpenResult OpenForLaunch(WindowId window, LaunchOrdinal launch, StillWanted still_wanted);
  // After the launch: waits up to `patience`, takes the counts and leaves the gate in every case.
  CloseResult CloseAfterLaunch(std::chrono::milliseconds patience, ClosedWindow& closed);
  // The launch failed: nothing was counted. Leaves the gate; `lost` says what was inside. kFailed:
  // counting could not be ended, error() says why.
  CloseResult GiveUpWindow(ClosedWindow& lost);

  // Like OpenForLaunch, but nothing is counted: the gate is kept once everything is idle.
  template <typename StillWanted>
  OpenResult HoldForWatch(StillWanted still_wanted);
  // After the watched launch: whether its kernel ended in time. Leaves the gate.
  bool EndedWhileWatched();

  // Opens a window of many launches: for the graphs that are instantiated next, or for good
  // (kResident). Leaves the gate.
  OpenResult OpenForMany(WindowId window, LaunchOrdinal launch, recording::WindowKind kind);
  // A graph instantiated in the open window has been made; it was launched for the first time.
  void GraphPending();
  void GraphLaunched();
  // Work went to the device of which the open window counts an unknown part: its counts will be
  // thrown away. Nothing happens when none is open.
  void Spoil();

  // Takes the counts of a resident window when everything is idle now; the next part of it is
  // called `next`.
  CloseResult FlushResident(WindowId next, LaunchOrdinal launch, ClosedWindow& closed);
  // Since that was last tried; very long when it never was.
  Clock::TimePoint::duration TimeSinceFlush() const {
    return clock_.Now() - Clock::TimePoint(Clock::TimePoint::duration(last_flush_.load()));
  }

  // The open window's id, 0 for none.
  WindowId OpenWindowId() const { return WindowId(open_id_.load(std::memory_order_acquire)); }
  // Whether a window is open that nobody holds the gate for: it waits for a kernel or for a graph.
  // A resident one is not meant.
  bool WindowLeftOpen() const { return left_open_.load(std::memory_order_acquire); }
  // How long launches may still wait, all together, for a window that has outlived its deadline: as
  // long as that was. 0 where there is none.
  std::chrono::milliseconds PatienceBehind() const;
  void WaitedBehind(Clock::TimePoint::duration waited);
  // Says that launches of `entry` happened inside the open window; false when none is open.
  bool AddInside(ShapeEntry& entry, Launches launches);
  // Takes launches back that failed; their window cannot have closed.
  void TakeOutside(ShapeEntry& entry, Launches launches);
  // Keeps what a launch inside the open window was called with, which `read` says. Where there is
  // no room for more it is not asked.
  template <typename Read>
  void AddArguments(ShapeEntry& entry, Read read) {
    if (CanKeepArguments(entry)) KeepArguments(entry, read());
  }
  // Closes a window left open, when everything in it has ended. Waits up to `patience`.
  CloseResult TryClose(std::chrono::milliseconds patience, GraphWait graph_wait,
                       ClosedWindow& closed);
  // Closes the open window, if any, when all that runs has ended in time: nothing begins here any
  // more until the gate is left. Nothing: not so. `result` is kStillOpen where there was no window.
  HeldGate ShutDown(const KeptOut& changes, std::chrono::milliseconds patience, CloseResult& result,
                    ClosedWindow& closed);
  // The open window, if any, will never be closed: forgets it and says what was inside. False when
  // there is none, or a thread is at work on it.
  bool Abandon(ClosedWindow& lost);
  // Whether counting may be on here: in a window, or for good, where one was abandoned or ending it
  // failed.
  bool MayCount() const {
    // In this order, as the window goes after counting is known to stay.
    return OpenWindowId() != WindowId(0) || counts_for_good_;
  }

  // The kernel that the open window was opened for and since when; empty when there is none.
  struct Waiting {
    std::string kernel;  // mangled; empty: a graph
    Clock::TimePoint since;
    WindowId window;
    bool is_late = false;
  };
  std::optional<Waiting> WaitsFor() const;

  std::string error() const;

 private:
  enum class Readiness { kNothingToClose, kWaitsForGraph, kReady };

  struct OpenWindow {
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

  HeldGate TakeGate(std::chrono::milliseconds patience);
  void LeaveAlone();
  // Enters the gate alone, once all is idle; whatever is not kOpened has left it.
  template <typename StillWanted>
  OpenResult EnterIdle(StillWanted still_wanted);
  OpenResult OpenBehindGate(WindowId window, LaunchOrdinal launch, recording::WindowKind kind);
  CloseResult CloseBehindGate(ClosedWindow& closed);
  StreamState StateOfAll();
  bool AllIdle() { return StateOfAll() == StreamState::kIdle; }
  Readiness ReadyToClose(GraphWait graph_wait) const;
  void SetError(const std::string& error);
  ClosedWindow TakeWindow();
  ClosedWindow ExchangeWindow(WindowId next, LaunchOrdinal launch);
  static ClosedWindow Closed(OpenWindow window);
  bool IsSpoiled() const;
  bool HasInside() const;
  // Counts the launch as one of which nothing is kept, where it cannot.
  bool CanKeepArguments(ShapeEntry& entry);
  void KeepArguments(ShapeEntry& entry, recording::LaunchArguments arguments);

  const ContextHandle handle_;
  const ContextId id_;
  const DeviceIndex device_index_;
  Collector& collector_;
  Device& device_;
  Clock& clock_;
  const CaptureSet& captures_;
  CodeChanges& code_changes_;
  const Deadlines deadlines_;

  LoadedFunctions loaded_functions_;
  Gate gate_;
  std::atomic<bool> countable_{true};
  std::atomic<int> sampling_turns_{3};
  std::atomic<bool> counts_for_good_{false};  // nobody will end it any more
  std::atomic<std::uint64_t> launches_seen_{0};
  std::atomic<Clock::TimePoint::rep> last_flush_{0};
  std::atomic<std::uint64_t> misses_in_a_row_{0};
  std::atomic<std::uint64_t> next_try_{0};
  std::atomic<std::uintptr_t> last_stream_{0};
  std::mutex streams_mutex_;
  std::set<StreamHandle> streams_;
  std::atomic<std::uint64_t> open_id_{0};
  std::atomic<bool> left_open_{false};
  // Guards window_ and error_; never held across a call of the driver.
  mutable std::mutex window_mutex_;
  std::optional<OpenWindow> window_;
  std::string error_;
};

template <typename StillWanted>
OpenResult ContextWatch::EnterIdle(StillWanted still_wanted) {
  if (!countable_) return OpenResult::kUncountable;
  if (AnyCapture()) return OpenResult::kCapturing;
  if (WindowLeftOpen()) return OpenResult::kNotWanted;
  if (TooSoonToTry()) return OpenResult::kTooSoon;
  const std::uint64_t misses = Misses();
  HeldGate held = TakeGate(deadlines_.open);
  if (!held) {
    NotIdle(misses);
    return OpenResult::kGateBusy;
  }
  OpenResult result = OpenResult::kOpened;
  if (!countable_ || counts_for_good_ || OpenWindowId() != WindowId(0) || !still_wanted()) {
    result = OpenResult::kNotWanted;
  } else if (AnyCapture()) {
    result = OpenResult::kCapturing;
  } else if (!WaitIdle(deadlines_.open)) {
    NotIdle(misses);
    result = OpenResult::kNeverIdle;
  }
  if (result == OpenResult::kOpened) {
    misses_in_a_row_ = 0;
    held.Keep();
  }
  return result;
}

template <typename StillWanted>
OpenResult ContextWatch::OpenForLaunch(WindowId window, LaunchOrdinal launch,
                                       StillWanted still_wanted) {
  OpenResult result = EnterIdle(still_wanted);
  if (result != OpenResult::kOpened) return result;
  HeldGate held(*this);
  result = OpenBehindGate(window, launch, recording::WindowKind::kLaunch);
  if (result == OpenResult::kOpened) held.Keep();
  return result;
}

template <typename StillWanted>
OpenResult ContextWatch::HoldForWatch(StillWanted still_wanted) {
  return EnterIdle(still_wanted);
}

}  // namespace coalcheck::agent
