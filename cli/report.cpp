// SPDX-License-Identifier: Apache-2.0
//
// Reads, finds, judges, prints.
#include "cli/report.h"

#include <fmt/format.h>
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <fstream>
#include <iostream>
#include <memory>
#include <set>
#include <utility>

#include "cli/color.h"
#include "cli/commands.h"
#include "cli/disk_source_text.h"
#include "cli/recordings.h"
#include "cli/report_options.h"
#include "cli/source_root.h"
#include "libcoalcheck/findings/by_range.h"
#include "libcoalcheck/findings/make_report.h"
#include "libcoalcheck/findings/stored_code.h"
#include "libcoalcheck/findings/words.h"
#include "libcoalcheck/output/json_writer.h"
#include "libcoalcheck/output/text_summary.h"
#include "libcoalcheck/output/text_writer.h"
#include "libcoalcheck/verdict/verdict.h"

namespace coalcheck::cli {
namespace {

// The sums of all recordings, and where their cubins are.
struct Input {
  findings::Aggregate aggregate;
  std::vector<recording::RecordedRun> runs;  // only to be grouped
  std::vector<std::string> notes;            // why a launch recorded nothing
  std::vector<std::unique_ptr<FolderCubins>> cubins;
};

// A launch's folder goes with the report; its process is what a reader knows.
std::string NameOf(const std::string& folder, const recording::Header& header, bool launched) {
  if (!launched) return folder;
  return fmt::format("{} (pid {})", header.program.substr(header.program.rfind('/') + 1),
                     header.pid);
}

bool IsGrouped(const ReportOptions& options) { return options.group_by == "range"; }

absl::StatusOr<Input> ReadInput(const ReportOptions& options) {
  Input input;
  input.aggregate.launch = options.launch;
  std::set<std::string> seen;
  for (const std::string& path : options.recordings) {
    const absl::StatusOr<std::vector<std::string>> folders = FindRecordings(path);
    if (!folders.ok()) return folders.status();
    if (folders->empty()) {
      for (const std::string& line : ReadNothingRecorded(path)) {
        input.notes.push_back(words::Printable(fmt::format("{}: {}", path, line)));
      }
    }
    for (const std::string& folder : *folders) {
      if (!seen.insert(IdentityOf(folder)).second) continue;
      absl::StatusOr<recording::RecordedRun> run = ReadRecording(folder);
      if (run.ok()) {
        findings::AddRun(NameOf(folder, run->header, options.launch.has_value()), *run,
                         input.aggregate);
        input.cubins.push_back(std::make_unique<FolderCubins>(folder));
        if (IsGrouped(options)) input.runs.push_back(*std::move(run));
      } else {  // one among many does not cost the others
        input.aggregate.unreadable.push_back({folder, std::string(run.status().message())});
      }
    }
  }
  return input;
}

// Where none of the recordings that were named could be read there is nothing to report on.
bool IsUnusable(const Input& input, const ReportOptions& options) {
  return !options.launch && input.aggregate.recordings.empty() &&
         !input.aggregate.unreadable.empty();
}

findings::PathMap MakePathMap(const std::vector<std::string>& rules) {
  findings::PathMap map;
  for (const std::string& rule : rules) {
    const std::size_t equals = rule.find('=');
    map.Add(rule.substr(0, equals), rule.substr(equals + 1));
  }
  return map;
}

findings::Policy PolicyOf(const ReportOptions& options) {
  return {.min_wasted_share = options.min_wasted_share_percent / 100,
          .scope = options.scope == "all" ? findings::Scope::kAll : findings::Scope::kUser};
}

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

}  // namespace

int Report(const ReportOptions& options, std::ostream& out, std::ostream& err) {
  absl::StatusOr<Input> input = ReadInput(options);
  if (!input.ok()) {
    err << "coalcheck: " << std::string(input.status().message()) << '\n';
    return kUsage;
  }
  if (IsUnusable(*input, options)) {
    for (const findings::Unreadable& one : input->aggregate.unreadable) {
      err << "coalcheck: " << one.why << '\n';
    }
    return kUsage;
  }
  for (const std::string& note : input->notes) err << "coalcheck: " << note << '\n';
  std::vector<findings::CubinStore*> stores;
  for (const auto& cubins : input->cubins) stores.push_back(cubins.get());
  findings::StoredCode code(std::move(stores));
  DiskSourceText sources;
  const findings::SourceView source{
      {ResolveSourceRoot(options.source_root)}, MakePathMap(options.path_maps), sources};
  findings::Report report =
      findings::MakeReport(std::move(input->aggregate), code, source, PolicyOf(options));
  if (IsGrouped(options)) findings::GroupByRange(input->runs, code, source, report);
  const verdict::Verdict verdict = verdict::Judge(report);
  if (!WriteAll(report, verdict, options, sources, out, err)) return kInternalError;
  return options.exit_zero ? kClean : static_cast<int>(verdict.outcome);
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
