// SPDX-License-Identifier: Apache-2.0
//
// Loads the recordings, judges them and writes the report.
#include "cli/report/report.h"

#include <unistd.h>

#include "cli/base/exit_code.h"
#include "cli/base/say.h"
#include "cli/base/terminal.h"
#include "cli/report/baseline_file.h"
#include "cli/report/load_report.h"
#include "cli/report/outputs.h"
#include "cli/report/report_source_text.h"
#include "libcoalcheck/findings/words/words.h"
#include "libcoalcheck/verdict/verdict.h"

namespace coalcheck::cli {
namespace {

// Returns what was done, as a sentence. Error: why the file could not be read or written.
absl::StatusOr<std::string> Tighten(const std::string& file, const findings::Report& report) {
  if (const std::string why = verdict::WhyIncomplete(report); !why.empty()) {
    return file + " is unchanged, as findings may be missing: " + words::Printable(why);
  }
  const absl::StatusOr<comparison::Baseline> baseline = ReadBaselineFile(file);
  if (!baseline.ok()) return baseline.status();
  if (!report.baseline) return absl::InternalError("nothing was compared with " + file);
  const comparison::Baseline tightened = comparison::Tightened(*baseline, *report.baseline);
  if (comparison::WriteBaseline(tightened) == comparison::WriteBaseline(*baseline)) {
    return "nothing got better: " + file + " is unchanged";
  }
  const absl::Status written = WriteBaselineFile(file, tightened);
  if (!written.ok()) return written;
  return file + " is rewritten with the findings that got better";
}

}  // namespace

void LookAtStream(int file, ReportOptions& options) {
  options.github = FindGithubActions();
  options.out_is_terminal = isatty(file) == 1;
  options.out_columns = TerminalColumns(file);
}

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

}  // namespace coalcheck::cli
