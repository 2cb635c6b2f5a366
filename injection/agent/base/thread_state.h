// SPDX-License-Identifier: Apache-2.0
//
// Everything that the agent keeps for each thread of the program, in one place.
//
// A call of the driver begins and ends on one thread, and calls are not nested but for those that
// change code: so what its beginning leaves for its end lies here. Three caches are per thread as
// well and stand where nobody else can read them: the shapes found lately (shapes/launch_book.cpp),
// the layouts of parameters found lately (shapes/parameter_layouts.cpp), and a thread's open NVTX
// ranges (ranges/range_book.cpp). Each belongs to one book at a time.
#pragma once

#include <cstdint>
#include <memory>

#include "injection/agent/base/device.h"

namespace coalcheck::agent {

class ContextWatch;
class ShapeEntry;
struct GraphKernels;

// From LaunchTracker::Begin to its End.
struct LaunchUnderWay {
  enum class Kind { kNothing, kQuiet, kPassedGate, kWatched, kTimed, kWindow };
  Kind kind = Kind::kNothing;
  ContextWatch* watch = nullptr;
  StreamHandle stream;
  FunctionHandle function;
  ShapeEntry* entry = nullptr;  // none: captured
  bool inside_another = false;  // it fell inside a window that was open already
  // kWindow, kWatched, kTimed: since when its thread is held, and when it went to the driver.
  Clock::TimePoint held_since;
  Clock::TimePoint launched;
};

// From GraphTracker::InstantiateBegins to InstantiateEnds.
struct InstantiationUnderWay {
  ContextWatch* watch = nullptr;
  std::shared_ptr<GraphKernels> kernels;
  bool passed_gate = false;
};

// From GraphTracker::LaunchBegins to LaunchEnds.
struct GraphLaunchUnderWay {
  ContextWatch* watch = nullptr;
  std::shared_ptr<GraphKernels> kernels;
  bool passed_gate = false;
  bool first = false;    // of its instantiation
  bool watched = false;  // holds the gate alone, to see whether it ends without other work
  bool inside = false;   // the window is open that its instance was made in
  bool counted = false;  // holds the gate alone, in a window of its own
  Clock::TimePoint held_since = {};
};

// Of AnnouncedChanges: calls that may change code, one inside the other; and whether that is known
// to CodeChanges now.
struct CodeChangeUnderWay {
  std::uint64_t depth = 1;
  bool announced = true;
  bool in_time = true;  // false: it goes on beside somebody who counts, having waited in vain
};

// The context that Contexts found last for the thread, and in which of its generations.
struct FoundContext {
  std::uint64_t generation = 0;
  ContextHandle handle;
  ContextWatch* watch = nullptr;
};

// What has a destructor is on the heap: at a thread's exit none may run, for the host may have
// unloaded what it needs.
struct ThreadState {
  LaunchUnderWay launch;
  FoundContext found_context;
  InstantiationUnderWay* instantiation = nullptr;
  GraphLaunchUnderWay* graph_launch = nullptr;
  // The instance that the agent's own question is about: see cupti/graph_instances.cpp. 0: none.
  GraphExecHandle asked_instead;
  bool makes_instance = false;  // the instantiation under way is the agent's own
  // Whose gate the beginning of a capture has passed; CaptureTracker's.
  ContextWatch* capture_beginning = nullptr;
  CodeChangeUnderWay* code_change = nullptr;
  // The agent (GraphVetting's number) in which the thread launched a graph outside a window, and no
  // plain kernel since; 0: none.
  std::uint64_t replayed_in = 0;
};

// Of the calling thread.
ThreadState& ThisThread();

}  // namespace coalcheck::agent
