// SPDX-License-Identifier: Apache-2.0
//
// Puts the records of one recording where they belong, or says why not.
#pragma once

#include <absl/container/flat_hash_set.h>

#include <map>
#include <optional>
#include <string>
#include <utility>

#include "libcoalcheck/recording/lines.h"
#include "libcoalcheck/recording/recorded_run.h"

namespace coalcheck::recording {

class RunCollector {
 public:
  // `header` was found on line `header_line`, which TakeLine() then passes over.
  RunCollector(Header header, std::uint64_t header_line);

  void TakeLine(const Line& line);
  RecordedRun Finish() &&;

 private:
  // Empty when the record was taken.
  using Refusal = std::optional<LineLoss>;
  Refusal Take(Header& header);
  Refusal Take(Device& device);
  Refusal Take(Module& module);
  Refusal Take(Window& window);
  Refusal Take(Tally& tally);
  Refusal Take(Loss& loss);
  Refusal Take(End& end);
  void Lose(LineLoss why, const Line& line, const std::string& detail);

  RecordedRun run_;
  const std::uint64_t header_line_;
  absl::flat_hash_set<WindowId> windows_;
  std::map<LaunchShape, std::size_t> tallies_;  // index in run_.tallies
  std::map<std::pair<std::string, std::string>, std::size_t> losses_;
  std::map<LineLoss, LostLines> lost_;
};

}  // namespace coalcheck::recording
