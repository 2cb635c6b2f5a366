// SPDX-License-Identifier: Apache-2.0
//
// How often each launch shape of a recording was launched, and how often it was counted.
#pragma once

#include <map>

#include "libcoalcheck/recording/recorded_run.h"

namespace coalcheck::recording {

struct ShapeLaunches {
  Launches seen;     // all; a killed process may have written a window and not the tally after it
  Launches inside;   // in windows that were read
  Launches counted;  // as the tally says: a window it knows may not have been read
};

std::map<LaunchShape, ShapeLaunches> LaunchesOf(const RecordedRun& run);

}  // namespace coalcheck::recording
