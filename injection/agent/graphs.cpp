// SPDX-License-Identifier: Apache-2.0
//
// What the agent does around stream captures and graph launches. A graph's kernels can be counted
// once only: when counting is on from before the capture to the end of the first launch.
#include <fmt/format.h>

#include <utility>

#include "injection/agent/agent.h"

namespace coalcheck::agent {
namespace {

struct GraphLaunchUnderWay {
  ContextWatch* watch = nullptr;
  GraphKernelsPtr kernels;
  bool passed_gate = false;
  bool inside = false;  // the window is open that was open while it was captured
  bool first_in_window = false;
};
thread_local GraphLaunchUnderWay* under_way = nullptr;  // on the heap: no destructor at thread exit
thread_local ContextWatch* capture_beginning = nullptr;
thread_local std::optional<CaptureId> capture_under_way;

}  // namespace

void Agent::CaptureBegins(ContextHandle context, StreamHandle stream) {
  if (ended_) return;
  ContextWatch* watch = Find(context);
  if (watch == nullptr) return;
  if (!stopped() && !watch->AnyCapture() && capture_pace_.Next()) OpenForGraph(*watch);
  // No window may open, and ask the streams how far they are, while a capture begins.
  capture_beginning = watch->PassGate() ? watch : nullptr;
  // From before the driver begins it: without the gate, this is what keeps a window from asking.
  watch->CaptureBegan(stream);
}

void Agent::OpenForGraph(ContextWatch& watch) {
  const OpenResult result =
      watch.OpenForGraph(WindowId(++windows_), LaunchOrdinal(launches_.load() + 1));
  if (result == OpenResult::kOpened) ++open_windows_;
  // Each try can cost the opening deadline.
  if (result == OpenResult::kNeverIdle || result == OpenResult::kGateBusy) {
    capture_pace_.WindowClosed(false);
  }
  if (result == OpenResult::kFailed) {
    Stop(fmt::format("nothing can be counted: {}", watch.error()));
  }
}

void Agent::CaptureBegan(ContextHandle context, StreamHandle stream, bool succeeded) {
  ContextWatch* passed = std::exchange(capture_beginning, nullptr);
  ContextWatch* watch = Find(context);
  if (!succeeded && watch != nullptr) watch->CaptureEnded(stream);
  if (passed != nullptr) passed->LeaveGate();
}

void Agent::CaptureEnds(StreamHandle stream) { capture_under_way = device_.CaptureOf(stream); }

void Agent::CaptureEnded(ContextHandle context, StreamHandle stream,
                         std::optional<GraphHandle> graph) {
  ContextWatch* watch = Find(context);
  const std::optional<CaptureId> capture = std::exchange(capture_under_way, std::nullopt);
  // Refused, as from a wrong thread: the capture goes on.
  if (watch == nullptr || (!graph && device_.IsCapturing(stream))) return;
  watch->CaptureEnded(stream);
  if (!capture) return;  // it was broken before
  graph_book_.EndCapture(*capture, graph, watch->OpenWindowId());
  if (graph) watch->GraphPending();
}

void Agent::GraphInstantiated(GraphExecHandle exec, GraphHandle graph) {
  graph_book_.Instantiated(exec, graph);
}

void Agent::GraphLaunchBegins(ContextHandle context, StreamHandle stream, GraphExecHandle exec) {
  delete std::exchange(under_way, nullptr);
  if (Deaf()) return;
  ContextWatch* watch = Find(context);
  if (watch == nullptr) return;
  ++launches_;
  if (watch->AnyCapture() && device_.CaptureOf(stream)) return;  // becomes a child graph, unseen
  GraphKernelsPtr kernels = graph_book_.Find(exec);
  const bool passed = watch->PassGate();
  const WindowId open = watch->OpenWindowId();
  const bool inside = kernels != nullptr && open != WindowId(0) && kernels->window == open;
  const bool first = inside && !kernels->counted.exchange(true);
  under_way = new GraphLaunchUnderWay{watch, std::move(kernels), passed, inside, first};
}

void Agent::GraphLaunchEnds(bool succeeded) {
  const std::unique_ptr<GraphLaunchUnderWay> launch(std::exchange(under_way, nullptr));
  if (launch == nullptr) return;
  if (!succeeded) {
    if (launch->first_in_window) launch->kernels->counted = false;
  } else if (launch->kernels == nullptr) {
    ++unseen_graph_launches_;
  } else if (launch->inside) {
    AddGraphInside(*launch->watch, *launch->kernels);
    if (launch->first_in_window) launch->watch->GraphLaunched();
  } else {
    ++launch->kernels->replays;
  }
  if (launch->passed_gate) launch->watch->LeaveGate();
  if (succeeded && launch->first_in_window) TryClose(*launch->watch, deadlines_.close);
}

void Agent::AddGraphInside(ContextWatch& watch, const GraphKernels& kernels) {
  for (ShapeEntry* entry : kernels.shapes) {
    entry->LaunchedInGraph();
    if (!watch.AddInside(*entry, Launches(1))) entry->Skipped(Skip::kFailed);
  }
}

}  // namespace coalcheck::agent
