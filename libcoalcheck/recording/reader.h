// SPDX-License-Identifier: Apache-2.0
//
// Reads records.jsonl from anywhere: a killed process, a full disk, a stranger.
#pragma once

#include <absl/status/statusor.h>

#include <string_view>

#include "libcoalcheck/recording/recorded_run.h"

namespace coalcheck::recording {

// A row's values: record, functions, function, rows, row.
inline constexpr int kMaxDepth = 8;

// The content of a records.jsonl. A line that cannot be used costs that line and is counted in
// lost_lines; the order of the lines does not matter, with two exceptions: the first header counts,
// and of two windows with one number the first. Lines that are empty are skipped.
//
// Errors: kInvalidArgument when no line is a header of a coalcheck recording, kUnimplemented when
// that header's major version is not one this reader knows.
absl::StatusOr<RecordedRun> ParseRecords(std::string_view bytes);

}  // namespace coalcheck::recording
