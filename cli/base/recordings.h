// SPDX-License-Identifier: Apache-2.0
//
// Recordings on disk: which folders there are, their records, their cubins.
#pragma once

#include <absl/status/statusor.h>

#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "libcoalcheck/findings/sources/code.h"
#include "libcoalcheck/recording/recorded_run.h"

namespace coalcheck::cli {

// Lies in the folder of a launch without a recording, and says why there is none: a sentence a
// line.
inline constexpr const char* kNothingRecordedFile = "nothing-recorded.txt";

// The recording folders that `path` means: itself, the folder of a records.jsonl, or, for a folder
// of recordings (one for each rank), all in it, sorted; of a recording that others lie in, both.
// Among them are links to nothing, and folders that lost their records or may not be looked into.
// Empty and ok: a launch left the folder to say that nothing was recorded.
absl::StatusOr<std::vector<std::string>> FindRecordings(const std::string& path);

// Whether the folder holds a recording, or what is left of one that lost its records.
bool HoldsPartsOfRecording(const std::string& folder);

// Calls `take` with each of them, in no order, for folders of very many recordings. Returns the
// first error of `take`.
absl::Status ForEachRecording(const std::string& path,
                              const std::function<absl::Status(const std::string& folder)>& take);

// Reads the records of one recording folder. Messages begin with the folder.
absl::StatusOr<recording::RecordedRun> ReadRecording(const std::string& folder);

// Why a launch recorded nothing in this folder; empty when that is not known.
std::vector<std::string> ReadNothingRecorded(const std::string& folder);

// One text for all paths that lead to this recording folder, and for no other folder. Records that
// are a link, which is not followed, are not those it leads to.
std::string IdentityOf(const std::string& folder);

// The cubins of one recording folder.
class FolderCubins : public findings::CubinStore {
 public:
  explicit FolderCubins(std::string folder) : folder_(std::move(folder)) {}
  absl::StatusOr<std::string> Load(CubinId id) override;

 private:
  std::string folder_;
};

}  // namespace coalcheck::cli
