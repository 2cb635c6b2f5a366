// SPDX-License-Identifier: Apache-2.0
//
// What the agent does at each thing it hears of; launches and graphs are in their own files.
#include "injection/agent/agent.h"

#include <fmt/format.h>

#include <utility>

#include "injection/agent/say.h"

namespace coalcheck::agent {

Agent::Agent(const options::AgentOptions& options, recording::Header process, Collector& collector,
             Device& device, Clock& clock)
    : options_(options),
      deadlines_{options.open_deadline, options.close_deadline, options.graph_deadline},
      collector_(collector),
      device_(device),
      clock_(clock),
      session_(options, std::move(process)) {}

void Agent::ContextCreated(ContextHandle context, const recording::Device& device,
                           bool is_current) {
  if (stopped()) return;
  {
    const std::unique_lock lock(contexts_mutex_);
    if (contexts_.contains(context)) return;
    if (!session_.begun() && !session_.Begin()) {
      stopped_ = true;
      return;
    }
    session_.Write(device);
    contexts_[context] =
        std::make_unique<ContextWatch>(context, ContextId(++contexts_made_), device.device,
                                       collector_, device_, clock_, deadlines_);
  }
  // Not under the lock: callbacks that the preparation causes ask for contexts too. A failure comes
  // again, and is told, when the first launch wants a window.
  if (is_current) static_cast<void>(collector_.Prepare(context));
}

void Agent::ContextEnds(ContextHandle context) {
  ContextWatch* watch = Find(context);
  if (watch == nullptr) return;
  CloseForGood(*watch, "a window was still open when its context was destroyed");
  const std::unique_lock lock(contexts_mutex_);
  auto node = contexts_.extract(context);
  if (!node.empty()) ended_contexts_.push_back(std::move(node.mapped()));
}

void Agent::StreamCreated(ContextHandle context, StreamHandle stream) {
  if (ContextWatch* watch = Find(context)) watch->AddStream(stream);
}

void Agent::StreamEnds(ContextHandle context, StreamHandle stream) {
  if (ContextWatch* watch = Find(context)) watch->RemoveStream(stream);
}

void Agent::ModuleLoaded(ContextHandle context, std::string_view cubin) {
  if (ContextWatch* watch = Find(context)) session_.AddModule(watch->id(), cubin);
}

void Agent::ModuleUnloads() { launch_book_.ForgetHandles(); }

void Agent::Synchronised(ContextHandle context) {
  if (open_windows_.load(std::memory_order_relaxed) == 0) return;
  if (ContextWatch* watch = Find(context)) TryClose(*watch, std::chrono::milliseconds(0));
}

void Agent::Stop(std::string_view reason) {
  if (stopped_.exchange(true)) return;
  Say(reason);
  session_.WriteLoss("could_not_collect", reason, 1);
}

void Agent::ProcessEnds(std::string_view how) {
  if (!session_.begun() || !session_.IsOurProcess()) return;
  std::vector<ContextWatch*> watches;
  {
    const std::shared_lock lock(contexts_mutex_);
    for (const auto& [handle, watch] : contexts_) watches.push_back(watch.get());
  }
  // Not under the lock, for closing calls the driver; watches live as long as the agent.
  for (ContextWatch* watch : watches) {
    CloseForGood(*watch, "a window was still open when the process ended");
  }
  ended_ = stopped_ = true;
  graph_book_.FoldReplays();
  session_.WriteTallies(launch_book_);
  if (const std::uint64_t unseen = unseen_graph_launches_.load(); unseen > 0) {
    session_.WriteLoss("unseen_graph", "launches of graphs that were not captured from a stream",
                       unseen);
  }
  session_.End(how);
}

ContextWatch* Agent::Find(ContextHandle context) {
  const std::shared_lock lock(contexts_mutex_);
  const auto found = contexts_.find(context);
  return found == contexts_.end() ? nullptr : found->second.get();
}

void Agent::TryClose(ContextWatch& watch, std::chrono::milliseconds patience,
                     GraphWait graph_wait) {
  if (ended_ || watch.OpenWindowId() == WindowId(0)) return;
  ClosedWindow closed;
  const CloseResult result = watch.TryClose(patience, graph_wait, closed);
  Finish(watch, result, closed);
}

void Agent::CloseForGood(ContextWatch& watch, std::string_view why_lost) {
  TryClose(watch, std::chrono::milliseconds(0), GraphWait::kNoMore);
  if (watch.OpenWindowId() == WindowId(0)) return;
  ClosedWindow lost;
  if (watch.Abandon(lost)) {
    --open_windows_;
    Lose(lost);
  }
  session_.WriteLoss("window_lost", why_lost, 1);
}

void Agent::GiveUpWindow(ContextWatch& watch) {
  ClosedWindow lost;
  const CloseResult result = watch.GiveUpWindow(lost);
  --open_windows_;
  Lose(lost);
  if (result == CloseResult::kFailed) Stop(fmt::format("measuring stops: {}", watch.error()));
}

void Agent::Lose(const ClosedWindow& lost) {
  for (const auto& [entry, launches] : lost.inside) entry->Skipped(Skip::kFailed, launches);
}

// Records what closing a window brought.
void Agent::Finish(ContextWatch& watch, CloseResult result, const ClosedWindow& closed) {
  if (result == CloseResult::kStillOpen) return;
  --open_windows_;
  if (result == CloseResult::kFailed) {
    Lose(closed);
    session_.WriteLoss("window_lost", watch.error(), 1);
    Stop(fmt::format("measuring stops: {}", watch.error()));
    return;
  }
  bool something_new = false;
  for (const auto& [entry, launches] : closed.inside) {
    something_new = something_new || entry->counted() == Launches(0);
    entry->Counted(launches);
  }
  if (closed.kind == recording::WindowKind::kGraph) capture_pace_.WindowClosed(something_new);
  session_.WriteWindow(closed, watch.id(), watch.device());
  for (const auto& [entry, launches] : closed.inside) session_.Write(entry->Tally());
}

}  // namespace coalcheck::agent
