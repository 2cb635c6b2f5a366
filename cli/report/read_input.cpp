// SPDX-License-Identifier: Apache-2.0
//
// Reads one recording after the other, once each however it is called.
#include "cli/report/read_input.h"

#include <fmt/format.h>

#include <set>
#include <utility>

#include "libcoalcheck/findings/words/words.h"

namespace coalcheck::cli {
namespace {

// The folder of a launch is removed after the report, so its process is named instead.
std::string NameOf(const std::string& folder, const recording::Header& header, bool launched) {
  if (!launched) return folder;
  return fmt::format("{} (pid {})", header.program.substr(header.program.rfind('/') + 1),
                     header.pid);
}

// Counts of an instruction in a window that are held at once, to be grouped; each takes some 400
// bytes with the sums that are made of it.
constexpr std::size_t kMostGroupedRows = 2'000'000;

std::size_t RowsIn(const recording::RecordedRun& run) {
  std::size_t rows = 0;
  for (const recording::Window& window : run.windows) {
    for (const recording::FunctionCounts& function : window.functions) rows += function.rows.size();
  }
  return rows;
}

absl::Status Hold(recording::RecordedRun run, const std::string& name, Input& input) {
  input.grouped_rows += RowsIn(run);
  if (input.grouped_rows > kMostGroupedRows) {
    return absl::InvalidArgumentError(fmt::format(
        "--group-by range is for at most {} counts of an instruction in a window: with {} there "
        "are {}; select some with --kernel or --nvtx-include",
        words::Grouped(kMostGroupedRows), words::Printable(name),
        words::Grouped(input.grouped_rows)));
  }
  findings::AddRun(name, run, input.aggregate);
  input.runs.push_back(std::move(run));
  return absl::OkStatus();
}

}  // namespace

bool IsGroupedByRange(const ReportOptions& options) { return options.group_by == "range"; }

findings::PathMap MakePathMap(const std::vector<std::string>& rules) {
  findings::PathMap map;
  for (const std::string& rule : rules) {
    const std::size_t equals = rule.find('=');
    map.Add(rule.substr(0, equals), rule.substr(equals + 1));
  }
  return map;
}

InputReader::InputReader(const ReportOptions& options, findings::Selected selected)
    : options_(options), selected_(std::move(selected)), map_(MakePathMap(options.path_maps)) {}

absl::StatusOr<InputReader> InputReader::Make(const ReportOptions& options) {
  Result<findings::Selected> selected = findings::ParseSelected(options.kernels, options.ranges);
  if (!selected.ok()) return absl::InvalidArgumentError(selected.error());
  return InputReader(options, std::move(selected).value());
}

absl::Status InputReader::Add(const std::string& folder, recording::RecordedRun run, bool is_held,
                              ReportSourceText& sources, Input& input) const {
  findings::KeepSelected(selected_, run);
  input.selected_some = input.selected_some || !run.windows.empty() || !run.tallies.empty();
  for (recording::Source& source : run.sources) sources.Add(std::move(source), map_);
  input.folders.push_back(folder);
  input.cubins.push_back(std::make_unique<FolderCubins>(folder));
  const std::string name = NameOf(folder, run.header, options_.launch.has_value());
  if (is_held) return Hold(std::move(run), name, input);
  findings::AddRun(name, std::move(run), input.aggregate);
  return absl::OkStatus();
}

absl::StatusOr<Input> InputReader::ReadOne(const std::string& folder,
                                           ReportSourceText& sources) const {
  absl::StatusOr<recording::RecordedRun> run = ReadRecording(folder);
  if (!run.ok()) return run.status();
  Input input;
  const absl::Status added = Add(folder, *std::move(run), /*is_held=*/false, sources, input);
  if (!added.ok()) return added;
  return input;
}

absl::StatusOr<Input> InputReader::ReadAll(ReportSourceText& sources) const {
  Input input;
  input.aggregate.launch = options_.launch;
  input.selected_some = selected_.everything();
  std::set<std::string> seen;
  for (const std::string& path : options_.recordings) {
    if (path.empty()) return absl::InvalidArgumentError("the name of a recording is empty");
    const absl::StatusOr<std::vector<std::string>> folders = FindRecordings(path);
    if (!folders.ok()) return folders.status();
    if (folders->empty()) {
      for (const std::string& line : ReadNothingRecorded(path)) {
        input.notes.push_back(words::Printable(fmt::format("{}: {}", path, line)));
      }
    }
    for (const std::string& folder : *folders) {
      const std::string identity = IdentityOf(folder);
      if (seen.contains(identity)) continue;
      absl::StatusOr<recording::RecordedRun> run = ReadRecording(folder);
      if (!run.ok()) {  // the other recordings are read all the same
        input.aggregate.unreadable.push_back({folder, std::string(run.status().message())});
        continue;
      }
      seen.insert(identity);
      const absl::Status added =
          Add(folder, *std::move(run), IsGroupedByRange(options_), sources, input);
      if (!added.ok()) return added;
    }
  }
  if (!input.selected_some) {
    input.notes.push_back("--kernel and --nvtx-include select none of the launches recorded");
  }
  return input;
}

}  // namespace coalcheck::cli
