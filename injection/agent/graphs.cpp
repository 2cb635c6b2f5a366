// SPDX-License-Identifier: Apache-2.0
//
// What the agent does around stream captures and graph launches. A graph's kernels can be counted
// once only: when counting is on from before the capture to the end of the first launch.
#include <utility>

#include "injection/agent/agent.h"

namespace coalcheck::agent {
namespace {

struct GraphLaunchUnderWay {
  ContextWatch* watch = nullptr;
  GraphKernelsPtr kernels;
  bool passed_gate = false;
  bool first_in_window = false;
};
thread_local GraphLaunchUnderWay* under_way = nullptr;  // on the heap: no destructor at thread exit
thread_local ContextWatch* capture_beginning = nullptr;
thread_local std::optional<CaptureId> capture_under_way;

}  // namespace

void Agent::CaptureBegins(ContextHandle context) {
  if (stopped()) return;
  ContextWatch* watch = Find(context);
  if (watch == nullptr) return;
  if (!watch->AnyCapture() && capture_pace_.Next()) {
    const OpenResult result =
        watch->OpenForGraph(WindowId(++windows_), LaunchOrdinal(launches_.load() + 1));
    if (result == OpenResult::kOpened) ++open_windows_;
    if (result == OpenResult::kFailed) Stop(watch->error());
  }
  // No window may open, and ask the streams how far they are, while a capture begins.
  capture_beginning = watch->PassGate() ? watch : nullptr;
}

void Agent::CaptureBegan(ContextHandle context, bool succeeded) {
  ContextWatch* passed = std::exchange(capture_beginning, nullptr);
  ContextWatch* watch = Find(context);
  if (succeeded && watch != nullptr) watch->CaptureBegan();
  if (passed != nullptr) passed->LeaveGate();
}

void Agent::CaptureEnds(StreamHandle stream) { capture_under_way = device_.CaptureOf(stream); }

void Agent::CaptureEnded(ContextHandle context, std::optional<GraphHandle> graph) {
  ContextWatch* watch = Find(context);
  const std::optional<CaptureId> capture = std::exchange(capture_under_way, std::nullopt);
  if (watch == nullptr || !capture) return;
  watch->CaptureEnded();
  graph_book_.EndCapture(*capture, graph, watch->OpenWindowId());
  if (graph) watch->GraphPending();
}

void Agent::GraphInstantiated(GraphExecHandle exec, GraphHandle graph) {
  graph_book_.Instantiated(exec, graph);
}

void Agent::GraphLaunchBegins(ContextHandle context, StreamHandle stream, GraphExecHandle exec) {
  delete std::exchange(under_way, nullptr);
  if (stopped()) return;
  ContextWatch* watch = Find(context);
  if (watch == nullptr) return;
  ++launches_;
  if (watch->AnyCapture() && device_.CaptureOf(stream)) return;  // becomes a child graph, unseen
  GraphKernelsPtr kernels = graph_book_.Find(exec);
  const bool passed = watch->PassGate();
  const WindowId open = watch->OpenWindowId();
  under_way = new GraphLaunchUnderWay{watch, kernels, passed, false};
  if (kernels == nullptr) {
    ++unseen_graph_launches_;
  } else if (open == WindowId(0) || kernels->window != open) {
    ++kernels->replays;
  } else {
    under_way->first_in_window = !kernels->counted.exchange(true);
  }
}

void Agent::GraphLaunchEnds(bool succeeded) {
  const std::unique_ptr<GraphLaunchUnderWay> launch(std::exchange(under_way, nullptr));
  if (launch == nullptr) return;
  const bool inside = launch->kernels != nullptr && launch->kernels->window != WindowId(0) &&
                      launch->kernels->window == launch->watch->OpenWindowId();
  if (succeeded && inside) {
    for (ShapeEntry* entry : launch->kernels->shapes) {
      entry->LaunchedInGraph();
      launch->watch->AddInside(*entry, Launches(1));
    }
    if (launch->first_in_window) launch->watch->GraphLaunched();
  }
  if (launch->passed_gate) launch->watch->LeaveGate();
  if (launch->first_in_window) TryClose(*launch->watch, deadlines_.close);
}

}  // namespace coalcheck::agent
