// SPDX-License-Identifier: Apache-2.0
//
// What came of closing a window, for the recording.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "injection/agent/base/device.h"
#include "injection/agent/shapes/argument_sets.h"
#include "injection/agent/shapes/shape_entry.h"

namespace coalcheck::agent {

// The launches of one shape that are inside a window.
struct LaunchesOfShape {
  Launches launches;
  ArgumentSets arguments = {};
};
using InsideWindow = std::map<ShapeEntry*, LaunchesOfShape>;

struct ClosedWindow {
  WindowId window;
  recording::WindowKind kind = recording::WindowKind::kLaunch;
  recording::WindowClose close = recording::WindowClose::kInTime;
  LaunchOrdinal first_launch;
  InsideWindow inside;
  std::uint64_t dropped_records = 0;
  std::vector<InstructionCounts> counts;
  std::string opener = {};    // the kernel of the first launch inside, mangled
  Launches behind_late = {};  // made after the window had outlived its deadline
};

}  // namespace coalcheck::agent
