// SPDX-License-Identifier: Apache-2.0
//
// Baselines on disk.
#pragma once

#include <absl/status/statusor.h>

#include <string>

#include "libcoalcheck/comparison/baseline.h"
#include "libcoalcheck/findings/report.h"

namespace coalcheck::cli {

absl::StatusOr<comparison::Baseline> ReadBaselineFile(const std::string& file);

// Replaces the file in one step, so that it is never half written; a link is followed. Error: an
// invalid argument where another kind of file is there; else why it cannot be written.
absl::Status WriteBaselineFile(const std::string& file, const comparison::Baseline& baseline);

// Compares `report` with the baseline in `file`.
absl::Status ApplyBaselineFile(const std::string& file, findings::Report& report);

}  // namespace coalcheck::cli
