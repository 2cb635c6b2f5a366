// SPDX-License-Identifier: Apache-2.0
//
// The agent: hears what the application does with CUDA, counts the launches that were selected, and
// writes the recording. It judges nothing and never stops the application.
//
// This is what the callbacks of CUPTI see of it. What is done stands in the parts:
//    windows/   one context: its gate, its streams, the window open in it
//    contexts/  all of them, and how to have them all to oneself
//    counting/  whether a launch may have a window, and what is recorded when it closes
//    launches/, graphs/, sampling/, lifetime/   who follows what
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "injection/agent/counting/parts.h"
#include "injection/agent/graphs/capture_tracker.h"
#include "injection/agent/graphs/graph_tracker.h"
#include "injection/agent/launches/launch_tracker.h"
#include "injection/agent/lifetime/context_lifetime.h"
#include "injection/agent/lifetime/cupti_release.h"
#include "injection/agent/lifetime/progress.h"
#include "injection/agent/lifetime/run_end.h"

namespace coalcheck::agent {

// One per process. Every member may be called from any thread; a …Begins and its …Ends come from
// one thread, one pair at a time. Calls about a context are made with that context current,
// but for ContextCreated, ContextEnds and those about streams and modules.
class Agent {
 public:
  Agent(const options::AgentOptions& options, recording::Header process, const Dependencies& from)
      : parts_(options, std::move(process), from) {}

  void ContextCreated(ContextHandle context, const recording::Device& device, bool is_current) {
    contexts_.Created(context, device, is_current);
  }
  void ContextEnds(ContextHandle context) { contexts_.Ends(context); }
  void StreamCreated(ContextHandle context, StreamHandle stream);
  void StreamEnds(ContextHandle context, StreamHandle stream);
  void ModuleLoaded(ContextHandle context, std::string_view cubin);
  void ModuleUnloads();
  // Around every call that may load or unload code. May be nested. `context` is the current one.
  void CodeChangeBegins(ContextHandle context = {});
  void CodeChangeEnds() { parts_.announced_changes.End(); }

  LaunchTracker& launches() { return launches_; }
  CaptureTracker& captures() { return captures_; }
  GraphTracker& graphs() { return graphs_; }

  // From here on launches are checked, or not any more; other filters stay as they are.
  void SwitchOn() { parts_.vetting.SwitchOn(); }
  void SwitchOff() { parts_.vetting.SwitchOff(); }

  // The application has just waited for the device: a window left open may be closable.
  void Synchronised(ContextHandle context);
  // Writes what is known so far: tallies, and windows that can be closed without waiting.
  void Flush() { end_.Flush(); }

  // What has to be done now and then, from one thread: progress is written, windows that stay open
  // are named.
  void Tick();
  // Whether nothing new has been worth a window for a while. From Tick's thread.
  bool IsQuiet() { return progress_.IsQuiet(); }
  // See CuptiRelease.
  bool TryRelease(const std::function<void()>& unsubscribe = [] {}) {
    return release_.TryRelease(unsubscribe);
  }

  // Does `work`; whatever it throws stops measuring and goes no further.
  template <typename Work>
  void Guard(Work work) noexcept {
    try {
      work();
    } catch (...) {
      parts_.lifecycle.StopForException();
    }
  }
  bool stopped() const { return parts_.lifecycle.stopped(); }

  // Some NVTX ranges are seen by nobody here, and why; also said on stderr when asked for. At the
  // start, from one thread.
  void RangesNotSeen(const std::string& why, bool say) { end_.RangesNotSeen(why, say); }
  // So many driver functions are not heard, as this CUPTI does not know them. At the start.
  void CallbacksUnknown(std::uint64_t functions) { end_.CallbacksUnknown(functions); }
  // The process ends: closes what can be closed without waiting and completes the recording.
  void ProcessEnds(std::string_view how);
  // This is a forked child, which has no CUDA and must leave its parent's recording alone.
  void Forked();
  const Session& session() const { return parts_.session; }

 private:
  Parts parts_;
  CaptureTracker captures_{parts_};
  LaunchTracker launches_{parts_, captures_};
  GraphTracker graphs_{parts_, captures_};
  ContextLifetime contexts_{parts_};
  CuptiRelease release_{parts_};
  Progress progress_{parts_};
  RunEnd end_{parts_};
};

}  // namespace coalcheck::agent
