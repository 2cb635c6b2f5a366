// SPDX-License-Identifier: Apache-2.0
//
// The counts of one request, as far as sums over many requests tell them.
#pragma once

#include <cstdint>

#include "libcoalcheck/base/counts.h"
#include "libcoalcheck/base/units.h"
#include "libcoalcheck/patterns/evidence.h"

namespace coalcheck::patterns {

struct Averages {
  explicit Averages(const Evidence& evidence)
      : width(evidence.width.count()),
        requests(evidence.counts.requests.count()),
        lanes(Per(evidence.counts.lanes, evidence.counts.requests)),
        sectors(Per(evidence.counts.sectors, evidence.counts.requests)),
        ideal(Per(evidence.counts.ideal, evidence.counts.requests)),
        lines(Per(evidence.counts.lines, evidence.counts.requests)),
        clean(evidence.counts.sectors == evidence.counts.ideal),
        full(evidence.counts.lanes.count() == requests * kWarpSize),
        lane_each(evidence.counts.sectors.count() == evidence.counts.lanes.count()),
        line_each(evidence.counts.lines.count() == evidence.counts.lanes.count()) {
    const auto divides = [&](auto sum) { return requests > 0 && sum.count() % requests == 0; };
    alike = divides(evidence.counts.lanes) && divides(evidence.counts.sectors) &&
            divides(evidence.counts.ideal) && divides(evidence.counts.lines);
  }

  // Sectors that the bytes asked for would fill, not rounded.
  double Packed() const {
    return lanes * static_cast<double>(width) / static_cast<double>(kSectorSize.count());
  }

  // Whether what missing lanes would have used is the larger part of what consecutive lanes waste;
  // the rest is where they begin.
  bool LackingLanesExplainIt() const {
    const double unused =
        (kWarpSize - lanes) * static_cast<double>(width) / static_cast<double>(kSectorSize.count());
    return 2 * unused >= sectors - ideal;
  }

  std::uint64_t width;  // bytes per lane
  std::uint64_t requests;
  double lanes, sectors, ideal, lines;  // per request
  bool clean;                           // nothing is wasted
  bool full;                            // all 32 lanes are active in every request
  bool lane_each;                       // every lane has a sector of its own
  bool line_each;                       // every lane has a line of its own
  bool alike = false;                   // no sum contradicts that all requests were alike
};

}  // namespace coalcheck::patterns
