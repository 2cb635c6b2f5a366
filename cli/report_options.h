// SPDX-License-Identifier: Apache-2.0
//
// The options of a report on a command line, and what is refused of them.
#pragma once

#include <string>

#include "cli/report.h"

namespace CLI {
class App;
}

namespace coalcheck::cli {

// The name that means standard output, of a file for the report.
inline constexpr const char* kStandardOutput = "-";

// How a report is written.
void AddOutputOptions(CLI::App& command, ReportOptions& options);
// What is a finding, but for what is known.
void AddJudgeOptions(CLI::App& command, ReportOptions& options);
// Adds all options of the table that the report acts on.
void AddReportOptions(CLI::App& command, ReportOptions& options);

// Why the outputs cannot be as they are asked for; empty when they can. Nothing is written.
std::string WhyNoOutput(const ReportOptions& options);

}  // namespace coalcheck::cli
