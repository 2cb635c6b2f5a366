// SPDX-License-Identifier: Apache-2.0
//
// What the agent does at each thing it hears of; launches and graphs are in their own files.
#include "injection/agent/agent.h"

#include <fmt/format.h>

#include <exception>
#include <new>
#include <utility>
#include <vector>

#include "injection/agent/alone.h"
#include "injection/agent/process/say.h"
#include "injection/agent/windows/unselected.h"
#include "libcoalcheck/base/demangle.h"

namespace coalcheck::agent {
namespace {

std::atomic<std::uint64_t> agents_made{0};

bool IsOfOneLaunch(const ClosedWindow& closed) {
  return closed.inside.size() == 1 && closed.inside.begin()->second.launches == Launches(1);
}

// Never 0. The same for the same counts, in whatever order they come.
std::uint64_t DigestOf(const std::vector<InstructionCounts>& counts) {
  std::uint64_t digest = 1;
  for (const InstructionCounts& row : counts) {
    std::uint64_t mix = row.pc.value();
    for (const std::uint64_t value : row.values) mix = (mix ^ value) * 1099511628211ULL;
    digest += mix;
  }
  return digest == 0 ? 1 : digest;
}

}  // namespace

Agent::Agent(const options::AgentOptions& options, recording::Header process, const Around& around)
    : number_(++agents_made),
      options_(options),
      deadlines_(options),
      collector_(around.collector),
      device_(around.device),
      code_(around.code),
      ranges_(around.ranges),
      clock_(around.clock),
      session_(options, std::move(process)),
      stall_sampling_(options.pc_sampling, around.sampler, around.clock, session_),
      launch_book_(options.filters,
                   [&ranges = around.ranges](RangeSetId id) { return ranges.Describe(id); }),
      switched_on_(options.profile_from_start),
      budget_(options.budget),
      start_(around.clock.Now()) {
  // Else a filter would fail where a program opens ever new ranges.
  if (!options_.filters.by_ranges()) return;
  ranges_.Want([filters = options_.filters](std::string_view name) {
    const auto mentions = [name](const selection::RangeFilter& one) { return one.Mentions(name); };
    return std::ranges::any_of(filters.nvtx_include, mentions) ||
           std::ranges::any_of(filters.nvtx_exclude, mentions);
  });
}

void Agent::ContextCreated(ContextHandle context, const recording::Device& device,
                           bool is_current) {
  // Where nothing is measured any more, what is launched here may still load code while sampling
  // ends elsewhere: its watch announces that.
  const bool measures = !stopped();
  if (released_ || (!measures && !session_.begun())) return;
  bool countable = true;
  ContextWatch* watch = nullptr;
  {
    const std::unique_lock lock(contexts_mutex_);
    if (contexts_.contains(context)) return;
    if (!session_.begun() && !session_.Begin()) {
      stopped_ = true;
      return;
    }
    if (measures) session_.Write(device);
    contexts_[context] = std::make_unique<ContextWatch>(context, ContextId(++contexts_made_),
                                                        device.device, collector_, device_, clock_,
                                                        captures_, code_changes_, deadlines_);
    watch = contexts_[context].get();
    countable = measures && !given_up_.contains(device.device);
    if (!countable) watch->SetUncountable();
  }
  if (!measures || !is_current) return;
  // Not under the lock: callbacks that the preparation causes ask for contexts too. A failure comes
  // again, and is told, when the first launch wants a window.
  // Nor beside a capture, which calls that change a context may break.
  if (countable) {
    const Suspended suspended(*this);
    watch->DoAlone(deadlines_.open, [&] { static_cast<void>(collector_.Prepare(context)); });
  }
  BeginSampling(*watch);
}

void Agent::ContextEnds(ContextHandle context) {
  ContextWatch* watch = Find(context);
  if (watch == nullptr || released_) return;
  const Suspended suspended(*this);
  CloseForGood(*watch, "a window was still open when its context was destroyed");
  EndSampling(*watch, "the last samples of a context that was destroyed while it was at work");
  watch->SetUncountable();
  if (collector_.CountsThrough(context)) {
    GiveUp(watch->device(), context);
  }
  {
    // At once: the driver destroys the context only later, and nobody finds it here from now on.
    const std::unique_lock lock(contexts_mutex_);
    if (watch->MayCount()) left_counting_.insert(watch->device());
    auto node = contexts_.extract(context);
    if (!node.empty()) ended_contexts_.push_back(std::move(node.mapped()));
  }
}

std::vector<ContextWatch*> Agent::Contexts() {
  std::vector<ContextWatch*> watches;
  const std::shared_lock lock(contexts_mutex_);
  for (const auto& [handle, watch] : contexts_) watches.push_back(watch.get());
  return watches;
}

bool Agent::AnyLeftCounting() {
  const std::shared_lock lock(contexts_mutex_);
  return !left_counting_.empty();
}

void Agent::GiveUp(DeviceIndex device, ContextHandle counts_through) {
  std::vector<ContextWatch*> watches;
  bool left_counting = false;
  {
    // At once: a context made from here on knows that it cannot count.
    const std::unique_lock lock(contexts_mutex_);
    given_up_.insert(device);
    left_counting = left_counting_.contains(device);
    for (const auto& [handle, watch] : contexts_) {
      if (watch->device() == device) watches.push_back(watch.get());
    }
  }
  for (ContextWatch* watch : watches) watch->SetUncountable();
  std::optional<HeldGates> held = ShutDown(watches, deadlines_.close);
  if (!held) {
    // As where a window is open and a stream captures. What is lost here is named.
    for (ContextWatch* watch : watches) {
      CloseForGood(*watch, "a window was still open when counting ended on its device");
    }
    held = ShutDown(watches, deadlines_.open);
  }
  if (held && !left_counting) collector_.TakeDown(counts_through);
}

void Agent::StreamCreated(ContextHandle context, StreamHandle stream) {
  if (ContextWatch* watch = Find(context)) watch->AddStream(stream);
}

void Agent::StreamEnds(ContextHandle context, StreamHandle stream) {
  captures_.Ended(stream);
  if (ContextWatch* watch = Find(context)) watch->RemoveStream(stream);
}

void Agent::ModuleLoaded(ContextHandle context, std::string_view cubin) {
  ContextWatch* watch = Find(context);
  if (watch == nullptr) return;
  const Session::StoredCubin stored = session_.AddModule(watch->id(), cubin);
  const KernelCode::Module module = code_.ModuleLoaded(stored.id, cubin, stored.path);
  for (const std::string& kernel : module.may_wait_now) launch_book_.Suspect(kernel);
  if (module.launches_from_device) {
    session_.WriteLoss("unseen_device_launches",
                       "modules whose kernels launch kernels from the device: those are not seen",
                       1);
  }
}

void Agent::ModuleUnloads() {
  launch_book_.ForgetHandles();
  for (ContextWatch* watch : Contexts()) watch->loaded_functions().Clear();
}

void Agent::Synchronised(ContextHandle context) {
  if (open_windows_.load(std::memory_order_relaxed) == 0) return;
  ContextWatch* watch = Find(context);
  if (watch == nullptr) return;
  if (options_.collection == options::Collection::kResident) {
    FlushResidentWhenDue(*watch);
  } else {
    TryClose(*watch, std::chrono::milliseconds(0));
  }
}

void Agent::Stop(std::string_view reason) {
  if (stopped_.exchange(true)) return;
  Say(reason);
  session_.WriteLoss("could_not_collect", reason, 1);
}

void Agent::StopForException() noexcept {
  try {
    try {
      throw;
    } catch (const std::bad_alloc&) {
      Stop("measuring stops: out of memory");
    } catch (const std::exception& error) {
      Stop(fmt::format("measuring stops for an error of its own: {}", error.what()));
    }
  } catch (...) {
    stopped_ = true;  // there is not even memory to say so
  }
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
  TryClose(watch, deadlines_.open, GraphWait::kNoMore);
  ClosedWindow lost;
  if (watch.Abandon(lost)) {
    --open_windows_;
    Lose(lost);
  } else if (watch.OpenWindowId() == WindowId(0)) {
    return;  // another thread has closed it meanwhile
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

void Agent::NameSlowed(const ClosedWindow& closed) {
  if (closed.behind_late == Launches(0)) return;
  session_.WriteLoss("slowed",
                     fmt::format("launches that ran as slowly as counted ones: {} had outlived "
                                 "--close-deadline in its window",
                                 Demangle(closed.opener)),
                     closed.behind_late.count());
}

void Agent::Lose(const ClosedWindow& lost) {
  NameSlowed(lost);
  for (const auto& [entry, inside] : lost.inside) entry->Skipped(Skip::kFailed, inside.launches);
}

// Records what closing a window brought.
void Agent::Finish(ContextWatch& watch, CloseResult result, ClosedWindow& closed) {
  if (result == CloseResult::kStillOpen) return;
  --open_windows_;
  if (result == CloseResult::kFailed) {
    Lose(closed);
    session_.WriteLoss("window_lost", watch.error(), 1);
    Stop(fmt::format("measuring stops: {}", watch.error()));
    return;
  }
  if (result == CloseResult::kSpoiled) {
    Lose(closed);
    session_.WriteLoss("window_spoiled", watch.error(), 1);
    return;
  }
  ++windows_closed_;
  NameSlowed(closed);
  for (ShapeEntry* entry : LeaveOutUnselected(closed)) session_.Write(entry->Tally());
  for (const auto& [entry, inside] : closed.inside) entry->Counted(inside.launches);
  if (IsOfOneLaunch(closed)) closed.inside.begin()->first->CameTo(DigestOf(closed.counts));
  session_.WriteWindow(closed, watch.id(), watch.device());
  for (const auto& [entry, inside] : closed.inside) session_.Write(entry->Tally());
}

}  // namespace coalcheck::agent
