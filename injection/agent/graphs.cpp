// SPDX-License-Identifier: Apache-2.0
//
// What the agent does around stream captures and graphs. A graph's kernels are counted when
// counting is on from before its instantiation to the end of its first launch; later launches run
// unpatched, some 0.5 us slower for each kernel, and are not seen.
//
// What else was measured, and decides the code below
//  * a launch of any graph outside a window makes the next window's graph come back empty or in
//    part, until the same thread has launched a plain kernel;
//  * so does an upload of the graph before its first launch;
//  * the kernels in the bodies of conditional nodes are not counted at all.
#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <set>
#include <utility>

#include "injection/agent/alone.h"

namespace coalcheck::agent {
namespace {

struct InstantiationUnderWay {
  ContextWatch* watch = nullptr;
  GraphKernelsPtr kernels;
  bool passed_gate = false;
};
struct GraphLaunchUnderWay {
  ContextWatch* watch = nullptr;
  GraphKernelsPtr kernels;
  bool passed_gate = false;
  bool first = false;    // of its instantiation
  bool watched = false;  // holds the gate alone, to see whether it ends without other work
  bool inside = false;   // the window is open that was open when it was instantiated
};
// On the heap: no destructor at thread exit.
thread_local InstantiationUnderWay* instantiation = nullptr;
thread_local GraphLaunchUnderWay* graph_under_way = nullptr;
thread_local ContextWatch* capture_beginning = nullptr;
// The agent in which this thread launched a graph outside a window, and no plain kernel since.
thread_local std::uint64_t replayed_in = 0;

}  // namespace

void Agent::LaunchedPlainly() { replayed_in = 0; }

bool Agent::HasReplayed() const { return replayed_in == number_; }

void Agent::CaptureBegins(ContextHandle context, StreamHandle stream) {
  if (forked_) return;
  // No window may open, and ask the streams how far they are, while a capture begins.
  ContextWatch* watch = Find(context);
  // A window that waits for a graph ends here: a kernel that another thread launches in it is
  // patched, and patching breaks a capture.
  if (watch != nullptr) CloseBeforeRisk(*watch);
  capture_beginning = watch != nullptr && watch->PassGate() ? watch : nullptr;
  // From before the driver begins it: without the gate, this is what keeps a window from asking.
  captures_.Began(stream);
}

void Agent::CaptureBegan(StreamHandle stream, bool succeeded) {
  ContextWatch* passed = std::exchange(capture_beginning, nullptr);
  if (!succeeded) captures_.Ended(stream);
  if (passed != nullptr) passed->LeaveGate();
}

void Agent::CaptureEnded(StreamHandle stream, bool succeeded) {
  // Refused, as from a wrong thread: the capture goes on.
  if (!succeeded && device_.IsCapturing(stream)) return;
  captures_.Ended(stream);
}

void Agent::OpenForMany(ContextWatch& watch, recording::WindowKind kind) {
  const OpenResult result =
      watch.OpenForMany(WindowId(++windows_), LaunchOrdinal(launches_.load() + 1), kind);
  if (result == OpenResult::kOpened) ++open_windows_;
  if (result == OpenResult::kFailed) {
    Stop(fmt::format("nothing can be counted: {}", watch.error()));
  }
}

GraphKernelsPtr Agent::KernelsOf(ContextHandle context, GraphHandle graph) {
  GraphContents contents = [&] {
    const ChangingCode changing(*this);
    return device_.ContentsOf(graph);
  }();
  auto kernels = std::make_shared<GraphKernels>();
  kernels->unseen_nodes = contents.unseen_nodes;
  kernels->shapes.reserve(contents.kernels.size());
  for (GraphContents::Kernel& kernel : contents.kernels) {
    const Capturing captured = captured_nodes_.Of(kernel.node);
    ContextHandle runs_in = captured.context;
    if (runs_in == ContextHandle(0)) runs_in = kernel.context;
    const bool is_elsewhere = runs_in != ContextHandle(0) && runs_in != context;
    if (!is_elsewhere) kernels->nodes.push_back(kernel.node);
    (is_elsewhere ? kernels->elsewhere : kernels->shapes)
        .push_back(&launch_book_.FindByName(
            {std::move(kernel.name), kernel.grid, kernel.block, captured.ranges}));
  }
  return kernels;
}

bool Agent::MayBeHeld(const GraphKernels& kernels) {
  const auto may_be_held = [](const ShapeEntry* entry) {
    return !entry->excluded() && entry->trust().MayBeHeld();
  };
  return std::ranges::all_of(kernels.shapes, may_be_held) &&
         std::ranges::all_of(kernels.elsewhere, may_be_held);
}

// A graph cannot be watched first: a kernel in it that may wait for others keeps it out of windows
// until a launch outside graphs has shown that it does not.
bool Agent::WantsWindow(const GraphKernels& kernels) {
  if (options_.collection == options::Collection::kResident || HasReplayed()) return false;
  for (ShapeEntry* entry : kernels.elsewhere) {
    if (!entry->excluded()) TrustOf(*entry, FunctionHandle(0));
  }
  bool any = false;
  // Each takes its turn, as a launch of its own: the graph's first launch.
  for (ShapeEntry* entry : kernels.shapes) {
    const bool is_left_out = LeftOut(*entry, FunctionHandle(0)).has_value();
    if (!entry->excluded()) TrustOf(*entry, FunctionHandle(0));
    Skip reason{};
    const bool wants =
        !is_left_out && MayHaveWindow(*entry, entry->History(options_.sampling.kind), reason);
    any = any || wants;
  }
  return any && MayBeHeld(kernels);
}

void Agent::GraphInstantiateBegins(ContextHandle context, GraphHandle graph, bool uploads) {
  delete std::exchange(instantiation, nullptr);
  if (Deaf()) return;
  ContextWatch* watch = Find(context);
  if (watch == nullptr) return;
  GraphKernelsPtr kernels = KernelsOf(context, graph);
  kernels->spoiled = uploads;
  if (options_.collection == options::Collection::kResident) BeginResident(*watch);
  if (!stopped() && !session_.Full() && !uploads && WantsWindow(*kernels)) {
    WaitBehindLate(*watch);
    const Clock::TimePoint held_since = clock_.Now();
    OpenForMany(*watch, recording::WindowKind::kGraph);
    Charge(held_since);
  }
  // Made before the gate is passed, which must be left whatever happens.
  auto made = std::make_unique<InstantiationUnderWay>();
  const bool passed = watch->PassGate();
  // Without the gate the window may close meanwhile.
  const bool is_resident = options_.collection == options::Collection::kResident;
  if (passed && !uploads && !HasReplayed() && (is_resident || MayBeHeld(*kernels))) {
    kernels->window = watch->OpenWindowId();
    kernels->resident = is_resident && kernels->window != WindowId(0);
  }
  if (kernels->window != WindowId(0)) ReadArguments(*kernels);
  *made = {watch, std::move(kernels), passed};
  instantiation = made.release();
}

// While the graph is there: it may be gone when its instance is launched.
void Agent::ReadArguments(GraphKernels& kernels) {
  if (!options_.record_arguments) return;
  Bytes read;
  for (const CapturedNode& node : kernels.nodes) {
    if (read > kMostArgumentsOfWindow) return;
    kernels.arguments.push_back(device_.ArgumentsOf(node));
    read += Bytes(kernels.arguments.back().bytes.size());
  }
}

void Agent::GraphInstantiateEnds(std::optional<GraphExecHandle> exec) {
  const std::unique_ptr<InstantiationUnderWay> made(std::exchange(instantiation, nullptr));
  if (made == nullptr) return;
  if (exec) {
    if (made->kernels->window != WindowId(0)) made->watch->GraphPending();
    graph_book_.Instantiated(*exec, made->kernels);
  }
  if (made->passed_gate) made->watch->LeaveGate();
}

void Agent::GraphUploaded(GraphExecHandle exec) {
  if (GraphKernelsPtr kernels = graph_book_.Find(exec)) kernels->spoiled = true;
}

void Agent::GraphUpdated(GraphExecHandle exec) {
  GraphKernelsPtr kernels = graph_book_.Find(exec);
  if (kernels == nullptr) return;
  ++updated_graphs_;
  kernels->updated = true;
  // What runs first is not what is listed.
  if (!kernels->launched) kernels->spoiled = true;
}

// It is worth a watch when nothing but untried signs of waiting kept it from a window.
bool Agent::ShouldWatch(GraphKernels& kernels) const {
  if (kernels.watch_is_over) return false;
  bool hopeless = kernels.resident || options_.waiting_kernels != options::WaitingKernels::kWatch;
  bool any_suspect = false;
  for (const ShapeEntry* entry : kernels.shapes) {
    const Trust trust = entry->trust().get();
    hopeless = hopeless || entry->excluded() || trust == Trust::kNeedsOthers;
    any_suspect = any_suspect || trust == Trust::kSuspect;
  }
  if (hopeless || !any_suspect) kernels.watch_is_over = true;
  return !kernels.watch_is_over;
}

// Of a graph that did not end nobody knows which kernel waited: it is not watched again, and a
// second such graph settles its suspects.
void Agent::EndWatched(ContextWatch& watch, GraphKernels& kernels, bool launched) {
  const bool ended = watch.EndedWhileWatched();
  if (!ended) kernels.watch_is_over = true;
  if (!launched) return;
  std::set<KernelTrust*> suspects;
  for (const ShapeEntry* entry : kernels.shapes) {
    if (entry->trust().get() == Trust::kSuspect) suspects.insert(&entry->trust());
  }
  for (KernelTrust* trust : suspects) {
    if (ended) {
      trust->EndedWhileWatched();
    } else {
      trust->OutlivedInGraph();
    }
  }
}

void Agent::GraphLaunchBegins(ContextHandle context, StreamHandle stream, GraphExecHandle exec) {
  delete std::exchange(graph_under_way, nullptr);
  if (Deaf()) {
    ContextWatch* passed = PassQuietly(context);
    if (passed != nullptr)
      graph_under_way =
          new GraphLaunchUnderWay{.watch = passed, .kernels = {}, .passed_gate = true};
    return;
  }
  ContextWatch* watch = Find(context);
  if (watch == nullptr) return;
  watch->AddStreamOnce(stream);
  watch->CountLaunch();
  ++launches_;
  if (watch->AnyCapture() && device_.IsCapturing(stream)) return;  // becomes a child graph
  BeginSampling(*watch);
  GraphKernelsPtr kernels = graph_book_.Find(exec);
  const auto will_be_inside = [&] {
    const WindowId open = watch->OpenWindowId();
    if (kernels == nullptr || open == WindowId(0) || kernels->spoiled || HasReplayed())
      return false;
    return kernels->resident || kernels->window == open;
  };
  // A graph that is not counted must not run while counting is on: some of its counts would fall
  // into a window that is not its own.
  WaitBehindLate(*watch);
  if (!will_be_inside()) CloseBeforeRisk(*watch);
  auto launch = std::make_unique<GraphLaunchUnderWay>();  // as for an instantiation
  const bool watched = kernels != nullptr && ShouldWatch(*kernels) &&
                       watch->HoldForWatch([] { return true; }) == OpenResult::kOpened;
  const bool passed = !watched && watch->PassGate();
  const bool first = kernels != nullptr && !kernels->launched.exchange(true);
  const bool inside = passed && will_be_inside();
  *launch = {.watch = watch,
             .kernels = std::move(kernels),
             .passed_gate = passed,
             .first = first,
             .watched = watched,
             .inside = inside};
  graph_under_way = launch.release();
}

void Agent::GraphLaunchEnds(bool succeeded) {
  const std::unique_ptr<GraphLaunchUnderWay> launch(std::exchange(graph_under_way, nullptr));
  if (launch == nullptr) return;
  ContextWatch& watch = *launch->watch;
  GraphKernels* kernels = launch->kernels.get();
  if (!succeeded) {
    if (launch->first) kernels->launched = false;
  } else if (launch->inside) {
    AddGraphInside(watch, *kernels);
    if (launch->first) watch.GraphLaunched();
  } else {
    replayed_in = number_;
    watch.Spoil();  // where one is still open, its counts are mixed with this graph's
    if (kernels != nullptr) ++kernels->replays;
  }
  if (succeeded && kernels == nullptr) ++unseen_graph_launches_;
  if (succeeded && kernels != nullptr && kernels->unseen_nodes > 0) ++unseen_nodes_launches_;
  if (launch->watched) EndWatched(watch, *kernels, succeeded);
  if (launch->passed_gate) watch.LeaveGate();
  if (succeeded && launch->inside && launch->first && !kernels->resident) {
    const Clock::TimePoint held_since = clock_.Now();
    TryClose(watch, CloseDeadlineOf(*kernels));
    Charge(held_since);
  }
}

std::chrono::milliseconds Agent::CloseDeadlineOf(const GraphKernels& kernels) const {
  std::chrono::milliseconds shortest = deadlines_.close;
  for (const ShapeEntry* entry : kernels.shapes) {
    shortest = std::min(shortest, CloseDeadlineOf(*entry));
  }
  return shortest;
}

void Agent::AddGraphInside(ContextWatch& watch, const GraphKernels& kernels) {
  const bool has_arguments = !kernels.updated;
  for (std::size_t i = 0; i < kernels.shapes.size(); ++i) {
    ShapeEntry* entry = kernels.shapes[i];
    entry->LaunchedInGraph();
    if (!watch.AddInside(*entry, Launches(1))) {
      entry->Skipped(Skip::kFailed);
    } else if (has_arguments && i < kernels.arguments.size()) {
      watch.AddArguments(*entry, [&] { return kernels.arguments[i]; });
    }
  }
  for (ShapeEntry* entry : kernels.elsewhere) {
    entry->LaunchedInGraph();
    entry->Skipped(Skip::kOtherContext);
  }
}

}  // namespace coalcheck::agent
