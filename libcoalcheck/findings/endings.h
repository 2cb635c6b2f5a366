// SPDX-License-Identifier: Apache-2.0
//
// How a watched process ended, in words.
#pragma once

#include <cstdint>
#include <string>

#include "libcoalcheck/findings/report.h"

namespace coalcheck::findings {

// "SIGKILL"; "signal 40" for those without a name. Numbers are Linux's.
std::string SignalName(std::uint32_t signal);

// What follows the name of the process: "was killed by SIGKILL", "ended with exit code 3". Empty
// when it ended well: the agent saw the end, and nobody says that it was a failure.
std::string HowItEnded(const RecordingInfo& recording);

// " (1 234 launches seen)", as far as that is known.
std::string LaunchesSeen(const RecordingInfo& recording);

}  // namespace coalcheck::findings
