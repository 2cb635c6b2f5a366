// SPDX-License-Identifier: Apache-2.0
//
// Gates are tried one after the other, and all left again where one is taken.
#include "injection/agent/contexts/all_gates.h"

#include "injection/agent/base/poll_until.h"

namespace coalcheck::agent {

bool AllGates::DoAlone(std::chrono::milliseconds patience, const std::function<void()>& work) {
  const SuspendedChange suspended(changes_);
  const std::optional<HeldGates> held = EnterAlone(patience);
  if (held) work();
  return held.has_value();
}

std::optional<HeldGates> AllGates::EnterAlone(std::chrono::milliseconds patience) {
  const std::vector<ContextWatch*> watches = contexts_.All();
  HeldGates held;
  const bool all = PollUntil(clock_, patience, [&] {
    for (ContextWatch* watch : watches) {
      held.push_back(watch->gate().EnterAlone(std::chrono::milliseconds(0)));
      if (held.back()) continue;
      held.clear();
      return false;
    }
    return true;
  });
  if (!all) return std::nullopt;
  return held;
}

}  // namespace coalcheck::agent
