// SPDX-License-Identifier: Apache-2.0
//
// The options of a report on a command line.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>

#include "cli/report/report.h"

namespace coalcheck::cli {

class Command;

// How a report is written.
void AddOutputOptions(Command& command, ReportOptions& options);
// What is a finding; without the baseline.
void AddJudgeOptions(Command& command, ReportOptions& options);
// Which of the launches recorded are reported on, in the words that select while a program runs.
void AddSelectOptions(Command& command, ReportOptions& options);
// For every command that reads files of others; the limit holds from when the options are read.
void AddCpuLimit(Command& command);
// Adds the same option, for a command that sets the limit itself.
void AddCpuLimit(Command& command, std::uint32_t& seconds);
// Once the command line is read, makes the report, or says why there can be none. `none_named`:
// what to say where no recording is named.
void ReportWhenParsed(Command& command, std::shared_ptr<ReportOptions> options,
                      std::string none_named, std::function<void(int)> set_exit_code);
// Adds all options of the table that the report acts on.
void AddReportOptions(Command& command, ReportOptions& options);

}  // namespace coalcheck::cli
