// SPDX-License-Identifier: Apache-2.0
//
// Reads one recording after the other. The merged recording gets its name when it is complete.
#include "cli/commands/merge.h"

#include <absl/container/flat_hash_set.h>
#include <absl/status/status.h>
#include <fmt/format.h>

#include <cstdint>
#include <filesystem>
#include <iostream>
#include <memory>
#include <set>
#include <system_error>
#include <utility>

#include "cli/base/recordings.h"
#include "cli/base/repository.h"
#include "cli/base/say.h"
#include "cli/commands/commands.h"
#include "cli/report/report_options.h"
#include "cli/syntax/command_line.h"
#include "libcoalcheck/findings/words/words.h"
#include "libcoalcheck/merging/merger.h"
#include "libcoalcheck/merging/records_in_order.h"
#include "libcoalcheck/recording/json_line.h"
#include "libcoalcheck/recording/writer.h"

namespace coalcheck::cli {
namespace {

namespace fs = std::filesystem;
using recording::RecordedRun;

constexpr const char* kUnfinished = ".part";

// The code of all recordings, each cubin once.
class CubinCopies {
 public:
  explicit CubinCopies(recording::Writer& to) : to_(to) {}

  // Copies the cubins of `run`, which lies in `folder`, that are not there yet. False: one could
  // not be written.
  bool Take(const std::string& folder, const RecordedRun& run) {
    FolderCubins cubins(folder);
    for (const CubinId id : NamedIn(run)) {
      if (stored_.contains(id)) continue;
      const absl::StatusOr<std::string> bytes = cubins.Load(id);
      // A cubin that is missing or altered here may be intact beside another recording.
      if (!bytes.ok() || HashCubin(*bytes) != id) {
        missing_.insert(id);
        continue;
      }
      if (!to_.StoreCubin(id, *bytes)) return false;
      stored_.insert(id);
      missing_.erase(id);
    }
    return true;
  }
  const std::set<CubinId>& missing() const { return missing_; }

 private:
  static std::set<CubinId> NamedIn(const RecordedRun& run) {
    std::set<CubinId> ids;
    for (const recording::Module& module : run.modules) ids.insert(module.cubin);
    for (const recording::Window& window : run.windows) {
      for (const recording::FunctionCounts& function : window.functions) {
        if (function.cubin) ids.insert(*function.cubin);
      }
    }
    return ids;
  }

  recording::Writer& to_;
  std::set<CubinId> stored_;
  std::set<CubinId> missing_;
};

struct Merging {
  merging::Merger merger;
  std::string own;                        // the folder that is being written
  absl::flat_hash_set<Fingerprint> seen;  // of IdentityOf(), short as there may be very many
  std::uint64_t recordings = 0;
  std::uint64_t unread = 0;
};

// Error: the message of the system.
absl::Status TakeRecording(const std::string& folder, Merging& merging, CubinCopies& cubins,
                           std::ostream& err) {
  std::error_code error;
  if (fs::equivalent(folder, merging.own, error)) return absl::OkStatus();
  const Fingerprint identity = FingerprintOf(IdentityOf(folder));
  if (merging.seen.contains(identity)) {
    Say(err, fmt::format("{} is named twice and read once", words::Printable(folder)));
    return absl::OkStatus();
  }
  const absl::StatusOr<RecordedRun> run = ReadRecording(folder);
  if (!run.ok()) {
    const std::string why(run.status().message());
    Say(err, fmt::format("not merged: {}", words::Printable(why)));
    merging.merger.AddUnread(folder, why);
    ++merging.unread;
    return absl::OkStatus();
  }
  merging.seen.insert(identity);
  if (!cubins.Take(folder, *run)) return absl::ResourceExhaustedError("");
  merging.merger.Add(*run);
  ++merging.recordings;
  return absl::OkStatus();
}

// `*too_long`: records that no recording can hold, which the merged one says it lost.
bool Write(const RecordedRun& merged, recording::Writer& writer, std::uint64_t* too_long) {
  const auto put = [&](std::string_view kind, const std::string& line) {
    if (kind == "header" || line.size() <= recording::kMaxLineBytes) {
      return writer.AppendLine(line, kind);
    }
    ++*too_long;
    return true;
  };
  if (!merging::ForEachLineInOrder(merged, put)) return false;
  if (*too_long > 0 &&
      !writer.Append(recording::Loss{"window_lost", "longer than a record may be", *too_long})) {
    return false;
  }
  return writer.Append(*merged.end);
}

void SayWhatIsMissing(const CubinCopies& cubins, std::ostream& err) {
  if (cubins.missing().empty()) return;
  Say(err, fmt::format("{} missing or altered: its counts have no source lines",
                       words::Count(cubins.missing().size(), "cubin is", "cubins are")));
}

int WriteFailed(const recording::Writer& writer, std::ostream& err) {
  Say(err, fmt::format("not merged: {}", words::Printable(writer.last_error())));
  return kInternalError;
}

// Fills the folder of `writer`.
int MergeInto(recording::Writer& writer, const MergeOptions& options, std::ostream& err) {
  Merging merging;
  merging.own = writer.folder();
  CubinCopies cubins(writer);
  for (const std::string& path : options.recordings) {
    const absl::Status taken = ForEachRecording(path, [&](const std::string& folder) {
      return TakeRecording(folder, merging, cubins, err);
    });
    if (taken.code() == absl::StatusCode::kResourceExhausted) return WriteFailed(writer, err);
    if (!taken.ok()) {
      Say(err, words::Printable(std::string(taken.message())));
      return kUsage;
    }
  }
  if (merging.recordings == 0) {
    Say(err, "nothing is merged: no recording could be read");
    return kUsage;
  }
  const RecordedRun merged = std::move(merging.merger).Finish();
  std::uint64_t too_long = 0;
  if (!Write(merged, writer, &too_long)) return WriteFailed(writer, err);
  if (too_long > 0) {
    Say(err, fmt::format("{} longer than a recording can hold: not merged",
                         words::Count(too_long, "record is", "records are")));
  }
  SayWhatIsMissing(cubins, err);
  Say(err, fmt::format("{} {} merged into {}", words::Grouped(merged.header.merged),
                       merged.header.merged == 1 ? "recording is" : "recordings are",
                       words::Printable(options.output)));
  return merging.unread > 0 || too_long > 0 ? kCouldNotCollect : kClean;
}

}  // namespace

int Merge(const MergeOptions& options, std::ostream& err) {
  std::error_code error;
  const std::string unfinished = options.output + kUnfinished;
  for (const std::string& folder : {options.output, unfinished}) {
    if (!fs::exists(fs::symlink_status(folder, error))) continue;
    Say(err, fmt::format("{} exists: a recording is never overwritten; name another folder",
                         words::Printable(folder)));
    return kUsage;
  }
  if (const std::string why = WhyOutOfRepository(options.output); !why.empty()) {
    Say(err, words::Printable(fmt::format("{}: {}; name a folder there", options.output, why)));
    return kUsage;
  }
  const Result<std::unique_ptr<recording::Writer>> writer = recording::Writer::Create(unfinished);
  if (!writer.ok()) {
    Say(err, words::Printable(writer.error()));
    return kInternalError;
  }
  const int exit_code = MergeInto(*writer.value(), options, err);
  if (exit_code == kClean || exit_code == kCouldNotCollect) {
    fs::rename(unfinished, options.output, error);
    if (!error) return exit_code;
    Say(err, fmt::format("cannot make {}: {}", words::Printable(options.output), error.message()));
    return kInternalError;
  }
  fs::remove_all(unfinished, error);
  return exit_code;
}

void AddMergeCommand(Command& coalcheck, SetExitCode set_exit_code) {
  auto options = std::make_shared<MergeOptions>();
  Command command =
      coalcheck.AddCommand("merge", "Make one recording of many, as of the ranks of a job");
  command.Add("output", &options->output, "The merged recording: a folder that is not there yet")
      .Required()
      .Takes("OUT");
  command
      .Add("recordings", &options->recordings,
           "Recordings, merged ones too, or folders of recordings")
      .Required()
      .Takes("RECORDING");
  AddCpuLimit(command);
  command.Footer(
      "In any order and in any groups, the result is the same: merge on each machine, then once\n"
      "more. What takes a recording takes a merged one.\n\n"
      "Exit codes: 0 merged, 2 usage, or no recording could be read, 4 merged but for what could\n"
      "not be read, 5 it could not be written.");
  command.OnParsed([options, set_exit_code = std::move(set_exit_code)] {
    set_exit_code(Merge(*options, std::cerr));
  });
}

}  // namespace coalcheck::cli
