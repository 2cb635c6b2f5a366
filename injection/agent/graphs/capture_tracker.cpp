// SPDX-License-Identifier: Apache-2.0
//
// Around a capture's beginning the gate is passed, as around a launch.
#include "injection/agent/graphs/capture_tracker.h"

#include <utility>

#include "injection/agent/base/thread_state.h"

namespace coalcheck::agent {

void CaptureTracker::Begins(ContextHandle context, StreamHandle stream) {
  if (parts_.lifecycle.forked()) return;
  // No window may open, and ask the streams how far they are, while a capture begins.
  ContextWatch* watch = parts_.contexts.Find(context);
  // A window that waits for a graph ends here: a kernel that another thread launches in it is
  // patched, and patching breaks a capture.
  if (watch != nullptr) parts_.windows.CloseBeforeRisk(*watch);
  ThisThread().capture_beginning = watch != nullptr && watch->gate().Pass() ? watch : nullptr;
  // The capture counts from before the driver begins it: where the gate was not passed, this alone
  // keeps a window from asking the stream.
  parts_.captures.Began(stream);
}

void CaptureTracker::Began(StreamHandle stream, bool succeeded) {
  ContextWatch* passed = std::exchange(ThisThread().capture_beginning, nullptr);
  if (!succeeded) parts_.captures.Ended(stream);
  if (passed != nullptr) passed->gate().Leave();
}

void CaptureTracker::Ended(StreamHandle stream, bool succeeded) {
  // The driver refused to end it, for example for a wrong thread: the capture goes on.
  if (!succeeded && parts_.device.IsCapturing(stream)) return;
  parts_.captures.Ended(stream);
}

void CaptureTracker::LaunchCaptured(const ContextWatch& watch, StreamHandle stream) {
  const Capturing where{parts_.ranges.Current(), watch.handle()};
  if (where.ranges == RangeSetId(0) && parts_.contexts.made() < 2) return;
  if (const auto node = parts_.device.LastCaptured(stream)) nodes_.Captured(*node, where);
}

}  // namespace coalcheck::agent
