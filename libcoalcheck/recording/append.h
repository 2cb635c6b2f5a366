// SPDX-License-Identifier: Apache-2.0
//
// Adds to a recording whose process has ended.
#pragma once

#include <string>

#include "libcoalcheck/recording/records.h"

namespace coalcheck::recording {

// Appends `record` to the recording `folder` as a line of its own, also behind a line that was cut
// short. Only when no process writes there any more. Returns 0 or an errno value.
int AppendRecord(const std::string& folder, const Record& record);

}  // namespace coalcheck::recording
