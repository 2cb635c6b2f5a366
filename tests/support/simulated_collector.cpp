// SPDX-License-Identifier: Apache-2.0
//
// How the simulated device counts, and what it minds.
#include <utility>

#include "tests/support/simulated_device.h"

namespace coalcheck::testing {

using agent::ContextHandle;

agent::Status SimulatedDevice::Prepare(ContextHandle context) {
  const std::lock_guard lock(mutex_);
  if (faults_.prepare) return Error{*faults_.prepare};
  if (code_changes_ > 0) Violation("prepared counting while code changes");
  counts_through_.try_emplace(Of(context).device, context);
  return agent::Ok{};
}

bool SimulatedDevice::CountsThrough(ContextHandle context) {
  const std::lock_guard lock(mutex_);
  const auto found = counts_through_.find(Of(context).device);
  return found != counts_through_.end() && found->second == context;
}

void SimulatedDevice::TakeDown(ContextHandle context) {
  const std::lock_guard lock(mutex_);
  const std::uint32_t device = Of(context).device;
  const auto found = counts_through_.find(device);
  if (found == counts_through_.end() || found->second != context) return;
  if (code_changes_ > 0) Violation("took counting down while code changes");
  for (const auto& [handle, each] : contexts_) {
    if (each.device == device && each.enabled != 0) Violation("took counting down while it is on");
  }
  taken_down_.insert(device);
}

void SimulatedDevice::ExpectStill(std::unique_lock<std::mutex>& lock, Context& context,
                                  const char* what) {
  if (code_changes_ > 0) Violation("began, read or ended counting while code changes");
  if (Idle(context)) return;
  if (!OnlyGatelessRun(context)) return Violation(what);
  WaitUntilIdle(lock, context, what);
}

agent::Status SimulatedDevice::Enable(ContextHandle context) {
  std::unique_lock lock(mutex_);
  if (faults_.enable) return Error{*faults_.enable};
  Context& own = Of(context);
  if (own.enabled != 0) Violation("began to count in a context that counts");
  if (taken_down_.contains(own.device)) Violation("began to count where counting was taken down");
  if (AnyCaptureWithGate(own)) Violation("began to count while a stream captures");
  ExpectStill(lock, own, "began to count while a kernel runs");
  own.enabled = ++enables_;
  return agent::Ok{};
}

Result<std::vector<agent::InstructionCounts>> SimulatedDevice::Flush(ContextHandle context) {
  std::unique_lock lock(mutex_);
  if (faults_.flush) return Error{*faults_.flush};
  Context& own = Of(context);
  if (own.enabled == 0) Violation("took counts where nothing counts");
  ExpectStill(lock, own, "took counts while a kernel runs");
  std::vector<agent::InstructionCounts> counts;
  for (const auto& [kernel, launches] : own.counts) {
    counts.push_back({1, kernel, PcOffset(16), {launches}});
  }
  own.counts.clear();
  return counts;
}

Result<std::uint64_t> SimulatedDevice::Disable(ContextHandle context) {
  std::unique_lock lock(mutex_);
  if (faults_.disable) return Error{*faults_.disable};
  Context& own = Of(context);
  if (own.enabled == 0) Violation("ended counting where nothing counts");
  ExpectStill(lock, own, "ended counting while a kernel runs");
  const std::uint64_t dropped = own.counts.size();
  own.enabled = 0;
  own.patched.clear();
  own.counts.clear();
  return dropped;
}

}  // namespace coalcheck::testing
