// SPDX-License-Identifier: Apache-2.0
//
// `coalcheck baseline write|check`: writes the findings of today, and fails on new ones.
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <iostream>
#include <memory>
#include <string>
#include <system_error>
#include <utility>

#include "cli/base/say.h"
#include "cli/commands/commands.h"
#include "cli/report/baseline_file.h"
#include "cli/report/load_report.h"
#include "cli/report/outputs.h"
#include "cli/report/report.h"
#include "cli/report/report_options.h"
#include "cli/report/report_source_text.h"
#include "cli/syntax/command_line.h"
#include "libcoalcheck/findings/words/words.h"
#include "libcoalcheck/output/view/notes.h"
#include "libcoalcheck/output/view/policy.h"
#include "libcoalcheck/verdict/verdict.h"

namespace coalcheck::cli {
namespace {

constexpr const char* kBaselineFooter =
    "  coalcheck baseline write FILE RECORDING…\n"
    "  coalcheck baseline check [--tighten] FILE RECORDING…\n"
    "FILE is the baseline. coalcheck baseline write --help and coalcheck baseline check --help "
    "list\n"
    "their options.";

constexpr const char* kWriteFooter =
    "An existing baseline is replaced; any other existing file is left unchanged.\n\n"
    "Exit codes: 0 FILE is written, 2 usage, 3 nothing was checked, 4 the counters could not be\n"
    "collected or used in full, 5 FILE could not be written.";

constexpr const char* kCheckFooter =
    "The same as coalcheck report --baseline FILE, which coalcheck run takes too.\n\n"
    "Exit codes: 0 no finding is new or worse, 1 one is, 2 usage, 3 nothing was checked,\n"
    "4 the counters could not be collected or used in full, 5 internal error.";

int Fail(const std::string& why, int code) {
  Say(why);
  return code;
}

// FILE comes first, and a recording is a folder. Nor is it a stream: what is known is to be kept.
std::string WhyNoFile(const std::string& file) {
  std::error_code error;
  if (file == "-") return "a baseline is a file that is kept, not standard output (-): name a file";
  if (!std::filesystem::is_directory(file, error)) return {};
  return words::Printable(file) + " is a folder: the baseline comes first, and then the recordings";
}

// A line is identified by its text: where the text could not be read before, the line is new.
void SayWhatIsUnknown(const comparison::Baseline& baseline) {
  const auto unknown = std::ranges::count_if(
      baseline.findings, [](const comparison::KnownFinding& one) { return one.text.empty(); });
  if (unknown == 0) return;
  Say(fmt::format(
      "the text of {} could not be read: once it can, these findings are new (--source-root, "
      "--path-map)",
      words::Count(static_cast<std::uint64_t>(unknown), "line", "lines")));
}

// A run that checked nothing makes no baseline: it would be empty and look like a clean run.
int Write(const ReportOptions& options, const std::string& file) {
  if (const std::string why = WhyNoFile(file); !why.empty()) {
    return Fail("no baseline is written: " + why, kUsage);
  }
  ReportSourceText sources(QuotableFolders(options));
  const absl::StatusOr<LoadedReport> loaded = LoadReport(options, sources);
  if (!loaded.ok()) {
    SayWhyNotLoaded(loaded.status(), std::cerr);
    return kUsage;
  }
  SayNotes(*loaded, std::cerr);
  const verdict::Verdict verdict = verdict::Judge(loaded->report);
  if (verdict.outcome != verdict::Outcome::kClean &&
      verdict.outcome != verdict::Outcome::kFindings) {
    return Fail(fmt::format("no baseline is written: {}: {}", verdict::Headline(verdict),
                            words::Printable(verdict.reason)),
                static_cast<int>(verdict.outcome));
  }
  if (const std::string why = verdict::WhyIncomplete(loaded->report); !why.empty()) {
    return Fail("no baseline is written, as findings may be missing: " + words::Printable(why),
                kCouldNotCollect);
  }
  for (const auto& notes : {output::PolicyNotes(loaded->report), output::AloneNotes(loaded->report),
                            output::GapNotes(loaded->report)}) {
    for (const std::string& note : notes) Say(note);
  }
  const comparison::Baseline baseline = comparison::BaselineOf(loaded->report);
  SayWhatIsUnknown(baseline);
  const absl::Status written = WriteBaselineFile(file, baseline);
  if (!written.ok()) {
    return Fail(std::string(written.message()),
                absl::IsInvalidArgument(written) ? kUsage : kInternalError);
  }
  Say(std::cout,
      fmt::format("{}: {}", file,
                  words::Count(baseline.findings.size(), "known finding", "known findings")));
  return kClean;
}

// Files that are not named as a recording are compiled code: the command predicts them.
bool ArePrograms(const std::vector<std::string>& paths) {
  return std::ranges::all_of(paths, [](const std::string& path) {
    std::error_code error;
    return std::filesystem::is_regular_file(path, error) && !path.ends_with(".jsonl");
  });
}

struct BaselineWords {
  std::string file;
  ReportOptions report;
};

Command AddWords(Command command, BaselineWords& words) {
  command.Add("file", &words.file, "The baseline").Required().Takes("FILE");
  command
      .Add("recordings", &words.report.recordings,
           "Recording folders, or folders of recordings (one for each rank); or compiled code, to "
           "be "
           "predicted")
      .Required()
      .Takes("RECORDING");
  return command;
}

}  // namespace

void AddBaselineCommand(Command& coalcheck, SetExitCode set_exit_code) {
  Command command = coalcheck.AddCommand(
      "baseline", "Keep what is known, so that only new and worse findings fail");
  command.RequireCommand();
  command.Footer(kBaselineFooter);
  auto write_words = std::make_shared<BaselineWords>();
  Command write =
      AddWords(command.AddCommand("write", "Write all findings of a run to FILE"), *write_words);
  AddJudgeOptions(write, write_words->report);
  write_words->report.ignore_baseline = true;
  AddCpuLimit(write);
  write.Footer(kWriteFooter);
  write.OnParsed([write_words, set_exit_code] {
    write_words->report.predict = ArePrograms(write_words->report.recordings);
    set_exit_code(Write(write_words->report, write_words->file));
  });
  auto check_words = std::make_shared<BaselineWords>();
  Command check = AddWords(
      command.AddCommand("check", "Report a run; only findings that FILE does not know fail"),
      *check_words);
  AddOutputOptions(check, check_words->report);
  AddJudgeOptions(check, check_words->report);
  check.AddFlag(
      "--tighten", check_words->report.tighten,
      "rewrite FILE: drop findings that are gone, lower the numbers of those that got better");
  AddCpuLimit(check);
  check.Footer(kCheckFooter);
  check.OnParsed([check_words, set_exit_code = std::move(set_exit_code)] {
    ReportOptions& options = check_words->report;
    LookAtStream(STDOUT_FILENO, options);
    options.baseline = check_words->file;
    options.predict = ArePrograms(options.recordings);
    std::string problem = WhyNoFile(check_words->file);
    if (problem.empty()) problem = WhyNoOutput(options);
    set_exit_code(problem.empty() ? Report(options, std::cout, std::cerr) : Fail(problem, kUsage));
  });
}

}  // namespace coalcheck::cli
