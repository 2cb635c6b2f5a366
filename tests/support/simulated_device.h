// SPDX-License-Identifier: Apache-2.0
//
// A GPU with its driver and its counters, simulated as far as the agent can tell the difference.
#pragma once

#include <gtest/gtest.h>

#include <atomic>
#include <functional>
#include <map>
#include <mutex>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "injection/agent/base/device.h"

namespace coalcheck::testing {

// CU_STREAM_LEGACY: every context has one, and it is busy while any blocking stream of it is.
inline constexpr agent::StreamHandle kLegacyStream(1);

struct SimulatedKernel {
  std::string name;
  std::chrono::microseconds duration{0};
  std::function<bool()> may_end = nullptr;  // e.g. a host flag; empty: nothing to wait for
  // The agent let the launch go without the gate, after the longest wait it allows itself: then
  // the hardware may make it wait, and so does the simulation.
  bool without_gate = false;
  std::uint32_t grid = 1;
  agent::ContextHandle runs_in = {};  // in a graph, if not in its context
  std::string arguments = {};         // the bytes of its parameters
  bool ends_context = false;          // as a failed assertion or an illegal address does
};

enum class StreamType { kNonBlocking, kBlocking };

// Models what was seen on hardware:
//  * the launch of a kernel not yet patched, in a context that counts, waits inside the driver
//    until the whole context is idle;
//  * counts are taken and ended (Flush, Disable) while nothing runs: on hardware both wait, and
//    the wait can be for good, so here they fail the test;
//  * a question to a stream while one of its context's streams is capturing breaks the capture, and
//    fails the test;
//  * counting begins, is read and ends while nobody loads or unloads code: on hardware the process
//    dies;
//  * all contexts count through the one that was prepared first; once it is gone, none may;
//  * a graph's kernels are counted while the counting lasts that was on before its instantiation,
//    unless its thread launched a graph uncounted, and no plain kernel since; of any other graph
//    the first kernel is counted.
// Each launch of a kernel that is counted adds 1 to its only counter, at pc 16.
//
// Time is the clock's. Any thread.
class SimulatedDevice final : public agent::Collector,
                              public agent::Device,
                              public agent::KernelCode {
 public:
  explicit SimulatedDevice(agent::Clock& clock);

  // The driver's side.
  void CreateStream(agent::ContextHandle context, agent::StreamHandle stream, StreamType type);
  void PutOn(agent::ContextHandle context, std::uint32_t device);
  // Not in time: the agent waited for as long as it may for what still ran on the device.
  void DestroyContext(agent::ContextHandle context, bool in_time = true);
  void DestroyStream(agent::ContextHandle context, agent::StreamHandle stream);
  // The thread's calls without a context are about this one.
  static void MakeCurrent(agent::ContextHandle context);
  // Into a capturing stream: captured.
  void Launch(agent::ContextHandle context, agent::StreamHandle stream,
              const SimulatedKernel& kernel);
  // Code is loaded or unloaded. Not begun with a gate: the agent had waited for too long.
  void CodeChangeBegins(bool without_gate);
  void CodeChangeEnds(bool without_gate);
  bool BeginCapture(agent::ContextHandle context, agent::StreamHandle stream,
                    bool without_gate = false);
  // Empty when the capture was broken, or there was none.
  std::optional<agent::GraphHandle> EndCapture(agent::ContextHandle context,
                                               agent::StreamHandle stream);
  void BreakCapture(agent::ContextHandle context, agent::StreamHandle stream);
  // Counted from here on, if the context counts and counts this thread's graphs.
  std::optional<agent::GraphExecHandle> Instantiate(agent::ContextHandle context,
                                                    agent::GraphHandle graph);
  // A graph made without a capture, `unseen` of whose nodes nobody can look into.
  agent::GraphHandle MakeGraph(const std::vector<SimulatedKernel>& kernels,
                               std::uint64_t unseen = 0);
  void LaunchGraph(agent::ContextHandle context, agent::StreamHandle stream,
                   agent::GraphExecHandle exec);
  // The instance's nodes are changed in place.
  void ChangeInstance(agent::GraphExecHandle exec, const std::vector<SimulatedKernel>& kernels);
  // What the agent has launched must do what the application asked for.
  void ExpectSameWork(agent::GraphExecHandle asked, agent::GraphExecHandle launched);
  // Whether it will stay slower for good: it was made while its context counted.
  bool WasMadeWhileCounting(agent::GraphExecHandle exec);
  // How many there are of the application and of the agent, and copies of graphs.
  std::size_t instances();
  std::size_t copies();
  // Of each graph there is one instance at most.
  void RefuseSecondInstances() { refuses_second_instances_ = true; }
  // The application's own instance is launched, whatever the agent says.
  void InsistOnInstances() { substitutes_ = false; }
  bool IsIdle(agent::ContextHandle context);
  // Whether a question to a stream broke a capture that had begun without the gate.
  bool broke_a_capture() const { return broke_a_capture_.load(); }
  bool IsEnabled(agent::ContextHandle context);
  bool IsTakenDown(std::uint32_t device);
  // Threads that load or unload code now, having passed the gates.
  std::uint64_t CodeChanges();
  // Whether a stream of the context captures whose capture began with the gate.
  bool CapturesWithGate(agent::ContextHandle context);

  // What the next calls answer, until set empty.
  struct Faults {
    std::optional<std::string> prepare = {}, enable = {}, flush = {}, disable = {};
  };
  void SetFaults(const Faults& faults);
  // From here on each context loads a kernel's code at its first launch there, and calls
  // `while_loading`.
  void LoadLazily(std::function<void()> while_loading);
  static agent::FunctionHandle FunctionOf(const std::string& kernel) {
    return agent::FunctionHandle(std::hash<std::string>{}(kernel));
  }
  // So many times longer runs what is launched while its context counts.
  void SetSlowdown(int times) { slowdown_ = times; }
  // So long the first launch of a kernel in a context that counts waits while its code is patched.
  void SetPatching(std::chrono::milliseconds duration) { patching_ = duration; }

  // How often it was asked what a graph's kernel is called with.
  std::uint64_t arguments_read() const { return arguments_read_; }
  std::uint64_t queries() const { return queries_; }
  std::uint64_t enables() const { return enables_; }

  // Collector
  std::vector<std::string> CounterNames() const override { return {"requests"}; }
  agent::Status Prepare(agent::ContextHandle context) override;
  bool CountsThrough(agent::ContextHandle context) override;
  void TakeDown(agent::ContextHandle context) override;
  agent::Status Enable(agent::ContextHandle context) override;
  Result<std::vector<agent::InstructionCounts>> Flush(agent::ContextHandle context) override;
  Result<std::uint64_t> Disable(agent::ContextHandle context) override;

  // Device
  agent::StreamState Query(agent::ContextHandle context, agent::StreamHandle stream) override;
  bool IsCapturing(agent::StreamHandle stream) override;
  std::optional<agent::CapturedNode> LastCaptured(agent::StreamHandle stream) override;
  agent::GraphContents ContentsOf(agent::GraphHandle graph) override;
  recording::LaunchArguments ArgumentsOf(const agent::CapturedNode& kernel) override;
  bool CanSubstitute() const override { return substitutes_; }
  std::optional<agent::GraphHandle> CopyGraph(agent::GraphHandle graph) override;
  void DestroyGraph(agent::GraphHandle copy) override;
  std::optional<agent::GraphExecHandle> MakeInstance(agent::GraphHandle copy) override;
  void DestroyInstance(agent::GraphExecHandle exec) override;
  void LoadCode(agent::FunctionHandle function) override;

  // KernelCode: kernels whose names begin with "spins" have signs of waiting, those with "breaks"
  // wait for other lanes, those with "loops" and "many_loops" access memory in loops;
  // a tenth of what "many_loops_of_loads" executes are accesses; "counts_up" makes as many as its
  // argument says.
  agent::KernelCode::Module ModuleLoaded(CubinId, std::string_view, const std::string&) override {
    return {};
  }
  bool HasLines(std::string_view) override { return true; }
  // "inlines_NAME" has NAME in it.
  std::vector<std::string> InlinedFunctions(std::string_view kernel) override {
    constexpr std::string_view kPrefix = "inlines_";
    if (!kernel.starts_with(kPrefix)) return {};
    return {std::string(kernel.substr(kPrefix.size()))};
  }
  bool Knows(std::string_view) override { return true; }
  Hazard HazardOf(std::string_view kernel) override {
    if (kernel.starts_with("breaks")) return Hazard::kOtherLanes;
    return kernel.starts_with("spins") ? Hazard::kMayWait : Hazard::kNone;
  }
  Accesses AccessesOf(std::string_view kernel, const agent::KernelCode::Launch& launch) override {
    if (kernel == "many_loops_of_loads")
      return {.of_a_thread = 1e7, .share = 0.1, .in_loops = true};
    if (kernel.starts_with("many_loops")) return {.of_a_thread = 1e7, .share = 0, .in_loops = true};
    if (kernel.starts_with("counts_up"))
      return {.of_a_thread = std::stod(launch.parameters), .share = 1, .in_loops = false};
    return {.of_a_thread = 1,
            .share = 0,
            .in_loops = kernel.starts_with("loops") || kernel.starts_with("spins")};
  }

 private:
  std::atomic<bool> broke_a_capture_{false};

  struct Running {
    agent::Clock::TimePoint ends;
    std::function<bool()> may_end;
    bool without_gate = false;
  };
  struct Capture {
    agent::GraphHandle graph;
    bool broken = false;
    bool without_gate = false;  // as SimulatedKernel's
    std::vector<SimulatedKernel> kernels;
    std::uint64_t unseen_nodes = 0;
    bool made_while_counting = false;
    std::uint64_t counting_since = 0;  // the context's enable it was instantiated under; 0: none
  };
  struct Stream {
    StreamType type = StreamType::kBlocking;
    std::vector<Running> running;
    std::optional<Capture> capture;
  };
  struct Context {
    bool has_failed = false;
    std::map<agent::StreamHandle, Stream> streams;
    std::uint32_t device = 0;
    std::uint64_t enabled = 0;  // which Enable is in force; 0: none
    std::set<std::string> patched;
    std::set<agent::FunctionHandle> loaded;
    std::map<std::string, std::uint64_t> counts;
  };

  Context& Of(agent::ContextHandle context) { return contexts_[context]; }
  Stream* FindStream(agent::ContextHandle context, agent::StreamHandle stream);
  bool Idle(Stream& stream);
  bool Idle(Context& context);
  bool OnlyGatelessRun(Context& context);
  static bool AnyCaptureWithGate(const Context& context);
  void Run(Context& context, Stream& stream, const SimulatedKernel& kernel, bool counted);
  // Waits inside the driver until the context is idle; the lock is released meanwhile.
  // The nth node of a graph, from 1.
  static agent::CapturedNode Node(const Capture& capture, std::size_t n) {
    return {capture.graph, agent::GraphNodeHandle(n)};
  }
  Stream* FindInAnyContext(agent::StreamHandle stream);
  void WaitUntilIdle(std::unique_lock<std::mutex>& lock, Context& context, const char* what);
  void Load(std::unique_lock<std::mutex>& lock, Context& context, agent::FunctionHandle function);
  void Patch(std::unique_lock<std::mutex>& lock, Context& context, const SimulatedKernel& kernel);
  // What Enable, Flush and Disable ask for.
  void ExpectStill(std::unique_lock<std::mutex>& lock, Context& context, const char* what);
  static void Violation(const std::string& what) { ADD_FAILURE() << "the agent " << what; }

  const std::uint64_t number_;
  agent::Clock& clock_;
  std::mutex mutex_;
  std::map<agent::ContextHandle, Context> contexts_;
  std::map<std::uint32_t, agent::ContextHandle> counts_through_;  // device → context
  std::set<std::uint32_t> taken_down_;
  std::set<std::uint32_t> went_while_counting_;  // devices of contexts that did
  std::map<agent::GraphHandle, Capture> graphs_;
  std::map<agent::GraphExecHandle, Capture> execs_;
  std::uint64_t code_changes_ = 0;  // under way
  std::uint64_t last_handle_ = 0x1000;
  std::size_t copies_ = 0;
  Faults faults_;
  std::function<void()> while_loading_;  // empty: all code is loaded with its module
  std::atomic<int> slowdown_{1};
  std::atomic<std::chrono::milliseconds> patching_{};
  std::atomic<bool> refuses_second_instances_{false};
  std::atomic<bool> substitutes_{true};
  std::atomic<std::uint64_t> arguments_read_{0};
  std::atomic<std::uint64_t> queries_{0};
  std::atomic<std::uint64_t> enables_{0};
};

}  // namespace coalcheck::testing
