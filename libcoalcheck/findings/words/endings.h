// SPDX-License-Identifier: Apache-2.0
//
// How a watched process ended, in words.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "libcoalcheck/findings/report.h"

namespace coalcheck::findings {

// "SIGKILL"; "signal 40" for those without a name. Numbers are Linux's.
std::string SignalName(std::uint32_t signal);

// What follows the name of the process: "was killed by SIGKILL", "ended with exit code 3". Empty
// when it ended well: the agent saw the end, and nobody says that it was a failure.
std::string HowItEnded(const RecordingInfo& recording);

// HowItEnded() of the processes of a merged recording: "ranks 3 and 7 were killed by SIGKILL", a
// clause for each way that is not well.
std::vector<std::string> HowRanksEnded(const RecordingInfo& merged);

// How many processes ended in a way that let the agent say so.
std::uint64_t ProcessesEnded(const RecordingInfo& recording);

// " (1 234 launches seen)", as far as that is known.
std::string LaunchesSeen(const RecordingInfo& recording);

}  // namespace coalcheck::findings
