// SPDX-License-Identifier: Apache-2.0
//
// Compiled code on disk, and the launches that recordings know of it.
#pragma once

#include <absl/status/status.h>

#include <cstdint>
#include <string>
#include <vector>

#include "libcoalcheck/findings/report.h"
#include "libcoalcheck/prediction/known_launches.h"
#include "libcoalcheck/prediction/predict_report.h"

namespace coalcheck::cli {

// A program with its libraries linked in can be this large.
inline constexpr std::uint64_t kMaxProgramBytes = std::uint64_t{16} << 30U;

// Takes the cubins out of a program, object, library, fat binary or cubin. `skipped` gets a
// sentence for each image that cannot be read. Error: why the file is none of these.
absl::Status AddProgram(const std::string& file, prediction::HeldCubins& cubins,
                        std::vector<std::string>& skipped);

// Of a recording folder, or a folder of recordings, which `recordings` gets.
absl::Status AddLaunchesOf(const std::string& path, prediction::KnownLaunches& launches,
                           std::vector<findings::RecordingInfo>& recordings);

}  // namespace coalcheck::cli
