// SPDX-License-Identifier: Apache-2.0
//
// The simulated GPU: streams with running kernels, captures, graphs and counters.
#include "tests/support/simulated_device.h"

#include <algorithm>
#include <utility>

namespace coalcheck::testing {
namespace {

using namespace std::chrono_literals;
using agent::ContextHandle;
using agent::GraphExecHandle;
using agent::GraphHandle;
using agent::StreamHandle;

constexpr auto kDriverPoll = 20us;
constexpr auto kForGood = 20s;

std::atomic<std::uint64_t> devices_made{0};
// The device on which the thread launched a graph that was not counted, and no plain kernel since.
thread_local std::uint64_t replayed_on = 0;
thread_local ContextHandle current;

}  // namespace

SimulatedDevice::SimulatedDevice(agent::Clock& clock) : number_(++devices_made), clock_(clock) {}

void SimulatedDevice::CreateStream(ContextHandle context, StreamHandle stream, StreamType type) {
  const std::lock_guard lock(mutex_);
  Of(context).streams[stream].type = type;
}

void SimulatedDevice::DestroyStream(ContextHandle context, StreamHandle stream) {
  const std::lock_guard lock(mutex_);
  Of(context).streams.erase(stream);
}

SimulatedDevice::Stream* SimulatedDevice::FindStream(ContextHandle context, StreamHandle stream) {
  auto& streams = Of(context).streams;
  const auto found = streams.find(stream);
  return found == streams.end() ? nullptr : &found->second;
}

bool SimulatedDevice::Idle(Stream& stream) {
  const agent::Clock::TimePoint now = clock_.Now();
  // In order: what is behind a running kernel has not begun to end.
  auto at = stream.running.begin();
  while (at != stream.running.end() && at->ends <= now && (!at->may_end || at->may_end())) ++at;
  stream.running.erase(stream.running.begin(), at);
  return stream.running.empty();
}

bool SimulatedDevice::Idle(Context& context) {
  bool idle = true;
  for (auto& [handle, stream] : context.streams) idle = Idle(stream) && idle;
  return idle;
}

bool SimulatedDevice::OnlyGatelessRun(Context& context) {
  for (auto& [handle, stream] : context.streams) {
    if (!Idle(stream) && !std::ranges::all_of(stream.running, &Running::without_gate)) return false;
  }
  return true;
}

bool SimulatedDevice::AnyCaptureWithGate(const Context& context) {
  return std::ranges::any_of(context.streams, [](const auto& entry) {
    return entry.second.capture && !entry.second.capture->without_gate;
  });
}

void SimulatedDevice::WaitUntilIdle(std::unique_lock<std::mutex>& lock, Context& context,
                                    const char* what) {
  const agent::Clock::TimePoint start = clock_.Now();
  while (!Idle(context)) {
    if (clock_.Now() - start > kForGood) return Violation(what);
    lock.unlock();
    clock_.Rest(kDriverPoll);
    lock.lock();
  }
}

void SimulatedDevice::LoadLazily(std::function<void()> while_loading) {
  const std::lock_guard lock(mutex_);
  while_loading_ = std::move(while_loading);
}

void SimulatedDevice::Load(std::unique_lock<std::mutex>& lock, Context& context,
                           agent::FunctionHandle function) {
  if (!while_loading_ || !context.loaded.insert(function).second) return;
  const std::function<void()> while_loading = while_loading_;
  ++code_changes_;
  lock.unlock();
  while_loading();
  lock.lock();
  --code_changes_;
}

void SimulatedDevice::LoadCode(agent::FunctionHandle function) {
  std::unique_lock lock(mutex_);
  Load(lock, Of(current), function);
}

void SimulatedDevice::Patch(std::unique_lock<std::mutex>& lock, Context& context,
                            const SimulatedKernel& kernel) {
  if (context.enabled == 0 || context.patched.contains(kernel.name)) return;
  WaitUntilIdle(lock, context, "left a launch waiting in the driver for good");
  context.patched.insert(kernel.name);
  if (const auto duration = patching_.load(); duration.count() != 0) clock_.Rest(duration);
}

void SimulatedDevice::Run(Context& context, Stream& stream, const SimulatedKernel& kernel,
                          bool counted) {
  context.has_failed = context.has_failed || kernel.ends_context;
  Idle(stream);
  const agent::Clock::TimePoint begins =
      stream.running.empty() ? clock_.Now() : std::max(clock_.Now(), stream.running.back().ends);
  const auto duration = kernel.duration * (context.enabled != 0 ? slowdown_.load() : 1);
  stream.running.push_back({begins + duration, kernel.may_end, kernel.without_gate});
  if (counted) ++context.counts[kernel.name];
}

void SimulatedDevice::MakeCurrent(ContextHandle context) { current = context; }

void SimulatedDevice::Launch(ContextHandle context, StreamHandle stream,
                             const SimulatedKernel& kernel) {
  std::unique_lock lock(mutex_);
  Load(lock, Of(context), FunctionOf(kernel.name));
  if (Stream* target = FindStream(context, stream); target != nullptr && target->capture) {
    target->capture->kernels.push_back(kernel);
    return;
  }
  replayed_on = 0;
  Context& own = Of(context);
  Patch(lock, own, kernel);
  Run(own, own.streams[stream], kernel, own.enabled != 0);
}

void SimulatedDevice::CodeChangeBegins(bool without_gate) {
  const std::lock_guard lock(mutex_);
  if (!without_gate) ++code_changes_;
}

void SimulatedDevice::CodeChangeEnds(bool without_gate) {
  const std::lock_guard lock(mutex_);
  if (!without_gate) --code_changes_;
}

std::uint64_t SimulatedDevice::CodeChanges() {
  const std::lock_guard lock(mutex_);
  return code_changes_;
}

bool SimulatedDevice::CapturesWithGate(ContextHandle context) {
  const std::lock_guard lock(mutex_);
  return AnyCaptureWithGate(Of(context));
}

bool SimulatedDevice::BeginCapture(ContextHandle context, StreamHandle stream, bool without_gate) {
  const std::lock_guard lock(mutex_);
  Stream* target = FindStream(context, stream);
  if (target == nullptr || target->capture || stream == kLegacyStream) return false;
  target->capture =
      Capture{.graph = GraphHandle(++last_handle_), .without_gate = without_gate, .kernels = {}};
  return true;
}

void SimulatedDevice::BreakCapture(ContextHandle context, StreamHandle stream) {
  const std::lock_guard lock(mutex_);
  if (Stream* target = FindStream(context, stream); target != nullptr && target->capture) {
    target->capture->broken = true;
  }
}

std::optional<GraphHandle> SimulatedDevice::EndCapture(ContextHandle context, StreamHandle stream) {
  const std::lock_guard lock(mutex_);
  Stream* target = FindStream(context, stream);
  if (target == nullptr || !target->capture) return std::nullopt;
  Capture capture = std::move(*target->capture);
  target->capture.reset();
  if (capture.broken) return std::nullopt;
  const GraphHandle graph = capture.graph;
  graphs_[graph] = std::move(capture);
  return graph;
}

GraphHandle SimulatedDevice::MakeGraph(const std::vector<SimulatedKernel>& kernels,
                                       std::uint64_t unseen) {
  const std::lock_guard lock(mutex_);
  const GraphHandle graph(++last_handle_);
  graphs_[graph] = Capture{.graph = graph, .kernels = kernels, .unseen_nodes = unseen};
  return graph;
}

agent::GraphContents SimulatedDevice::ContentsOf(GraphHandle graph) {
  const std::lock_guard lock(mutex_);
  agent::GraphContents contents;
  const auto found = graphs_.find(graph);
  if (found == graphs_.end()) return contents;
  contents.unseen_nodes = found->second.unseen_nodes;
  contents.has_unique_nodes = contents.unseen_nodes > 0;
  for (const SimulatedKernel& kernel : found->second.kernels) {
    contents.kernels.push_back({kernel.name,
                                {kernel.grid, 1, 1},
                                {32, 1, 1},
                                Node(found->second, contents.kernels.size() + 1),
                                kernel.runs_in});
  }
  return contents;
}

recording::LaunchArguments SimulatedDevice::ArgumentsOf(const agent::CapturedNode& kernel) {
  const std::lock_guard lock(mutex_);
  const std::string& bytes = graphs_.at(kernel.graph).kernels.at(kernel.node.value() - 1).arguments;
  ++arguments_read_;
  return {.shared_memory = Bytes(0), .size = Bytes(bytes.size()), .bytes = bytes};
}

std::optional<GraphExecHandle> SimulatedDevice::Instantiate(ContextHandle context,
                                                            GraphHandle graph) {
  const std::lock_guard lock(mutex_);
  const auto found = graphs_.find(graph);
  if (found == graphs_.end()) return std::nullopt;
  const GraphExecHandle exec(++last_handle_);
  execs_[exec] = found->second;
  execs_[exec].made_while_counting = Of(context).enabled != 0;
  execs_[exec].counting_since = replayed_on == number_ ? 0 : Of(context).enabled;
  return exec;
}

void SimulatedDevice::LaunchGraph(ContextHandle context, StreamHandle stream,
                                  GraphExecHandle exec) {
  std::unique_lock lock(mutex_);
  Context& own = Of(context);
  const Capture graph = execs_.at(exec);
  const bool counted =
      own.enabled != 0 && own.enabled == graph.counting_since && replayed_on != number_;
  bool first = own.enabled != 0 && replayed_on != number_;
  if (!counted) replayed_on = number_;
  for (const SimulatedKernel& kernel : graph.kernels) {
    const bool elsewhere = kernel.runs_in != ContextHandle(0) && kernel.runs_in != context;
    if (elsewhere) {
      Run(own, own.streams[stream], kernel, false);
      continue;
    }
    if (counted) Patch(lock, own, kernel);
    Run(own, own.streams[stream], kernel, counted || first);
    first = false;
  }
}

std::optional<GraphHandle> SimulatedDevice::CopyGraph(GraphHandle graph) {
  const std::lock_guard lock(mutex_);
  const auto found = graphs_.find(graph);
  if (found == graphs_.end()) return std::nullopt;
  const GraphHandle copy(++last_handle_);
  graphs_[copy] = found->second;
  ++copies_;
  return copy;
}

void SimulatedDevice::DestroyGraph(GraphHandle copy) {
  const std::lock_guard lock(mutex_);
  if (graphs_.erase(copy) == 0) return Violation("destroyed a graph that is none");
  --copies_;
}

std::optional<GraphExecHandle> SimulatedDevice::MakeInstance(GraphHandle copy) {
  if (refuses_second_instances_) return std::nullopt;
  return Instantiate(current, copy);
}

void SimulatedDevice::DestroyInstance(GraphExecHandle exec) {
  const std::lock_guard lock(mutex_);
  if (execs_.erase(exec) == 0) Violation("destroyed an instance that is none");
}

void SimulatedDevice::ChangeInstance(GraphExecHandle exec,
                                     const std::vector<SimulatedKernel>& kernels) {
  const std::lock_guard lock(mutex_);
  execs_.at(exec).kernels = kernels;
}

void SimulatedDevice::ExpectSameWork(GraphExecHandle asked, GraphExecHandle launched) {
  const std::lock_guard lock(mutex_);
  const auto is_same = [](const SimulatedKernel& one, const SimulatedKernel& other) {
    return one.name == other.name && one.grid == other.grid && one.arguments == other.arguments;
  };
  if (!std::ranges::equal(execs_.at(asked).kernels, execs_.at(launched).kernels, is_same)) {
    Violation("had another graph launched than the application's");
  }
}

bool SimulatedDevice::WasMadeWhileCounting(GraphExecHandle exec) {
  const std::lock_guard lock(mutex_);
  return execs_.at(exec).made_while_counting;
}

std::size_t SimulatedDevice::instances() {
  const std::lock_guard lock(mutex_);
  return execs_.size();
}

std::size_t SimulatedDevice::copies() {
  const std::lock_guard lock(mutex_);
  return copies_;
}

bool SimulatedDevice::IsIdle(ContextHandle context) {
  const std::lock_guard lock(mutex_);
  return Idle(Of(context));
}

bool SimulatedDevice::IsEnabled(ContextHandle context) {
  const std::lock_guard lock(mutex_);
  return Of(context).enabled != 0;
}

bool SimulatedDevice::IsTakenDown(std::uint32_t device) {
  const std::lock_guard lock(mutex_);
  return taken_down_.contains(device);
}

void SimulatedDevice::SetFaults(const Faults& faults) {
  const std::lock_guard lock(mutex_);
  faults_ = faults;
}

void SimulatedDevice::PutOn(ContextHandle context, std::uint32_t device) {
  const std::lock_guard lock(mutex_);
  Of(context).device = device;
}

void SimulatedDevice::DestroyContext(ContextHandle context, bool in_time) {
  const std::lock_guard lock(mutex_);
  const std::uint32_t device = Of(context).device;
  const auto found = counts_through_.find(device);
  const bool counts_through = found != counts_through_.end() && found->second == context;
  // Where a window had to be abandoned there is no safe moment any more.
  if (std::exchange(Of(context).enabled, 0) != 0) went_while_counting_.insert(device);
  const bool may_be_taken_down =
      !went_while_counting_.contains(device) &&
      std::ranges::none_of(contexts_, [device](const auto& entry) {
        return entry.second.device == device && entry.second.enabled != 0;
      });
  if (counts_through && may_be_taken_down && in_time && !taken_down_.contains(device)) {
    Violation("let the context go that counting was set up in");
  }
}

agent::StreamState SimulatedDevice::Query(ContextHandle context, StreamHandle stream) {
  const std::lock_guard lock(mutex_);
  ++queries_;
  Context& own = Of(context);
  if (own.has_failed) return agent::StreamState::kFailed;
  for (auto& [handle, each] : own.streams) {
    if (!each.capture) continue;
    each.capture->broken = true;
    if (!each.capture->without_gate) Violation("asked a stream while one of its context captures");
    broke_a_capture_ = true;
  }
  if (stream == kLegacyStream) {
    for (auto& [handle, each] : own.streams) {
      if (each.type == StreamType::kBlocking && !Idle(each)) return agent::StreamState::kBusy;
    }
    return agent::StreamState::kIdle;
  }
  Stream* target = FindStream(context, stream);
  if (target == nullptr) return agent::StreamState::kUnknown;
  return Idle(*target) ? agent::StreamState::kIdle : agent::StreamState::kBusy;
}

SimulatedDevice::Stream* SimulatedDevice::FindInAnyContext(StreamHandle stream) {
  for (auto& [handle, context] : contexts_) {
    if (Stream* found = FindStream(handle, stream); found != nullptr) return found;
  }
  return nullptr;
}

std::optional<agent::CapturedNode> SimulatedDevice::LastCaptured(StreamHandle stream) {
  const std::lock_guard lock(mutex_);
  const Stream* found = FindInAnyContext(stream);
  if (found == nullptr || !found->capture || found->capture->kernels.empty()) return {};
  return Node(*found->capture, found->capture->kernels.size());
}

bool SimulatedDevice::IsCapturing(StreamHandle stream) {
  const std::lock_guard lock(mutex_);
  const Stream* found = FindInAnyContext(stream);
  return found != nullptr && found->capture.has_value();
}

}  // namespace coalcheck::testing
