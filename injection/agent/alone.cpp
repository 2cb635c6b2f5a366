// SPDX-License-Identifier: Apache-2.0
//
// What the agent does around calls that may change code, and how it gets contexts to itself.
#include "injection/agent/alone.h"

#include <utility>

#include "injection/agent/base/until.h"

namespace coalcheck::agent {
namespace {

// Calls that may change code, one inside the other, which this thread is in; and whether that is
// known to the agent's code_changes_ now.
struct CodeChange {
  std::uint64_t depth = 1;
  bool announced = true;
};
// On the heap: no destructor at thread exit.
thread_local CodeChange* code_change = nullptr;

}  // namespace

bool Agent::SuspendCodeChange() {
  const bool suspended = code_change != nullptr && std::exchange(code_change->announced, false);
  if (suspended) code_changes_.End();
  return suspended;
}

void Agent::ResumeCodeChange() {
  code_changes_.Begin(clock_, deadlines_.Gate());
  code_change->announced = true;
}

void Agent::CodeChangeBegins(ContextHandle context) {
  // A context that was not current when it was made: this may be its first code.
  if (code_change == nullptr && stall_sampling_.wanted() && context != ContextHandle(0)) {
    if (ContextWatch* watch = Find(context)) BeginSampling(*watch);
  }
  if (code_change != nullptr) {
    ++code_change->depth;
  } else if (!released_ && !forked_) {
    // Also when the process ends or measuring has stopped: another thread may still close a window.
    code_change = new CodeChange;
    code_changes_.Begin(clock_, deadlines_.Gate());
  }
}

void Agent::CodeChangeEnds() {
  if (code_change == nullptr || --code_change->depth > 0) return;
  SuspendCodeChange();
  delete std::exchange(code_change, nullptr);
}

bool Agent::DoAlone(std::chrono::milliseconds patience, const std::function<void()>& work) {
  const Suspended suspended(*this);
  const std::optional<HeldGates> held = EnterAllAlone(patience);
  if (held) work();
  return held.has_value();
}

std::optional<Agent::HeldGates> Agent::EnterAllAlone(std::chrono::milliseconds patience) {
  const std::vector<ContextWatch*> watches = Contexts();
  HeldGates held;
  const bool all = Until(clock_, patience, [&] {
    for (ContextWatch* watch : watches) {
      held.push_back(watch->EnterAlone(std::chrono::milliseconds(0)));
      if (held.back()) continue;
      held.clear();
      return false;
    }
    return true;
  });
  if (!all) return std::nullopt;
  return held;
}

std::optional<Agent::HeldGates> Agent::ShutDown(const std::vector<ContextWatch*>& watches,
                                                std::chrono::milliseconds patience) {
  // For all of them at once: a thread that waits to change code may be about to leave a gate.
  const KeptOut changes(code_changes_, clock_, patience);
  if (!changes) return std::nullopt;
  HeldGates held;
  for (ContextWatch* watch : watches) {
    CloseResult result{};
    ClosedWindow closed;
    held.push_back(watch->ShutDown(changes, patience, result, closed));
    if (!held.back()) return std::nullopt;
    Finish(*watch, result, closed);
    if (result == CloseResult::kFailed) return std::nullopt;
  }
  return held;
}

}  // namespace coalcheck::agent
