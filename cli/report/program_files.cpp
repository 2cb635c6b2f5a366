// SPDX-License-Identifier: Apache-2.0
//
// Reads a file image by image.
#include "cli/report/program_files.h"

#include <fmt/format.h>

#include <string_view>
#include <utility>

#include "cli/base/foreign_file.h"
#include "cli/base/recordings.h"
#include "libcoalcheck/base/ids.h"
#include "libcoalcheck/cubin/fatbin.h"
#include "libcoalcheck/cubin/ptx_file.h"
#include "libcoalcheck/findings/sums/aggregate.h"

namespace coalcheck::cli {

void ImagesLeftOut::Add(const std::string& file, const cubin::ProgramImage& image) {
  const bool is_first_lost = image.is_lost && lost_.empty();
  if (named_.size() == kMostNamed && !is_first_lost) {
    ++others_;
    return;
  }
  const std::string sm = image.sm == 0 ? "" : fmt::format(" for sm_{}", image.sm);
  std::string words =
      fmt::format("{}: an image{} was not looked at: {}", file, sm, image.skipped_reason);
  if (is_first_lost) lost_ = words;
  named_.push_back(std::move(words));
}

std::vector<std::string> ImagesLeftOut::Words() const {
  std::vector<std::string> words = named_;
  if (others_ > 0) words.push_back(fmt::format("{} more images were not looked at", others_));
  return words;
}

absl::Status AddProgram(const std::string& file, prediction::HeldCubins& cubins,
                        ImagesLeftOut& left_out) {
  const auto mapped = MapFile(file, kMaxProgramBytes);
  if (!mapped.ok()) return mapped.status();
  const std::string_view bytes = (*mapped)->bytes();
  if (cubin::IsPtxText(bytes)) {
    // NVRTC's text ends with NUL.
    const std::string_view text = bytes.substr(0, bytes.find_last_not_of('\0') + 1);
    cubins.Add(HashCubin(text), std::string(text), file);
    return absl::OkStatus();
  }
  if (!cubin::MayHoldImages(bytes)) {
    return absl::InvalidArgumentError(fmt::format(
        "{}: neither a cubin nor PTX nor a program, but {}", file, cubin::DescribeContent(bytes)));
  }
  const absl::Status status = cubin::VisitProgramImages(bytes, [&](cubin::ProgramImage image) {
    if (!image.skipped_reason.empty()) return left_out.Add(file, image);
    const CubinId id = HashCubin(image.cubin);
    cubins.Add(id, std::move(image.cubin), file);
  });
  if (status.ok()) return status;
  return absl::InvalidArgumentError(fmt::format("{}: {}", file, std::string(status.message())));
}

absl::Status AddLaunchesOf(const std::string& path, prediction::KnownLaunches& launches,
                           std::vector<findings::RecordingInfo>& recordings) {
  const absl::StatusOr<std::vector<std::string>> folders = FindRecordings(path);
  if (!folders.ok()) return folders.status();
  for (const std::string& folder : *folders) {
    const absl::StatusOr<recording::RecordedRun> run = ReadRecording(folder);
    if (!run.ok()) return run.status();
    recordings.push_back(findings::Describe(folder, *run));
    prediction::AddLaunches(*run, path, launches);
  }
  return absl::OkStatus();
}

}  // namespace coalcheck::cli
