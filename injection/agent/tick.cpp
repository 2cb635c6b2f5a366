// SPDX-License-Identifier: Apache-2.0
//
// What the agent does now and then, on a thread of its own: says how far it is, and names a kernel
// that has kept a window open for long, for the program may then be waiting for the agent.
#include <fmt/format.h>

#include <algorithm>

#include "injection/agent/agent.h"
#include "injection/agent/process/say.h"
#include "libcoalcheck/base/demangle.h"

namespace coalcheck::agent {
namespace {

// A window that is not late yet obeys its deadline: only stuck ones are named.
constexpr std::chrono::seconds kLong{5};
constexpr std::chrono::seconds kQuiet{2};
constexpr std::chrono::milliseconds kNoPatience{0};

std::string Warning(const ContextWatch::Waiting& waiting, std::chrono::seconds waited) {
  if (waiting.kernel.empty()) {
    return fmt::format(
        "a graph has not been launched, or has not ended, for {} s after it was made",
        waited.count());
  }
  return fmt::format(
      "{} has not ended {} s after it was launched in a window. If the program hangs, it waits for "
      "a launch that cannot be made meanwhile: exclude the kernel with --kernel-exclude '{}'",
      Demangle(waiting.kernel), waited.count(), selection::QualifiedName(Demangle(waiting.kernel)));
}

}  // namespace

void Agent::Tick() {
  if (ended_ || !session_.begun()) return;
  WriteProgress();
  ReadSamples();
  WarnOfLongWindows();
}

void Agent::WriteProgress() {
  const recording::Progress now{.launches = launches_.load(),
                                .windows = windows_closed_.load(),
                                .kernels_without_lines = kernels_without_lines_.load(),
                                .window_milliseconds = LongestWindow()};
  const std::lock_guard lock(progress_mutex_);  // Tick's thread, and the one that ends the process
  if (now == last_progress_) return;
  last_progress_ = now;
  session_.WriteProgress(now);
}

std::vector<ContextWatch::Waiting> Agent::OpenWindows() {
  std::vector<ContextWatch::Waiting> all;
  if (open_windows_.load() == 0) return all;
  const std::shared_lock lock(contexts_mutex_);
  for (const auto& [handle, watch] : contexts_) {
    if (auto waiting = watch->WaitsFor()) all.push_back(*std::move(waiting));
  }
  return all;
}

// In milliseconds, of those over one launch.
std::uint64_t Agent::LongestWindow() {
  Clock::TimePoint::duration longest{0};
  for (const ContextWatch::Waiting& waiting : OpenWindows()) {
    if (!waiting.kernel.empty()) longest = std::max(longest, clock_.Now() - waiting.since);
  }
  return static_cast<std::uint64_t>(
      std::chrono::duration_cast<std::chrono::milliseconds>(longest).count());
}

void Agent::WarnOfLongWindows() {
  for (const ContextWatch::Waiting& waiting : OpenWindows()) {
    const auto waited = clock_.Now() - waiting.since;
    const bool is_stuck = waiting.kernel.empty() ? waited >= 2 * deadlines_.graph : waiting.is_late;
    if (!is_stuck || waited < kLong || !warned_of_.insert(waiting.window).second) continue;
    Say(Warning(waiting, std::chrono::duration_cast<std::chrono::seconds>(waited)));
  }
}

bool Agent::IsQuiet() {
  const std::uint64_t opened = windows_.load();
  const Clock::TimePoint now = clock_.Now();
  if (opened != windows_when_quiet_began_ || open_windows_.load() > 0) {
    windows_when_quiet_began_ = opened;
    quiet_since_ = now;
  }
  return windows_closed_.load() > 0 && now - quiet_since_ >= kQuiet;
}

bool Agent::TryRelease(const std::function<void()>& give_back) {
  Phase running = Phase::kRunning;
  if (!phase_.compare_exchange_strong(running, Phase::kReleasing)) return false;
  struct Leave {
    std::atomic<Phase>& phase;
    ~Leave() {
      Phase releasing = Phase::kReleasing;
      phase.compare_exchange_strong(releasing, Phase::kRunning);
    }
  } const leave{phase_};
  return !ended_ && !released_ && Release(give_back);
}

// Ending what CUPTI does waits in the driver for whatever runs, behind the gates of all contexts:
// only where nothing runs, and without any wait for it.
bool Agent::Release(const std::function<void()>& give_back) {
  const std::vector<ContextWatch*> watches = Contexts();
  if (AnyLeftCounting()) {
    if (!release_refused_.exchange(true)) {
      session_.WriteLoss("not_released",
                         "CUPTI is kept: a context was destroyed while a window was open in it", 1);
    }
    return false;
  }
  {
    if (captures_.any()) return false;
    const std::optional<HeldGates> held = ShutDown(watches, kNoPatience);
    if (!held || !TakeAllDown(watches)) return false;
  }
  session_.WriteLoss("released", "CUPTI was given back: later launches were not seen", 1);
  give_back();
  return true;
}

bool Agent::TakeAllDown(const std::vector<ContextWatch*>& watches) {
  // Where it succeeds it has no end: nothing counts any more.
  code_changes_.Begin(clock_, kNoPatience);
  // A context that was made or destroyed meanwhile may be at work on its own.
  const bool alone =
      code_changes_.KeptOutBy(watches.size()) && Contexts() == watches && !AnyLeftCounting();
  if (!alone || !std::ranges::all_of(
                    watches, [](ContextWatch* watch) { return watch->WaitIdle(kNoPatience); })) {
    code_changes_.End();
    return false;
  }
  for (ContextWatch* watch : watches) stall_sampling_.End(watch->handle());
  for (ContextWatch* watch : watches) {
    watch->SetUncountable();  // for threads that wait at the gate to open a window
    collector_.TakeDown(watch->handle());
  }
  released_ = true;  // from here on nobody needs the gates
  return true;
}

}  // namespace coalcheck::agent
