// SPDX-License-Identifier: Apache-2.0
//
// Tallies, and the windows that may know more than they.
#include "libcoalcheck/recording/shape_launches.h"

#include <algorithm>

namespace coalcheck::recording {

std::map<LaunchShape, ShapeLaunches> LaunchesOf(const RecordedRun& run) {
  std::map<LaunchShape, ShapeLaunches> shapes;
  for (const Tally& tally : run.tallies) {
    shapes[tally.shape].seen = tally.launches;
    shapes[tally.shape].counted = tally.counted;
  }
  for (const Window& window : run.windows) {
    for (const LaunchesInside& one : window.inside) {
      shapes[one.shape].inside += one.launches;
    }
  }
  for (auto& [shape, launches] : shapes) launches.seen = std::max(launches.seen, launches.inside);
  return shapes;
}

}  // namespace coalcheck::recording
