// SPDX-License-Identifier: Apache-2.0
//
// Reads, finds, judges, prints.
#include "cli/report.h"

#include <unistd.h>

#include <CLI/CLI.hpp>
#include <cmath>
#include <cstdlib>
#include <fstream>
#include <iostream>
#include <memory>
#include <utility>

#include "cli/commands.h"
#include "cli/disk_source_text.h"
#include "cli/option_help.h"
#include "cli/recordings.h"
#include "cli/source_root.h"
#include "libcoalcheck/findings/make_report.h"
#include "libcoalcheck/findings/stored_code.h"
#include "libcoalcheck/output/json_writer.h"
#include "libcoalcheck/output/text_writer.h"
#include "libcoalcheck/verdict/verdict.h"

namespace coalcheck::cli {
namespace {

// The sums of all recordings, and where their cubins are.
struct Input {
  findings::Aggregate aggregate;
  std::vector<std::unique_ptr<FolderCubins>> cubins;
};

absl::StatusOr<Input> ReadInput(const std::vector<std::string>& paths) {
  Input input;
  for (const std::string& path : paths) {
    const absl::StatusOr<std::vector<std::string>> folders = FindRecordings(path);
    if (!folders.ok()) return folders.status();
    for (const std::string& folder : *folders) {
      const absl::StatusOr<recording::RecordedRun> run = ReadRecording(folder);
      if (!run.ok()) return run.status();
      findings::AddRun(folder, *run, input.aggregate);
      input.cubins.push_back(std::make_unique<FolderCubins>(folder));
    }
  }
  return input;
}

findings::PathMap MakePathMap(const std::vector<std::string>& rules) {
  findings::PathMap map;
  for (const std::string& rule : rules) {
    const std::size_t equals = rule.find('=');
    map.Add(rule.substr(0, equals), rule.substr(equals + 1));
  }
  return map;
}

bool WantsColor(const std::string& color, bool to_stdout) {
  if (color != "auto") return color == "always";
  const char* terminal = std::getenv("TERM");
  const bool dumb = terminal == nullptr || std::string_view(terminal) == "dumb";
  return to_stdout && !dumb && std::getenv("NO_COLOR") == nullptr && isatty(STDOUT_FILENO) == 1;
}

std::unique_ptr<output::Writer> MakeWriter(const std::string& format, const ReportOptions& options,
                                           bool to_stdout, cubin::SourceText& sources) {
  if (format == "json") return std::make_unique<output::JsonWriter>();
  return std::make_unique<output::TextWriter>(
      sources, output::TextOptions{options.print_limit, WantsColor(options.color, to_stdout)});
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
    if (to_file) file.open(options.outputs[i], std::ios::binary | std::ios::trunc);
    std::ostream& stream = to_file ? file : out;
    stream << text << std::flush;
    if (stream.good()) continue;
    err << "coalcheck: cannot write the report to "
        << (to_file ? options.outputs[i] : "standard output") << '\n';
    return false;
  }
  return true;
}

// CLI::Range lets through what is neither below nor above it, and nothing wastes more than NaN.
std::string RefuseNan(const std::string& text) {
  return std::isnan(std::strtod(text.c_str(), nullptr)) ? text + " is no number" : std::string();
}

void AddOptions(CLI::App& command, ReportOptions& options) {
  command
      .add_option("recordings", options.recordings,
                  "Recording folders, or folders of recordings (one for each rank)")
      ->required()
      ->type_name("RECORDING");
  AddTableOption(command, "format", options.formats)->check(CLI::IsMember({"text", "json"}));
  AddTableOption(command, "output", options.outputs, "-o");
  AddTableOption(command, "source-root", options.source_root);
  AddTableOption(command, "path-map", options.path_maps)->check([](const std::string& rule) {
    const std::size_t equals = rule.find('=');
    const bool good = equals != std::string::npos && equals > 0;
    return good ? std::string() : "expected OLD=NEW, not \"" + rule + "\"";
  });
  AddTableOption(command, "min-wasted-share", options.min_wasted_share_percent)
      ->check(CLI::Range(0.0, 100.0))
      ->check(RefuseNan);
  AddTableOption(command, "print-limit", options.print_limit);
  AddTableOption(command, "color", options.color)
      ->check(CLI::IsMember({"auto", "always", "never"}));
  command.add_flag("--exit-zero", options.exit_zero, "exit with 0 whatever was found: only report");
}

}  // namespace

int Report(const ReportOptions& options, std::ostream& out, std::ostream& err) {
  absl::StatusOr<Input> input = ReadInput(options.recordings);
  if (!input.ok()) {
    err << "coalcheck: " << std::string(input.status().message()) << '\n';
    return kUsage;
  }
  std::vector<findings::CubinStore*> stores;
  for (const auto& cubins : input->cubins) stores.push_back(cubins.get());
  findings::StoredCode code(std::move(stores));
  DiskSourceText sources;
  const findings::SourceView source{
      {ResolveSourceRoot(options.source_root)}, MakePathMap(options.path_maps), sources};
  const findings::Report report = findings::MakeReport(std::move(input->aggregate), code, source,
                                                       options.min_wasted_share_percent / 100);
  const verdict::Verdict verdict = verdict::Judge(report);
  if (!WriteAll(report, verdict, options, sources, out, err)) return kInternalError;
  return options.exit_zero ? kClean : static_cast<int>(verdict.outcome);
}

void AddReportCommand(CLI::App& app, SetExitCode set_exit_code) {
  auto options = std::make_shared<ReportOptions>();
  CLI::App* command = app.add_subcommand(
      "report", "Say which source lines waste sectors, from one or more recordings");
  AddOptions(*command, *options);
  command->footer(
      "With several formats, the first -o is for the first --format, and so on; what has no file\n"
      "goes to standard output.\n\n"
      "Exit codes: 0 every access is clean, 1 findings, 2 usage, 3 nothing was checked,\n"
      "4 the counters could not be collected or used in full, 5 internal error.");
  command->callback([options, set_exit_code = std::move(set_exit_code)] {
    const std::size_t formats = std::max<std::size_t>(options->formats.size(), 1);
    if (options->outputs.size() > formats) {
      throw CLI::ValidationError("--output", "more files than formats");
    }
    set_exit_code(Report(*options, std::cout, std::cerr));
  });
}

}  // namespace coalcheck::cli
