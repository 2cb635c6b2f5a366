// SPDX-License-Identifier: Apache-2.0
//
// The options of a report on a command line.
#pragma once

#include "cli/report/report.h"

namespace coalcheck::cli {

class Command;

// How a report is written.
void AddOutputOptions(Command& command, ReportOptions& options);
// What is a finding, but for what is known.
void AddJudgeOptions(Command& command, ReportOptions& options);
// Which of the launches recorded are reported on, in the words that select while a program runs.
void AddSelectOptions(Command& command, ReportOptions& options);
// Adds all options of the table that the report acts on.
void AddReportOptions(Command& command, ReportOptions& options);

}  // namespace coalcheck::cli
