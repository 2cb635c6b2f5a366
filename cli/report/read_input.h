// SPDX-License-Identifier: Apache-2.0
//
// Finds and reads the recordings that a command line names.
#pragma once

#include <absl/status/statusor.h>

#include <memory>
#include <string>
#include <vector>

#include "cli/base/recordings.h"
#include "cli/report/report.h"
#include "cli/report/report_source_text.h"
#include "libcoalcheck/findings/sources/path_map.h"
#include "libcoalcheck/findings/sums/aggregate.h"
#include "libcoalcheck/findings/sums/selected.h"
#include "libcoalcheck/recording/recorded_run.h"

namespace coalcheck::cli {

// The sums of recordings, and where their cubins are.
struct Input {
  findings::Aggregate aggregate;
  std::vector<std::string> folders;  // of the recordings, as the aggregate has them
  std::vector<std::unique_ptr<FolderCubins>> cubins;  // of each
  bool selected_some = false;                         // of their launches
  std::vector<recording::RecordedRun> runs;           // only to be grouped
  std::size_t grouped_rows = 0;                       // of their windows
  std::vector<std::string> notes;                     // why a launch recorded nothing
};

findings::PathMap MakePathMap(const std::vector<std::string>& rules);

bool IsGroupedByRange(const ReportOptions& options);

class InputReader {
 public:
  // Error: what is wrong with --kernel or --nvtx-include. `options` must live on.
  static absl::StatusOr<InputReader> Make(const ReportOptions& options);

  // All recordings that the options name. `sources` is given the text that they hold.
  absl::StatusOr<Input> ReadAll(ReportSourceText& sources) const;
  // The one in `folder`, for its sums alone.
  absl::StatusOr<Input> ReadOne(const std::string& folder, ReportSourceText& sources) const;

 private:
  InputReader(const ReportOptions& options, findings::Selected selected);

  // Adds what was read of the recording in a folder.
  absl::Status Add(const std::string& folder, recording::RecordedRun run, bool is_held,
                   ReportSourceText& sources, Input& input) const;

  const ReportOptions& options_;
  findings::Selected selected_;
  findings::PathMap map_;
};

}  // namespace coalcheck::cli
