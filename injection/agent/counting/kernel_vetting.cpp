// SPDX-License-Identifier: Apache-2.0
//
// What is found out about a kernel is kept in its entry: each question is asked once.
#include "injection/agent/counting/kernel_vetting.h"

namespace coalcheck::agent {

Trust TrustAt(KernelCode::Hazard hazard) {
  switch (hazard) {
    case KernelCode::Hazard::kNone:
      return Trust::kFree;
    case KernelCode::Hazard::kMayWait:
      return Trust::kSuspect;
    case KernelCode::Hazard::kOtherLanes:
      break;
  }
  return Trust::kUnpatchable;
}

std::optional<Skip> KernelVetting::LeftOut(ShapeEntry& entry, FunctionHandle function) {
  if (entry.kernel().undecided.load(std::memory_order_relaxed)) {
    NeedCode(entry, function);
    launch_book_.Decide(entry, code_.InlinedFunctions(entry.shape().kernel));
  }
  if (entry.left_out()) return entry.left_out();
  if (!switched_on_.load(std::memory_order_relaxed)) return Skip::kSwitchedOff;
  if (!launch_book_.Admits(entry)) return Skip::kLaunchRange;
  return std::nullopt;
}

// The launches of the context itself have its gate: one context alone needs none of this.
void KernelVetting::LoadBeforeLaunch(ContextWatch& watch, FunctionHandle function) {
  if (contexts_.made() < 2) return;
  if (watch.loaded_functions().Contains(function)) return;
  const ChangingCode changing(changes_);
  device_.LoadCode(function);
  watch.loaded_functions().Add(function);
}

void KernelVetting::NeedCode(const ShapeEntry& entry, FunctionHandle function) {
  if (function == FunctionHandle(0) || code_.Knows(entry.shape().kernel)) return;
  const ChangingCode changing(changes_);
  device_.LoadCode(function);
}

Trust KernelVetting::TrustOf(const ShapeEntry& entry, FunctionHandle function) {
  KernelTrust& trust = entry.trust();
  if (trust.get() == Trust::kUnknown) {
    const bool dares = options_.waiting_kernels == options::WaitingKernels::kWindow;
    if (!dares) NeedCode(entry, function);
    if (!code_.HasLines(entry.shape().kernel)) ++counters_.kernels_without_lines;
    trust.Set(dares ? Trust::kFree : TrustAt(code_.HazardOf(entry.shape().kernel)));
  }
  return trust.get();
}

void KernelVetting::CountAccesses(const ShapeEntry& entry, const LaunchSeen& launch) {
  KernelTime& time = entry.kernel().time;
  if (time.knows_accesses()) return;
  NeedCode(entry, launch.function);
  KernelCode::Launch size{.grid = launch.grid, .block = launch.block};
  if (launch.call != nullptr) size.parameters = launch.call->Arguments().bytes;
  const KernelCode::Accesses accesses = code_.AccessesOf(entry.shape().kernel, size);
  time.SetAccesses(accesses.of_a_thread, accesses.share, accesses.in_loops);
}

std::chrono::milliseconds KernelVetting::CloseDeadlineOf(const ShapeEntry& entry) const {
  const bool looked_at = options_.waiting_kernels != options::WaitingKernels::kWindow;
  const bool has_no_signs = looked_at && entry.trust().get() == Trust::kFree;
  return has_no_signs ? deadlines_.close : deadlines_.close_waiting;
}

}  // namespace coalcheck::agent
