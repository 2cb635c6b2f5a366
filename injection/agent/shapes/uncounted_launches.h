// SPDX-License-Identifier: Apache-2.0
//
// Keeps what launches outside windows were called with, for a report that predicts them.
#pragma once

#include "injection/agent/base/device.h"
#include "injection/agent/shapes/argument_table.h"
#include "injection/agent/shapes/parameter_layouts.h"
#include "injection/agent/shapes/shape_entry.h"

namespace coalcheck::agent {

// Any thread. On the way of every launch that is not counted: see ArgumentTable.
class UncountedLaunches {
 public:
  // The driver has accepted the launch, and its call has not returned.
  void Add(const ShapeEntry& entry, FunctionHandle function, const LaunchCall& call);
  // Launches in a graph, whose parameters were read when it was instantiated.
  void AddReplays(const ShapeEntry& entry, const recording::LaunchArguments& arguments,
                  Launches launches);
  void DiscardHandles() { layouts_.DiscardHandles(); }

 private:
  ParameterLayouts layouts_;
  ArgumentRoom room_;
};

}  // namespace coalcheck::agent
