// SPDX-License-Identifier: Apache-2.0
//
// A recording's tallies and losses as short texts, for tests to compare.
#pragma once

#include <string>
#include <vector>

#include "libcoalcheck/recording/recorded_run.h"

namespace coalcheck::testing {

// "kernel reason launches", one for each reason of each shape.
inline std::vector<std::string> Skips(const recording::RecordedRun& run) {
  std::vector<std::string> skips;
  for (const recording::Tally& tally : run.tallies) {
    for (const recording::Skipped& skipped : tally.skipped) {
      skips.push_back(tally.shape.kernel + " " + skipped.reason + " " +
                      std::to_string(skipped.launches.count()));
    }
  }
  return skips;
}

// "what: detail".
inline std::vector<std::string> Losses(const recording::RecordedRun& run) {
  std::vector<std::string> losses;
  for (const recording::Loss& loss : run.losses) losses.push_back(loss.what + ": " + loss.detail);
  return losses;
}

}  // namespace coalcheck::testing
