// SPDX-License-Identifier: Apache-2.0
//
// The options of a report on a command line.
#pragma once

#include "cli/report.h"

namespace CLI {
class App;
}

namespace coalcheck::cli {

// How a report is written.
void AddOutputOptions(CLI::App& command, ReportOptions& options);
// What is a finding, but for what is known.
void AddJudgeOptions(CLI::App& command, ReportOptions& options);
// Adds all options of the table that the report acts on.
void AddReportOptions(CLI::App& command, ReportOptions& options);

}  // namespace coalcheck::cli
