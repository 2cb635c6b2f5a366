// SPDX-License-Identifier: Apache-2.0
//
// From the recordings that a command line names to the report that every command goes on with.
#pragma once

#include <absl/status/statusor.h>

#include <ostream>
#include <string>
#include <vector>

#include "cli/report/report.h"
#include "cli/report/report_source_text.h"
#include "libcoalcheck/findings/report.h"

namespace coalcheck::cli {

struct LoadedReport {
  findings::Report report;
  std::vector<std::string> notes;  // why a launch recorded nothing; options that did nothing
  std::string project_file;        // whose rules hold; empty: none
};

// Whose files may be quoted in a report: the source roots and where path mappings lead.
std::vector<std::string> QuotableFolders(const ReportOptions& options);

// `sources` is given the text that the recordings hold.
// Error: what is wrong with the recordings that were named, a sentence a line.
absl::StatusOr<LoadedReport> LoadReport(const ReportOptions& options, ReportSourceText& sources);

// The notes of a report, each a line.
void SayNotes(const LoadedReport& loaded, std::ostream& err);

// The lines of such an error, each as a complaint.
void SayWhyNotLoaded(const absl::Status& status, std::ostream& err);

}  // namespace coalcheck::cli
