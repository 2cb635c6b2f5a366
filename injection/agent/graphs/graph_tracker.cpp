// SPDX-License-Identifier: Apache-2.0
//
// A graph from its instantiation to its launches.
#include "injection/agent/graphs/graph_tracker.h"

#include <algorithm>
#include <memory>
#include <set>
#include <utility>

#include "injection/agent/base/thread_state.h"

namespace coalcheck::agent {
namespace {

void AddInside(ContextWatch& watch, const GraphKernels& kernels) {
  const bool has_arguments = !kernels.updated;
  for (std::size_t i = 0; i < kernels.shapes.size(); ++i) {
    ShapeEntry* entry = kernels.shapes[i];
    entry->LaunchedInGraph();
    if (!watch.window().AddInside(*entry, Launches(1))) {
      entry->Skipped(Skip::kFailed);
    } else if (has_arguments && i < kernels.arguments.size()) {
      watch.window().AddArguments(*entry, [&] { return kernels.arguments[i]; });
    }
  }
  for (ShapeEntry* entry : kernels.elsewhere) {
    entry->LaunchedInGraph();
    entry->Skipped(Skip::kOtherContext);
  }
}

}  // namespace

void GraphTracker::OpenWindowFor(ContextWatch& watch) {
  parts_.windows.WaitBehindLate(watch);
  const Clock::TimePoint held_since = parts_.clock.Now();
  parts_.windows.OpenForMany(watch, recording::WindowKind::kGraph);
  parts_.policy.Charge(held_since);
}

void GraphTracker::EnterWindow(const ContextWatch& watch, GraphKernels& kernels) const {
  const bool is_resident = parts_.resident.is_wanted();
  if (kernels.spoiled || vetting_.HasReplayed() ||
      (!is_resident && !GraphVetting::MayBeHeld(kernels)))
    return;
  kernels.window = watch.window().id();
  kernels.resident = is_resident && kernels.window.load() != WindowId(0);
}

void GraphTracker::InstantiateBegins(ContextHandle context, GraphHandle graph, Instantiation how) {
  if (ThisThread().makes_instance) return;
  InstantiationUnderWay*& instantiation = ThisThread().instantiation;
  delete std::exchange(instantiation, nullptr);
  if (parts_.IsDeaf()) return;
  ContextWatch* watch = parts_.contexts.Find(context);
  if (watch == nullptr) return;
  GraphKernelsPtr kernels = vetting_.KernelsOf(context, graph);
  kernels->spoiled = how.uploads;
  kernels->counted_itself = kernels->counted_itself || how.for_device;
  parts_.resident.Begin(*watch);
  const bool wanted = MayCount() && !how.uploads && vetting_.WantsWindow(*kernels);
  if (wanted && kernels->counted_itself) OpenWindowFor(*watch);
  if (wanted && !kernels->counted_itself) kernels->counted_instance.Copy(parts_.device, graph);
  // Allocated before the gate is passed: whoever passed the gate must leave it, so nothing may
  // throw in between.
  auto made = std::make_unique<InstantiationUnderWay>();
  const bool passed = watch->gate().Pass();
  // Without the gate the window may close meanwhile.
  if (passed && kernels->counted_itself) EnterWindow(*watch, *kernels);
  if (kernels->window.load() != WindowId(0) || kernels->counted_instance.has_copy()) {
    vetting_.ReadArguments(*kernels);
  }
  *made = {watch, std::move(kernels), passed};
  instantiation = made.release();
}

void GraphTracker::InstantiateEnds(std::optional<GraphExecHandle> exec) {
  if (ThisThread().makes_instance) return;
  const std::unique_ptr<InstantiationUnderWay> made(
      std::exchange(ThisThread().instantiation, nullptr));
  if (made == nullptr) return;
  if (exec) {
    if (made->kernels->window.load() != WindowId(0)) made->watch->window().GraphPending();
    book_.Instantiated(*exec, made->kernels);
  } else {
    made->kernels->counted_instance.Discard(parts_.device);
  }
  if (made->passed_gate) made->watch->gate().Leave();
}

void GraphTracker::Uploaded(GraphExecHandle exec) {
  if (GraphKernelsPtr kernels = book_.Find(exec)) kernels->spoiled = true;
}

void GraphTracker::Updated(GraphExecHandle exec) {
  GraphKernelsPtr kernels = book_.Find(exec);
  if (kernels == nullptr) return;
  ++parts_.counters.updated_graphs;
  kernels->updated = true;
  Changed(exec);
}

void GraphTracker::Changed(GraphExecHandle exec) {
  GraphKernelsPtr kernels = book_.Find(exec);
  if (kernels == nullptr) return;
  // The next launch runs other work than was listed, or than the agent's own instance holds, which
  // a late window may have left in place.
  const bool has_own = kernels->counted_instance.get() != GraphExecHandle(0);
  if (!kernels->launched || has_own) kernels->spoiled = true;
}

void GraphTracker::ExecDestroyed(GraphExecHandle exec) {
  if (const GraphKernelsPtr kernels = book_.Find(exec)) {
    kernels->counted_instance.Discard(parts_.device);
  }
  book_.Destroyed(exec);
}

// Where a graph did not end, it is unknown which of its kernels waited. It is not watched again; a
// second graph that does not end settles what its suspects are.
void GraphTracker::EndWatched(ContextWatch& watch, GraphKernels& kernels, bool launched) {
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

bool GraphTracker::IsInsideWindow(const ContextWatch& watch, const GraphKernels* kernels) const {
  const WindowId open = watch.window().id();
  if (kernels == nullptr || open == WindowId(0) || kernels->spoiled || vetting_.HasReplayed())
    return false;
  return kernels->resident || kernels->window.load() == open;
}

// Only the first launch is counted: the copy holds what the application's instance was made of, and
// that may change later.
bool GraphTracker::BeginCounted(ContextWatch& watch, GraphKernels& kernels) {
  CountedInstance& instance = kernels.counted_instance;
  const auto wants = [&] {
    return !kernels.spoiled && !kernels.launched && vetting_.StillWantsWindow(kernels);
  };
  if (!instance.has_copy() || !MayCount() || !wants()) return false;
  const Clock::TimePoint held_since = parts_.clock.Now();
  if (parts_.windows.OpenForGraph(watch, wants)) {
    kernels.window = watch.window().id();
    if (instance.Make(parts_.device)) return true;
    parts_.windows.EndGraph(watch, /*launched=*/false, {});
  }
  parts_.policy.Charge(held_since);
  return false;
}

void GraphTracker::EndCounted(const GraphLaunchUnderWay& launch, bool succeeded) {
  GraphKernels& kernels = *launch.kernels;
  const CloseResult result =
      parts_.windows.EndGraph(*launch.watch, succeeded, vetting_.CloseDeadlineOf(kernels));
  parts_.policy.Charge(launch.held_since);
  // An instance that still runs is launched again as long as its window is open.
  if (result == CloseResult::kStillOpen) return;
  kernels.counted_instance.DiscardInstance(parts_.device);
  if (succeeded) kernels.counted_instance.Discard(parts_.device);
}

GraphExecHandle GraphTracker::LaunchBegins(ContextHandle context, StreamHandle stream,
                                           GraphExecHandle exec) {
  GraphLaunchUnderWay*& under_way = ThisThread().graph_launch;
  delete std::exchange(under_way, nullptr);
  if (parts_.IsDeaf()) {
    ContextWatch* passed = parts_.PassQuietly(context);
    if (passed != nullptr) {
      under_way = new GraphLaunchUnderWay{.watch = passed, .kernels = {}, .passed_gate = true};
    }
    return exec;
  }
  ContextWatch* watch = parts_.contexts.Find(context);
  if (watch == nullptr) return exec;
  watch->streams().AddOnce(stream);
  watch->backoff().CountLaunch();
  ++parts_.counters.launches;
  if (captures_.IsCapturing(stream)) return exec;  // becomes a child graph
  parts_.sampling.Begin(*watch);
  GraphKernelsPtr kernels = book_.Find(exec);
  // A graph that is not counted must not run while counting is on: some of its counts would fall
  // into a window that is not its own.
  parts_.windows.WaitBehindLate(*watch);
  if (!IsInsideWindow(*watch, kernels.get())) parts_.windows.CloseBeforeRisk(*watch);
  auto launch = std::make_unique<GraphLaunchUnderWay>();  // as for an instantiation
  const Clock::TimePoint held_since = parts_.clock.Now();
  const bool counted = kernels != nullptr && BeginCounted(*watch, *kernels);
  const bool watched = !counted && kernels != nullptr && vetting_.ShouldWatch(*kernels) &&
                       watch->HoldForWatch([] { return true; }) == OpenResult::kOpened;
  const bool passed = !counted && !watched && watch->gate().Pass();
  const bool first = kernels != nullptr && !kernels->launched.exchange(true);
  const bool inside = counted || (passed && IsInsideWindow(*watch, kernels.get()));
  *launch = {.watch = watch,
             .kernels = kernels,
             .passed_gate = passed,
             .first = first,
             .watched = watched,
             .inside = inside,
             .counted = counted,
             .held_since = held_since};
  under_way = launch.release();
  return kernels == nullptr ? exec : LaunchedFor(*kernels, exec, inside);
}

// While the window is open, each launch is of the counted instance: launches of one instance do not
// overlap. Launches behind the window need the application's own instance alone.
GraphExecHandle GraphTracker::LaunchedFor(GraphKernels& kernels, GraphExecHandle exec,
                                          bool inside) {
  CountedInstance& instance = kernels.counted_instance;
  const GraphExecHandle counted = instance.get();
  if (inside && counted != GraphExecHandle(0)) return counted;
  if (!inside) instance.Discard(parts_.device);
  return exec;
}

void GraphTracker::LaunchedOutside(ContextWatch& watch, GraphKernels* kernels) {
  vetting_.LaunchedUncounted();
  watch.window().Spoil();  // where one is still open, its counts are mixed with this graph's
  if (kernels != nullptr) ++kernels->replays;
}

void GraphTracker::LaunchEnds(bool succeeded) {
  const std::unique_ptr<GraphLaunchUnderWay> launch(
      std::exchange(ThisThread().graph_launch, nullptr));
  if (launch == nullptr) return;
  ContextWatch& watch = *launch->watch;
  GraphKernels* kernels = launch->kernels.get();
  if (!succeeded) {
    if (launch->first) kernels->launched = false;
  } else if (launch->inside) {
    AddInside(watch, *kernels);
    if (launch->first || launch->counted) watch.window().GraphLaunched();
  } else {
    LaunchedOutside(watch, kernels);
  }
  if (succeeded && kernels == nullptr) ++parts_.counters.unseen_graph_launches;
  if (succeeded && kernels != nullptr && kernels->unseen_nodes > 0) {
    ++parts_.counters.unseen_nodes_launches;
  }
  if (launch->watched) EndWatched(watch, *kernels, succeeded);
  if (launch->counted) return EndCounted(*launch, succeeded);
  if (launch->passed_gate) watch.gate().Leave();
  if (succeeded && launch->inside && launch->first && !kernels->resident) {
    const Clock::TimePoint held_since = parts_.clock.Now();
    parts_.windows.TryClose(watch, vetting_.CloseDeadlineOf(*kernels));
    parts_.policy.Charge(held_since);
  }
}

}  // namespace coalcheck::agent
