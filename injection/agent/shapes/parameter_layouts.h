// SPDX-License-Identifier: Apache-2.0
//
// Where the parameters of each function lie: the driver is asked once for each handle.
#pragma once

#include <atomic>
#include <cstdint>
#include <set>
#include <unordered_map>

#include "injection/agent/base/device.h"
#include "injection/agent/base/generation.h"
#include "libcoalcheck/base/mutex.h"

namespace coalcheck::agent {

// Any thread. A thread finds the layouts of its recent functions again without a lock.
class ParameterLayouts {
 public:
  // Null: the driver does not tell. A layout lives as long as this; equal ones are one.
  const ParameterLayout* Of(FunctionHandle function, const LaunchCall& call);
  // Function handles may be given to other functions from here on.
  void DiscardHandles();

 private:
  const ParameterLayout* Ask(FunctionHandle function, const LaunchCall& call);
  Generation generation_;
  Mutex mutex_;
  std::unordered_map<FunctionHandle, const ParameterLayout*> known_ COALCHECK_GUARDED_BY(mutex_);
  std::set<ParameterLayout> layouts_ COALCHECK_GUARDED_BY(mutex_);
};

}  // namespace coalcheck::agent
