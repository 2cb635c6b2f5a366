// SPDX-License-Identifier: Apache-2.0
//
// Tallies, and the windows that may know more than they.
#include "libcoalcheck/findings/launches.h"

#include <algorithm>

namespace coalcheck::findings {

std::map<recording::LaunchShape, ShapeLaunches> LaunchesOf(const recording::RecordedRun& run) {
  std::map<recording::LaunchShape, ShapeLaunches> shapes;
  for (const recording::Tally& tally : run.tallies) {
    shapes[tally.shape].seen = tally.launches;
    shapes[tally.shape].counted = tally.counted;
  }
  for (const recording::Window& window : run.windows) {
    for (const recording::LaunchesInside& one : window.inside) {
      shapes[one.shape].inside += one.launches;
    }
  }
  for (auto& [shape, launches] : shapes) launches.seen = std::max(launches.seen, launches.inside);
  return shapes;
}

}  // namespace coalcheck::findings
