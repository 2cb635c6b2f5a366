// SPDX-License-Identifier: Apache-2.0
//
// Compiled code on disk, and the launches that recordings know of it.
#pragma once

#include <absl/status/status.h>

#include <cstdint>
#include <string>
#include <vector>

#include "libcoalcheck/cubin/fatbin.h"
#include "libcoalcheck/findings/report.h"
#include "libcoalcheck/prediction/known_launches.h"
#include "libcoalcheck/prediction/predict_report.h"

namespace coalcheck::cli {

// A program with its libraries linked in can be this large.
inline constexpr std::uint64_t kMaxProgramBytes = std::uint64_t{16} << 30U;

// Images of the files that are not looked at.
class ImagesLeftOut {
 public:
  void Add(const std::string& file, const cubin::ProgramImage& image);
  // A sentence for each of the first, and one for all others.
  std::vector<std::string> Words() const;
  // The first that may be code; empty: nothing was lost.
  const std::string& lost() const { return lost_; }

 private:
  static constexpr std::size_t kMostNamed = 100;
  std::vector<std::string> named_;
  std::uint64_t others_ = 0;
  std::string lost_;
};

// Takes the cubins out of a program, object, library, fat binary or cubin. Error: why the file is
// none of these.
absl::Status AddProgram(const std::string& file, prediction::HeldCubins& cubins,
                        ImagesLeftOut& left_out);

// Of a recording folder, or a folder of recordings, which `recordings` gets.
absl::Status AddLaunchesOf(const std::string& path, prediction::KnownLaunches& launches,
                           std::vector<findings::RecordingInfo>& recordings);

}  // namespace coalcheck::cli
