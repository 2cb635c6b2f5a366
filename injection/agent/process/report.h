// SPDX-License-Identifier: Apache-2.0
//
// Runs the command over this process's recording when the process ends.
#pragma once

#include <string>
#include <vector>

namespace coalcheck::agent {

// `coalcheck`, from COALCHECK_COMMAND, beside this library, or in ../bin of it; empty when it is in
// none of these places.
std::string FindCommand();

// kFailed: it could not be run, or ended with an error of its own (exit codes 0, 1, 3 and 4 are
// verdicts, not errors). kUnknown: it ran, and the host's own handling of children hid how it
// ended.
enum class ReportResult { kMade, kFailed, kUnknown };

// Runs `command report <recording> <arguments…>` with its output on this process's stderr and
// without the variables that would inject the agent into it. Waits for it, with a deadline.
ReportResult RunReport(const std::string& command, const std::string& recording,
                       const std::vector<std::string>& arguments);

// Removes a recording's files and its folder; leaves anything else that lies in it.
void RemoveRecording(const std::string& folder);

}  // namespace coalcheck::agent
