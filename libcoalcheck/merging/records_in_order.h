// SPDX-License-Identifier: Apache-2.0
//
// The records of a merged recording in the one order in which they are written.
#pragma once

#include <functional>
#include <string>
#include <string_view>

#include "libcoalcheck/recording/recorded_run.h"

namespace coalcheck::merging {

// Calls `take` with each record's kind and line, but for the `end`, until it returns false. Returns
// whether all were taken.
bool ForEachLineInOrder(
    const recording::RecordedRun& merged,
    const std::function<bool(std::string_view kind, const std::string& line)>& take);

}  // namespace coalcheck::merging
