// SPDX-License-Identifier: Apache-2.0
//
// Which forms of the report are wanted, each where, and the writing of them.
#pragma once

#include <optional>
#include <ostream>
#include <string>
#include <vector>

#include "cli/report/report.h"
#include "libcoalcheck/cubin/source_text.h"
#include "libcoalcheck/output/forms/forms.h"
#include "libcoalcheck/verdict/verdict.h"

namespace coalcheck::cli {

// The name that means standard output, of a file for the report.
inline constexpr const char* kStandardOutput = "-";

struct WantedOutput {
  output::Format format = output::Format::kText;
  std::optional<std::string> file;  // kStandardOutput is one

  bool IsPlaced() const { return file.has_value(); }
};

// Of "FORMAT" or "FORMAT=FILE". The first file of --output is for the first format that names none
// itself, and so on. What is no format is left out; see RefuseAllButFormat.
std::vector<WantedOutput> WantedOutputs(const ReportOptions& options);

// Empty for what --format takes, else what is wrong.
std::string RefuseAllButFormat(const std::string& text);

// Why the outputs cannot be as they are asked for; empty when they can. Nothing is written.
std::string WhyNoOutput(const ReportOptions& options);

// In a step of a GitHub workflow annotations come first, unless formats were asked for, and a table
// is appended to the step's summary, unless they were and that form is not among them.
// False when what was written did not arrive; `err` has the reason then.
bool WriteOutputs(const findings::Report& report, const verdict::Verdict& verdict,
                  const ReportOptions& options, cubin::SourceText& sources, std::ostream& out,
                  std::ostream& err);

}  // namespace coalcheck::cli
