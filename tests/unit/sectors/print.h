// SPDX-License-Identifier: Apache-2.0
//
// How GoogleTest shows counts and requests when a test fails.
#pragma once

#include <ostream>

#include "libcoalcheck/sectors/warp_request.h"

namespace coalcheck::sectors {

inline void PrintTo(const RequestCounts& counts, std::ostream* out) {
  *out << counts.lanes.count() << " lanes, " << counts.sectors.count() << " sectors (ideal "
       << counts.ideal_sectors.count() << "), " << counts.lines.count() << " lines";
}

inline void PrintTo(const WarpRequest& request, std::ostream* out) {
  *out << request.width << " bytes at";
  for (std::uint32_t lane = 0; lane < kWarpSize; ++lane) {
    if ((request.active >> lane & 1U) != 0) *out << ' ' << lane << ':' << request.address[lane];
  }
}

}  // namespace coalcheck::sectors
