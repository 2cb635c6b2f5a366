// SPDX-License-Identifier: Apache-2.0
//
// Loads, judges, prints.
#include "cli/report.h"

#include <unistd.h>

#include <iostream>
#include <memory>
#include <utility>

#include "cli/base/say.h"
#include "cli/baseline_file.h"
#include "cli/command_line.h"
#include "cli/commands.h"
#include "cli/load_report.h"
#include "cli/outputs.h"
#include "cli/report_options.h"
#include "cli/report_source_text.h"
#include "cli/terminal.h"
#include "libcoalcheck/verdict/verdict.h"

namespace coalcheck::cli {
namespace {

// The sentence to say of it. Error: why the file could not be read or written.
absl::StatusOr<std::string> Tighten(const std::string& file, const findings::Report& report) {
  const absl::StatusOr<comparison::Baseline> baseline = ReadBaselineFile(file);
  if (!baseline.ok()) return baseline.status();
  if (!report.baseline) return absl::InternalError("nothing was held against " + file);
  const comparison::Baseline tightened = comparison::Tightened(*baseline, *report.baseline);
  if (comparison::WriteBaseline(tightened) == comparison::WriteBaseline(*baseline)) {
    return "nothing got better: " + file + " stays as it is";
  }
  const absl::Status written = WriteBaselineFile(file, tightened);
  if (!written.ok()) return written;
  return file + " is rewritten with what got better";
}

}  // namespace

int Report(const ReportOptions& options, std::ostream& out, std::ostream& err) {
  ReportSourceText sources(QuotableFolders(options));
  const absl::StatusOr<LoadedReport> loaded = LoadReport(options, sources);
  if (!loaded.ok()) {
    SayWhyNotLoaded(loaded.status(), err);
    return kUsage;
  }
  SayNotes(*loaded, err);
  const findings::Report& report = loaded->report;
  const verdict::Verdict verdict = verdict::Judge(report);
  if (!WriteOutputs(report, verdict, options, sources, out, err)) return kInternalError;
  if (options.tighten) {
    const absl::StatusOr<std::string> done = Tighten(options.baseline, report);
    Say(err, done.ok() ? *done : std::string(done.status().message()));
    if (!done.ok()) return kInternalError;
  }
  return options.exit_zero ? kClean : verdict::ExitCode(verdict);
}

void AddReportCommand(Command& coalcheck, SetExitCode set_exit_code) {
  auto options = std::make_shared<ReportOptions>();
  Command command = coalcheck.AddCommand(
      "report", "Say which source lines waste sectors, from one or more recordings");
  command
      .Add("recordings", &options->recordings,
           "Recording folders, or folders of recordings (one for each rank)")
      .Takes("RECORDING");
  AddSelectOptions(command, *options);
  AddReportOptions(command, *options);
  command.Footer(
      "--format may be given several times: --format text --format json=report.json. A FILE of -o "
      "is\n"
      "for the first format that names none itself, and so on; what has no file goes to standard\n"
      "output.\n\n"
      "Exit codes: 0 every access is clean, 1 findings, 2 usage, 3 nothing was checked,\n"
      "4 the counters could not be collected or used in full, 5 internal error.");
  command.OnParsed([options, set_exit_code = std::move(set_exit_code)] {
    options->github = FindGithubActions();
    options->out_is_terminal = isatty(STDOUT_FILENO) == 1;
    options->out_columns = TerminalColumns(STDOUT_FILENO);
    std::string problem = WhyNoOutput(*options);
    if (options->recordings.empty()) problem = "which recording? coalcheck report RECORDING…";
    if (!problem.empty()) Say(problem);
    set_exit_code(problem.empty() ? Report(*options, std::cout, std::cerr)
                                  : static_cast<int>(kUsage));
  });
}

}  // namespace coalcheck::cli
