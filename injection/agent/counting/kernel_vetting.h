// SPDX-License-Identifier: Apache-2.0
//
// What must be known of a kernel before it may be counted: whether the filters select the launch,
// and whether its code has signs of waiting for others.
#pragma once

#include <atomic>
#include <chrono>
#include <optional>

#include "injection/agent/base/deadlines.h"
#include "injection/agent/base/device.h"
#include "injection/agent/contexts/announced_changes.h"
#include "injection/agent/contexts/contexts.h"
#include "injection/agent/counting/run_counters.h"
#include "injection/agent/shapes/launch_book.h"
#include "libcoalcheck/options/agent_options.h"

namespace coalcheck::agent {

// What a kernel whose code says this deserves, before a launch has shown more.
Trust TrustAt(KernelCode::Hazard hazard);

// Asked at the beginning of each launch and instantiation. Any thread. It may have the driver load
// code, with that announced. `function` is 0 for a kernel inside a graph, whose code is loaded
// already.
class KernelVetting {
 public:
  KernelVetting(const options::AgentOptions& options, const Deadlines& deadlines,
                LaunchBook& launch_book, KernelCode& code, Device& device, const Contexts& contexts,
                AnnouncedChanges& changes, RunCounters& counters)
      : options_(options),
        deadlines_(deadlines),
        launch_book_(launch_book),
        code_(code),
        device_(device),
        contexts_(contexts),
        changes_(changes),
        counters_(counters),
        switched_on_(options.profile_from_start) {}

  // From here on launches are checked, or not any more; other filters stay as they are.
  void SwitchOn() { switched_on_ = true; }
  void SwitchOff() { switched_on_ = false; }
  bool switched_on() const { return switched_on_.load(std::memory_order_relaxed); }

  // Why the launch is of no interest to the user; it takes its turn in --launch-skip.
  std::optional<Skip> LeftOut(ShapeEntry& entry, FunctionHandle function);
  // Under lazy loading a kernel's first launch in a context is what loads its code there. That must
  // not happen while counting begins or ends in another context: so it is loaded now.
  void LoadBeforeLaunch(ContextWatch& watch, FunctionHandle function);
  // What the kernel's code or its watched launch has shown.
  Trust TrustOf(const ShapeEntry& entry, FunctionHandle function);
  // Finds out, once, how often the kernel's code accesses memory, launched like this.
  void CountAccesses(const ShapeEntry& entry, const LaunchSeen& launch);
  // How long the end of a counted launch is waited for.
  std::chrono::milliseconds CloseDeadlineOf(const ShapeEntry& entry) const;

 private:
  // Has the driver load the kernel's code, so that it can be asked.
  void NeedCode(const ShapeEntry& entry, FunctionHandle function);

  const options::AgentOptions& options_;
  const Deadlines& deadlines_;
  LaunchBook& launch_book_;
  KernelCode& code_;
  Device& device_;
  const Contexts& contexts_;
  AnnouncedChanges& changes_;
  RunCounters& counters_;
  std::atomic<bool> switched_on_;
};

}  // namespace coalcheck::agent
