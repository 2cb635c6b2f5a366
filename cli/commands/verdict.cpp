// SPDX-License-Identifier: Apache-2.0
//
// `coalcheck verdict`: the last line of a report and its exit code, and on request what decided.
#include "libcoalcheck/verdict/verdict.h"

#include <fmt/format.h>
#include <unistd.h>

#include <iostream>
#include <memory>
#include <string>
#include <utility>

#include "cli/base/color.h"
#include "cli/base/say.h"
#include "cli/commands/commands.h"
#include "cli/report/load_report.h"
#include "cli/report/report_options.h"
#include "cli/report/report_source_text.h"
#include "cli/syntax/command_line.h"
#include "libcoalcheck/findings/words/words.h"
#include "libcoalcheck/output/text/explain_text.h"
#include "libcoalcheck/output/view/notes.h"
#include "libcoalcheck/output/view/policy.h"
#include "libcoalcheck/output/view/summary.h"
#include "libcoalcheck/policy/project_file.h"

namespace coalcheck::cli {
namespace {

struct VerdictWords {
  ReportOptions report;
  bool explain = false;
};

std::string RulesLine(const LoadedReport& loaded, const ReportOptions& options) {
  if (options.config == kNoProjectFile) return "coalcheck: no rules of a project: --config none\n";
  if (!loaded.project_file.empty()) {
    return fmt::format("coalcheck: rules of {}\n", words::Printable(loaded.project_file));
  }
  return fmt::format("coalcheck: no rules of a project: no {} at or above the source root\n",
                     policy::kProjectFileName);
}

int PrintVerdict(const VerdictWords& words) {
  ReportSourceText sources(QuotableFolders(words.report));
  const absl::StatusOr<LoadedReport> loaded = LoadReport(words.report, sources);
  if (!loaded.ok()) {
    SayWhyNotLoaded(loaded.status(), std::cerr);
    return kUsage;
  }
  const findings::Report& report = loaded->report;
  const verdict::Verdict verdict = verdict::Judge(report);
  SayNotes(*loaded, std::cerr);
  const output::Style style(WantsColor(words.report.color, isatty(STDOUT_FILENO) == 1));
  if (words.explain) {
    std::cout << RulesLine(*loaded, words.report) << output::ExplainText(report, style);
  }
  for (const std::string& note : output::NotesOnMissing(report)) Say(std::cout, note);
  for (const std::string& note : output::PolicyNotes(report)) {
    Say(std::cout, note);
  }
  std::cout << output::SummaryLine(report, verdict, style) << '\n' << std::flush;
  if (!std::cout.good()) return kInternalError;
  return words.report.exit_zero ? static_cast<int>(kClean) : verdict::ExitCode(verdict);
}

}  // namespace

void AddVerdictCommand(Command& coalcheck, SetExitCode set_exit_code) {
  auto words = std::make_shared<VerdictWords>();
  Command command = coalcheck.AddCommand("verdict", "Say only whether a run passes, and why");
  command
      .Add("recordings", &words->report.recordings,
           "Recording folders, or folders of recordings (one for each rank)")
      .Required()
      .Takes("RECORDING");
  command.AddFlag("--explain", words->explain, "name the rule that decided each access");
  AddSelectOptions(command, words->report);
  AddJudgeOptions(command, words->report);
  command.AddFromTable("baseline", &words->report.baseline);
  command.AddFromTable("color", &words->report.color);
  command.AddFlagFromTable("exit-zero", words->report.exit_zero);
  AddCpuLimit(command);
  command.Footer("Exit codes: as coalcheck report.");
  command.OnParsed(
      [words, set_exit_code = std::move(set_exit_code)] { set_exit_code(PrintVerdict(*words)); });
}

}  // namespace coalcheck::cli
