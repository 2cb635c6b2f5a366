// SPDX-License-Identifier: Apache-2.0
//
// Loads both sides, each with its own sources, and compares them.
#include "cli/commands/diff.h"

#include <fmt/format.h>
#include <unistd.h>

#include <filesystem>
#include <iostream>
#include <memory>
#include <utility>

#include "cli/base/color.h"
#include "cli/base/foreign_file.h"
#include "cli/base/say.h"
#include "cli/commands/commands.h"
#include "cli/report/load_report.h"
#include "cli/report/report_options.h"
#include "cli/report/report_source_text.h"
#include "cli/syntax/command_line.h"
#include "cli/syntax/option_checks.h"
#include "libcoalcheck/comparison/difference.h"
#include "libcoalcheck/findings/words/words.h"
#include "libcoalcheck/output/diff/diff_words.h"
#include "libcoalcheck/output/diff/diff_writers.h"
#include "libcoalcheck/output/view/notes.h"
#include "libcoalcheck/verdict/verdict.h"

namespace coalcheck::cli {
namespace {

using comparison::MeasuredRun;

constexpr std::uint64_t kMaxReportBytes = std::uint64_t{128} << 20;  // takes 0.7 GB to read

constexpr const char* kDiffFooter =
    "BASE and NEW are each a recording, a folder of recordings, or a report that was written with\n"
    "--format json. A recording holds few sources or none: lines of BASE are read from today's "
    "files\n"
    "unless --base-source-root and --base-path-map lead to those it was built from (git worktree\n"
    "add), or BASE is a JSON report, which remembers them.\n\n"
    "Exit codes: 0 nothing appeared or worsened, 1 something did, 2 usage, 3 nothing was checked "
    "in\n"
    "one of both, 4 nothing did, but NEW is not complete, 5 internal error.";

struct Side {
  MeasuredRun run;
  bool is_unavailable = false;  // the counters could not be collected, and nothing else is wrong
};

// Reads the run at `path`. Error: what is wrong with it, a sentence a line.
absl::StatusOr<Side> LoadSide(const std::string& path, ReportOptions options) {
  std::error_code ignored;
  const std::filesystem::path file(path);
  if (std::filesystem::is_regular_file(file, ignored) && file.extension() == ".json") {
    const absl::StatusOr<std::string> bytes = ReadFile(path, kMaxReportBytes);
    if (!bytes.ok()) return bytes.status();
    Result<MeasuredRun> run = comparison::ReadJsonReport(*bytes, path);
    if (!run.ok()) return absl::InvalidArgumentError(run.error());
    return Side{std::move(run).value()};
  }
  options.recordings = {path};
  options.ignore_baseline = true;
  ReportSourceText sources(QuotableFolders(options));
  const absl::StatusOr<LoadedReport> loaded = LoadReport(options, sources);
  if (!loaded.ok()) return loaded.status();
  MeasuredRun run = comparison::Measure(loaded->report, path);
  run.notes = output::VerdictNotes(loaded->report);
  run.incomplete = verdict::WhyIncomplete(loaded->report);
  run.not_collected = verdict::WhyNotCollected(loaded->report);
  return Side{std::move(run), verdict::IsUnavailable(loaded->report)};
}

std::string Written(const comparison::Comparison& comparison, const DiffOptions& options) {
  if (options.format == "json") return output::DiffJson(comparison);
  if (options.format == "markdown") return output::DiffMarkdown(comparison);
  return output::DiffText(
      comparison, output::Style(WantsColor(options.report.color, options.report.out_is_terminal)));
}

bool IsExcused(const Side& side, const DiffOptions& options) {
  return options.report.allow_unavailable && side.is_unavailable;
}

}  // namespace

int Diff(const DiffOptions& options, std::ostream& out, std::ostream& err) {
  ReportOptions base = options.report;
  if (!options.base_source_root.empty()) base.source_roots = {options.base_source_root};
  if (!options.base_path_maps.empty()) base.path_maps = options.base_path_maps;
  absl::StatusOr<Side> before = LoadSide(options.base, std::move(base));
  absl::StatusOr<Side> after = LoadSide(options.after, options.report);
  for (const auto* side : {&before, &after}) {
    if (side->ok()) continue;
    SayWhyNotLoaded(side->status(), err);
    return kUsage;
  }
  for (const auto* side : {&before, &after}) {
    const MeasuredRun& run = (*side)->run;
    if (!run.places.empty()) continue;
    const bool allowed = IsExcused(**side, options);
    if (!run.incomplete.empty()) Say(err, output::IncompleteNote(run));
    Say(err, fmt::format("nothing was checked in {}: nothing can be compared{}", run.name,
                         allowed ? "; allowed (--allow-unavailable)" : ""));
    if (options.report.exit_zero || allowed) return kClean;
    return run.not_collected.empty() ? kNothingChecked : kCouldNotCollect;
  }
  const bool incomplete = !after->run.incomplete.empty() && !IsExcused(*after, options);
  const comparison::Comparison comparison = comparison::Compare(
      std::move(before->run), std::move(after->run), options.tolerance_percent / 100);
  out << Written(comparison, options) << std::flush;
  if (!out.good()) {
    Say(err, "cannot write the comparison to standard output");
    return kInternalError;
  }
  if (options.report.exit_zero) return kClean;
  if (comparison.HasRegressions()) return kFindings;
  if (!comparison.HasCommonKernels()) return kNothingChecked;
  return incomplete ? kCouldNotCollect : kClean;
}

void AddDiffCommand(Command& coalcheck, SetExitCode set_exit_code) {
  auto options = std::make_shared<DiffOptions>();
  Command command = coalcheck.AddCommand("diff", "Say line by line what changed between two runs");
  command.Add("base", &options->base, "The older run").Required().Takes("BASE");
  command.Add("new", &options->after, "The newer run").Required().Takes("NEW");
  command.Add("--format", &options->format, "how it is written [text]")
      .Takes("text|json|markdown")
      .Checked(OneOf({"text", "json", "markdown"}));
  ReportOptions& report = options->report;
  AddJudgeOptions(command, report);
  command
      .Add("--base-source-root", &options->base_source_root,
           "the folder of BASE's sources, if NEW has others")
      .Takes("FOLDER")
      .Checked(RefuseAllButFolder);
  command
      .Add("--base-path-map", &options->base_path_maps, "as --path-map, but for BASE; repeatable")
      .Takes("OLD=NEW")
      .OneValueEachTime()
      .Checked(RefuseAllButMapping);
  command
      .Add("--tolerance", &options->tolerance_percent,
           "how far waste may differ and still count as the same [1]")
      .Takes("PERCENT")
      .OfPercent();
  command.AddFromTable("color", &report.color).Checked(OneOf({"auto", "always", "never"}));
  command.AddFlagFromTable("exit-zero", report.exit_zero);
  AddCpuLimit(command);
  command.Footer(kDiffFooter);
  command.OnParsed([options, set_exit_code = std::move(set_exit_code)] {
    LookAtStream(STDOUT_FILENO, options->report);
    set_exit_code(Diff(*options, std::cout, std::cerr));
  });
}

}  // namespace coalcheck::cli
