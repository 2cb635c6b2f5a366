// SPDX-License-Identifier: Apache-2.0
//
// The gates of all contexts at once, for what CUPTI does to the whole process.
#pragma once

#include <chrono>
#include <functional>
#include <optional>
#include <vector>

#include "injection/agent/base/device.h"
#include "injection/agent/contexts/announced_changes.h"
#include "injection/agent/contexts/contexts.h"
#include "injection/agent/windows/context_gate.h"

namespace coalcheck::agent {

using HeldGates = std::vector<HeldGate>;

// Any thread that holds no gate.
class AllGates {
 public:
  AllGates(Contexts& contexts, AnnouncedChanges& changes, Clock& clock)
      : contexts_(contexts), changes_(changes), clock_(clock) {}

  // Does `work`, which throws nothing, while nobody launches or changes code in any context; this
  // thread may be about to. False: that did not come about in time.
  bool DoAlone(std::chrono::milliseconds patience, const std::function<void()>& work);

 private:
  // All or none. Nobody is held while another gate is waited for.
  std::optional<HeldGates> EnterAlone(std::chrono::milliseconds patience);

  Contexts& contexts_;
  AnnouncedChanges& changes_;
  Clock& clock_;
};

}  // namespace coalcheck::agent
