// SPDX-License-Identifier: Apache-2.0
//
// The agent: hears what the application does with CUDA, counts the launches that were selected, and
// writes the recording. It judges nothing and never stops the application.
#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <shared_mutex>
#include <string>
#include <string_view>
#include <vector>

#include "injection/agent/base/device.h"
#include "injection/agent/code/code_changes.h"
#include "injection/agent/graphs/captured_nodes.h"
#include "injection/agent/graphs/graph_book.h"
#include "injection/agent/ranges/range_book.h"
#include "injection/agent/sampling/stall_sampling.h"
#include "injection/agent/session/session.h"
#include "injection/agent/shapes/launch_book.h"
#include "injection/agent/windows/capture_set.h"
#include "injection/agent/windows/context_watch.h"
#include "libcoalcheck/options/agent_options.h"

namespace coalcheck::agent {

// One per process. Every member may be called from any thread; a …Begins and its …Ends come from
// one thread, one pair at a time. Calls about a context are made with that context current,
// but for ContextCreated, ContextEnds and those about streams and modules.
class Agent {
 public:
  // What it asks of the machine and the process; all of it outlives the agent.
  struct Around {
    Collector& collector;
    Sampler& sampler;
    Device& device;
    KernelCode& code;
    RangeBook& ranges;
    Clock& clock;
  };
  Agent(const options::AgentOptions& options, recording::Header process, const Around& around);

  // With the context current, counting is prepared now, so that the first counted launch does not
  // pay for it; else at that launch.
  void ContextCreated(ContextHandle context, const recording::Device& device, bool is_current);
  void ContextEnds(ContextHandle context);
  void StreamCreated(ContextHandle context, StreamHandle stream);
  void StreamEnds(ContextHandle context, StreamHandle stream);
  void ModuleLoaded(ContextHandle context, std::string_view cubin);
  void ModuleUnloads();
  // Around every call that may load or unload code. May be nested. `context` is the current one.
  void CodeChangeBegins(ContextHandle context = {});
  void CodeChangeEnds();

  void LaunchBegins(ContextHandle context, StreamHandle stream, const LaunchSeen& launch);
  // `call` tells of the launch that ends; none: nothing is known of it.
  void LaunchEnds(bool succeeded, const LaunchCall* call = nullptr);

  void CaptureBegins(ContextHandle context, StreamHandle stream);
  void CaptureBegan(StreamHandle stream, bool succeeded);
  // `succeeded` is false when the call failed; the capture may have ended all the same.
  void CaptureEnded(StreamHandle stream, bool succeeded);

  // `uploads`: the same call uploads it to the device, before its first launch.
  void GraphInstantiateBegins(ContextHandle context, GraphHandle graph, bool uploads = false);
  // `exec` is empty when the call failed.
  void GraphInstantiateEnds(std::optional<GraphExecHandle> exec);
  // It was uploaded before its first launch, which then cannot be counted.
  void GraphUploaded(GraphExecHandle exec);
  // It was updated in place: it may hold other kernels than it was instantiated with.
  void GraphUpdated(GraphExecHandle exec);
  void GraphExecDestroyed(GraphExecHandle exec) { graph_book_.Destroyed(exec); }
  void GraphDestroyed(GraphHandle graph) { captured_nodes_.Forget(graph); }
  void GraphLaunchBegins(ContextHandle context, StreamHandle stream, GraphExecHandle exec);
  void GraphLaunchEnds(bool succeeded);

  // Some NVTX ranges are seen by nobody here, and why; also said on stderr when asked for. At the
  // start, from one thread.
  void RangesNotSeen(const std::string& why, bool say);

  // From here on launches are checked, or not any more; other filters stay as they are.
  void SwitchOn() { switched_on_ = true; }
  void SwitchOff() { switched_on_ = false; }

  // Writes what is known so far: tallies, and windows that can be closed without waiting.
  void Flush();

  // The application has just waited for the device: a window left open may be closable.
  void Synchronised(ContextHandle context);

  // What has to be done now and then, from one thread: progress is written, windows that stay open
  // are named.
  void Tick();
  // Whether nothing new has been worth a window for a while. From Tick's thread.
  bool IsQuiet();
  // Gives CUPTI back: closes and takes down all counting, is deaf from then on, and calls
  // `give_back`. False: something runs, a thread is at work, the process ends, or it was given back
  // before; nothing has changed.
  bool TryRelease(const std::function<void()>& give_back = [] {});

  // Measuring stops for good, with the reason on stderr and in the recording.
  void Stop(std::string_view reason);
  // Does `work`; whatever it throws stops measuring and goes no further.
  template <typename Work>
  void Guard(Work work) noexcept {
    try {
      work();
    } catch (...) {
      StopForException();
    }
  }
  bool stopped() const { return stopped_.load(std::memory_order_relaxed); }

  // The process ends: closes what can be closed without waiting and completes the recording.
  void ProcessEnds(std::string_view how);
  // This is a forked child, which has no CUDA and must leave its parent's recording alone.
  void Forked();
  const Session& session() const { return session_; }
  // Something ran that could have been counted.
  bool saw_launches() const { return launches_.load() > 0; }

 private:
  using HeldGates = std::vector<ContextWatch::HeldGate>;

  // Of the exception that is being handled.
  void StopForException() noexcept;

  ContextWatch* Find(ContextHandle context);
  std::vector<ContextWatch*> Contexts();
  bool AnyLeftCounting();
  // Closes what is open in the contexts; they can do nothing as long as their gates are held.
  // Nothing: not all could be closed in time.
  std::optional<HeldGates> ShutDown(const std::vector<ContextWatch*>& watches,
                                    std::chrono::milliseconds patience);
  bool Release(const std::function<void()>& give_back);
  // With all gates held. False: something runs, or a context came or went; nothing was done.
  bool TakeAllDown(const std::vector<ContextWatch*>& watches);
  // Waits for a release that is under way, for a while.
  void NoMoreReleases();
  // The gates of all contexts, or none. Nobody is held while another gate is waited for.
  std::optional<HeldGates> EnterAllAlone(std::chrono::milliseconds patience);
  // No context of the device counts any more; takes counting down where that is safe.
  void GiveUp(DeviceIndex device, ContextHandle counts_through);
  void WriteNewRanges();
  void WriteLosses();
  // Why the launch is of no interest to the user.
  std::optional<Skip> LeftOut(ShapeEntry& entry, FunctionHandle function);
  // Has the driver load the kernel's code, so that it can be asked. `function` is 0 inside a graph,
  // whose code is loaded already.
  void NeedCode(const ShapeEntry& entry, FunctionHandle function);
  void LoadBeforeLaunch(ContextWatch& watch, FunctionHandle function);
  // Whether a window for the next launch is wanted and within the budget.
  bool MayHaveWindow(const ShapeEntry& entry, const selection::ShapeHistory& history, Skip& reason);
  // Whether it is not expected to take too long; else that is said.
  bool IsWithinLimit(const ShapeEntry& entry);
  void TellCost(const ShapeEntry& entry, std::optional<std::chrono::nanoseconds> expected);
  // What the window of one launch has taken.
  void NoteCost(const ShapeEntry& entry, Clock::TimePoint since);
  // The program was held since then.
  void Charge(Clock::TimePoint since);
  void WriteCost();
  // Whether this thread was in a code change that is not known to be one from here on: the thread
  // needs the device to itself.
  bool SuspendCodeChange();
  void ResumeCodeChange();
  class Suspended;
  class ChangingCode;
  // For the end of a counted launch.
  std::chrono::milliseconds CloseDeadlineOf(const ShapeEntry& entry) const;
  // A window that has outlived its deadline is waited for, once as long again, before anything is
  // launched: what is launched while it is open is slow.
  void WaitBehindLate(ContextWatch& watch);
  // This thread has launched a plain kernel: graphs can be counted again.
  static void LaunchedPlainly();
  bool HasReplayed() const;
  // What the kernel's code or its watched launch has shown. `function` as for NeedCode.
  Trust TrustOf(const ShapeEntry& entry, FunctionHandle function);
  void BeginUnwindowed(ContextWatch& watch, ShapeEntry& entry, FunctionHandle function,
                       Skip reason);
  // Both are true when the launch goes on inside a window of its own, or watched; else `reason`
  // says why not.
  bool BeginCounted(ContextWatch& watch, ShapeEntry& entry, FunctionHandle function,
                    const selection::ShapeHistory& history, Skip& reason);
  bool BeginHeld(ContextWatch& watch, ShapeEntry& entry, OpenResult result, Skip& reason);
  bool BeginWatched(ContextWatch& watch, ShapeEntry& entry, Skip& reason);
  static void EndWatched(ContextWatch& watch, ShapeEntry& entry, bool succeeded);
  void EndCaptured(const ContextWatch& watch, StreamHandle stream);
  void CloseBeforeRisk(ContextWatch& watch);
  void EndWindow(ContextWatch& watch, ShapeEntry& entry, bool succeeded);
  // Does `work`, which throws nothing, while nobody launches or changes code in any context; this
  // thread may be about to. False: that did not come about in time.
  bool DoAlone(std::chrono::milliseconds patience, const std::function<void()>& work);
  void BeginSampling(ContextWatch& watch);
  void ReadSamples();
  void EndSampling(ContextWatch& watch, std::string_view why_lost);
  void BeginResident(ContextWatch& watch);
  void FlushResidentWhenDue(ContextWatch& watch);
  void FlushResident(ContextWatch& watch);
  void ReadArguments(GraphKernels& kernels);
  GraphKernelsPtr KernelsOf(ContextHandle context, GraphHandle graph);
  bool WantsWindow(const GraphKernels& kernels);
  bool ShouldWatch(GraphKernels& kernels) const;
  static void EndWatched(ContextWatch& watch, GraphKernels& kernels, bool launched);
  static bool MayBeHeld(const GraphKernels& kernels);
  void OpenForMany(ContextWatch& watch, recording::WindowKind kind);
  std::chrono::milliseconds CloseDeadlineOf(const GraphKernels& kernels) const;
  static void AddGraphInside(ContextWatch& watch, const GraphKernels& kernels);
  void TryClose(ContextWatch& watch, std::chrono::milliseconds patience,
                GraphWait graph_wait = GraphWait::kUntilLaunched);
  // The last chance of a window: closes it now, or says that it is lost.
  void CloseForGood(ContextWatch& watch, std::string_view why_lost);
  void GiveUpWindow(ContextWatch& watch);
  void Lose(const ClosedWindow& lost);
  void NameSlowed(const ClosedWindow& closed);
  // Nothing is of interest any more. After Stop, open windows still have to be closed.
  bool Deaf() const {
    return ended_.load() || released_.load() || (stopped() && open_windows_.load() == 0);
  }
  // Of a deaf agent: the watch whose gate was passed, if there is any reason to.
  ContextWatch* PassQuietly(ContextHandle context, FunctionHandle function = {});
  void WriteProgress();
  std::vector<ContextWatch::Waiting> OpenWindows();
  std::uint64_t LongestWindow();
  void WarnOfLongWindows();
  void Finish(ContextWatch& watch, CloseResult result, ClosedWindow& closed);

  const std::uint64_t number_;  // tests have more than one agent in a process
  const options::AgentOptions options_;
  const Deadlines deadlines_;
  Collector& collector_;
  Device& device_;
  KernelCode& code_;
  RangeBook& ranges_;
  Clock& clock_;
  Session session_;
  std::vector<std::string> ranges_not_seen_;
  StallSampling stall_sampling_;
  LaunchBook launch_book_;
  GraphBook graph_book_;
  CapturedNodes captured_nodes_;
  CaptureSet captures_;
  CodeChanges code_changes_;

  std::atomic<bool> stopped_{false};
  std::atomic<bool> ended_{false};
  std::atomic<bool> released_{false};
  std::atomic<bool> release_refused_{false};  // for good, and that was said
  std::atomic<bool> forked_{false};           // nobody is left to leave the gates
  // A release and the process's end do not overlap.
  enum class Phase { kRunning, kReleasing, kEnding };
  std::atomic<Phase> phase_{Phase::kRunning};
  std::atomic<bool> switched_on_;
  selection::WindowBudget budget_;
  selection::FirstWindows first_windows_;
  std::atomic<bool> long_window_was_told_{false};
  const Clock::TimePoint start_;
  std::atomic<std::uint64_t> launches_{0};
  std::atomic<std::uint64_t> windows_{0};
  std::atomic<std::uint64_t> windows_closed_{0};
  std::atomic<std::uint64_t> contexts_made_{0};
  std::atomic<std::uint64_t> unseen_graph_launches_{0};
  std::atomic<std::uint64_t> unseen_nodes_launches_{0};
  std::atomic<std::uint64_t> updated_graphs_{0};
  std::atomic<std::uint64_t> kernels_without_lines_{0};
  std::atomic<std::uint64_t> too_late_launches_{0};
  std::atomic<std::uint64_t> open_windows_{0};

  std::mutex progress_mutex_;
  recording::Progress last_progress_;
  // Tick's own.
  std::set<WindowId> warned_of_;
  std::uint64_t windows_when_quiet_began_ = 0;
  Clock::TimePoint quiet_since_{};

  std::shared_mutex contexts_mutex_;
  std::map<ContextHandle, std::unique_ptr<ContextWatch>> contexts_;
  std::set<DeviceIndex> given_up_;
  // Counting was on in a context of theirs that went: never to be taken down any more.
  std::set<DeviceIndex> left_counting_;
  std::vector<std::unique_ptr<ContextWatch>> ended_contexts_;  // other threads may still hold one
};

}  // namespace coalcheck::agent
