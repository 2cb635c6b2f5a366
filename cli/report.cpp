// SPDX-License-Identifier: Apache-2.0
//
// Loads, judges, prints.
#include "cli/report.h"

#include <unistd.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <fstream>
#include <iostream>
#include <memory>
#include <utility>

#include "cli/baseline_file.h"
#include "cli/color.h"
#include "cli/commands.h"
#include "cli/disk_source_text.h"
#include "cli/load_report.h"
#include "cli/report_options.h"
#include "libcoalcheck/output/json_writer.h"
#include "libcoalcheck/output/text_summary.h"
#include "libcoalcheck/output/text_writer.h"
#include "libcoalcheck/verdict/verdict.h"

namespace coalcheck::cli {
namespace {

std::unique_ptr<output::Writer> MakeWriter(const std::string& format, const ReportOptions& options,
                                           bool to_out, cubin::SourceText& sources) {
  if (format == "json") return std::make_unique<output::JsonWriter>();
  return std::make_unique<output::TextWriter>(
      sources, output::TextOptions{options.print_limit,
                                   WantsColor(options.color, to_out && options.out_is_terminal)});
}

// The last words of a launch are the same whatever the report's form and place.
void WriteLastWords(const findings::Report& report, const verdict::Verdict& verdict,
                    const ReportOptions& options, bool written, std::ostream& out) {
  const std::size_t formats = std::max<std::size_t>(options.formats.size(), 1);
  const bool text_is_last = options.outputs.size() < formats &&
                            (options.formats.empty() || options.formats.back() == "text");
  if (!options.launch || (text_is_last && written)) return;
  out << output::SummaryText(report, verdict,
                             output::Style(WantsColor(options.color, options.out_is_terminal)),
                             written)
      << std::flush;
}

// False when what was written did not arrive.
bool WriteAll(const findings::Report& report, const verdict::Verdict& verdict,
              const ReportOptions& options, cubin::SourceText& sources, std::ostream& out,
              std::ostream& err) {
  const std::vector<std::string> formats =
      options.formats.empty() ? std::vector<std::string>{"text"} : options.formats;
  for (std::size_t i = 0; i < formats.size(); ++i) {
    const bool to_file = i < options.outputs.size();
    const std::string text =
        MakeWriter(formats[i], options, !to_file, sources)->Write(report, verdict);
    std::ofstream file;
    const bool to_standard = to_file && options.outputs[i] == kStandardOutput;
    if (to_file && !to_standard) {
      file.open(options.outputs[i], std::ios::binary | std::ios::trunc);
    }
    std::ostream& standard = options.standard_output == nullptr ? out : *options.standard_output;
    std::ostream& stream = to_standard ? standard : to_file ? file : out;
    stream << text << std::flush;
    if (stream.good()) continue;
    err << "coalcheck: cannot write the report to "
        << (to_file && !to_standard ? options.outputs[i] : "standard output") << '\n';
    WriteLastWords(report, verdict, options, false, out);
    return false;
  }
  WriteLastWords(report, verdict, options, true, out);
  return true;
}

bool Tighten(const std::string& file, const findings::Report& report, std::ostream& err) {
  const absl::StatusOr<comparison::Baseline> baseline = ReadBaselineFile(file);
  const absl::Status written =
      baseline.ok() && report.baseline
          ? WriteBaselineFile(file, comparison::Tightened(*baseline, *report.baseline))
          : baseline.status();
  if (!written.ok()) err << "coalcheck: " << std::string(written.message()) << '\n';
  return written.ok();
}

}  // namespace

int Report(const ReportOptions& options, std::ostream& out, std::ostream& err) {
  DiskSourceText sources;
  const absl::StatusOr<LoadedReport> loaded = LoadReport(options, sources);
  if (!loaded.ok()) {
    SayWhyNotLoaded(loaded.status(), err);
    return kUsage;
  }
  for (const std::string& note : loaded->notes) err << "coalcheck: " << note << '\n';
  const findings::Report& report = loaded->report;
  const verdict::Verdict verdict = verdict::Judge(report);
  if (!WriteAll(report, verdict, options, sources, out, err)) return kInternalError;
  if (options.tighten && !Tighten(options.baseline, report, err)) return kInternalError;
  return options.exit_zero ? kClean : verdict::ExitCode(verdict);
}

void AddReportCommand(CLI::App& app, SetExitCode set_exit_code) {
  auto options = std::make_shared<ReportOptions>();
  CLI::App* command = app.add_subcommand(
      "report", "Say which source lines waste sectors, from one or more recordings");
  command
      ->add_option("recordings", options->recordings,
                   "Recording folders, or folders of recordings (one for each rank)")
      ->type_name("RECORDING");
  AddReportOptions(*command, *options);
  command->footer(
      "With several formats, the first -o is for the first --format, and so on; what has no file\n"
      "goes to standard output.\n\n"
      "Exit codes: 0 every access is clean, 1 findings, 2 usage, 3 nothing was checked,\n"
      "4 the counters could not be collected or used in full, 5 internal error.");
  command->callback([options, set_exit_code = std::move(set_exit_code)] {
    options->out_is_terminal = isatty(STDOUT_FILENO) == 1;
    std::string problem = WhyNoOutput(*options);
    if (options->recordings.empty()) problem = "which recording? coalcheck report RECORDING…";
    if (!problem.empty()) std::cerr << "coalcheck: " << problem << '\n';
    set_exit_code(problem.empty() ? Report(*options, std::cout, std::cerr)
                                  : static_cast<int>(kUsage));
  });
}

}  // namespace coalcheck::cli
