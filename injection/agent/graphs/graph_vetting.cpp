// SPDX-License-Identifier: Apache-2.0
//
// Asks each kernel of a graph, and the thread that launches it, whether the launch may be counted.
#include "injection/agent/graphs/graph_vetting.h"

#include <algorithm>
#include <atomic>
#include <memory>
#include <utility>

#include "injection/agent/base/thread_state.h"

namespace coalcheck::agent {
namespace {

std::atomic<std::uint64_t> made{0};

}  // namespace

GraphVetting::GraphVetting(Parts& parts, const CaptureTracker& captures)
    : number_(++made), parts_(parts), captures_(captures) {}

void GraphVetting::LaunchedPlainly() { ThisThread().replayed_in = 0; }

void GraphVetting::LaunchedUncounted() const { ThisThread().replayed_in = number_; }

bool GraphVetting::HasReplayed() const { return ThisThread().replayed_in == number_; }

bool GraphVetting::MayBeHeld(const GraphKernels& kernels) {
  const auto may_be_held = [](const ShapeEntry* entry) {
    return !entry->excluded() && entry->trust().MayBeHeld();
  };
  return std::ranges::all_of(kernels.shapes, may_be_held) &&
         std::ranges::all_of(kernels.elsewhere, may_be_held);
}

GraphKernelsPtr GraphVetting::KernelsOf(ContextHandle context, GraphHandle graph) {
  GraphContents contents = [&] {
    const ChangingCode changing(parts_.announced_changes);
    return parts_.device.ContentsOf(graph);
  }();
  auto kernels = std::make_shared<GraphKernels>();
  kernels->unseen_nodes = contents.unseen_nodes;
  kernels->shapes.reserve(contents.kernels.size());
  for (GraphContents::Kernel& kernel : contents.kernels) {
    const Capturing captured = captures_.WhereCaptured(kernel.node);
    ContextHandle runs_in = captured.context;
    if (runs_in == ContextHandle(0)) runs_in = kernel.context;
    const bool is_elsewhere = runs_in != ContextHandle(0) && runs_in != context;
    if (!is_elsewhere) kernels->nodes.push_back(kernel.node);
    (is_elsewhere ? kernels->elsewhere : kernels->shapes)
        .push_back(&parts_.launch_book.FindByName(
            {std::move(kernel.name), kernel.grid, kernel.block, captured.ranges}));
  }
  kernels->counted_itself = IsCountedItself(contents, *kernels);
  return kernels;
}

bool GraphVetting::IsCountedItself(const GraphContents& contents,
                                   const GraphKernels& kernels) const {
  return contents.has_unique_nodes || !kernels.elsewhere.empty() ||
         !parts_.device.CanSubstitute() || parts_.resident.is_wanted();
}

// A graph cannot be watched first: a kernel in it that may wait for others keeps it out of windows
// until a launch outside graphs has shown that it does not.
bool GraphVetting::WantsWindow(GraphKernels& kernels) {
  if (parts_.resident.is_wanted() || HasReplayed()) return false;
  for (ShapeEntry* entry : kernels.elsewhere) {
    if (!entry->excluded()) parts_.vetting.TrustOf(*entry, FunctionHandle(0));
  }
  for (ShapeEntry* entry : kernels.shapes) {
    if (!parts_.vetting.LeftOut(*entry, FunctionHandle(0))) kernels.admitted.push_back(entry);
    if (!entry->excluded()) parts_.vetting.TrustOf(*entry, FunctionHandle(0));
  }
  return StillWantsWindow(kernels);
}

bool GraphVetting::StillWantsWindow(const GraphKernels& kernels) {
  if (HasReplayed() || !parts_.vetting.switched_on() || !MayBeHeld(kernels)) return false;
  return std::ranges::any_of(kernels.admitted, [this](const ShapeEntry* entry) {
    Skip reason{};
    const selection::ShapeHistory history = entry->History(parts_.options.sampling.kind);
    return parts_.policy.MayHaveWindow(*entry, history, reason) &&
           parts_.first_windows.MayGoOn(*entry);
  });
}

void GraphVetting::ReadArguments(GraphKernels& kernels) {
  if (!parts_.options.record_arguments) return;
  Bytes read;
  for (const CapturedNode& node : kernels.nodes) {
    if (read > kMostArgumentsOfWindow) return;
    kernels.arguments.push_back(parts_.device.ArgumentsOf(node));
    read += Bytes(kernels.arguments.back().bytes.size());
  }
}

bool GraphVetting::ShouldWatch(GraphKernels& kernels) const {
  if (kernels.watch_is_over) return false;
  bool hopeless =
      kernels.resident || parts_.options.waiting_kernels != options::WaitingKernels::kWatch;
  bool any_suspect = false;
  for (const ShapeEntry* entry : kernels.shapes) {
    const Trust trust = entry->trust().get();
    hopeless = hopeless || entry->excluded() || trust == Trust::kNeedsOthers ||
               trust == Trust::kUnpatchable;
    any_suspect = any_suspect || trust == Trust::kSuspect;
  }
  if (hopeless || !any_suspect) kernels.watch_is_over = true;
  return !kernels.watch_is_over;
}

std::chrono::milliseconds GraphVetting::CloseDeadlineOf(const GraphKernels& kernels) const {
  std::chrono::milliseconds shortest = parts_.deadlines.close;
  for (const ShapeEntry* entry : kernels.shapes) {
    shortest = std::min(shortest, parts_.vetting.CloseDeadlineOf(*entry));
  }
  return shortest;
}

}  // namespace coalcheck::agent
