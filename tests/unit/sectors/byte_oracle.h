// SPDX-License-Identifier: Apache-2.0
//
// The slow, obviously right count of a request: the sets of sectors and lines that the active lanes
// touch, byte by byte, and the sectors that all their bytes would fill.
#pragma once

#include <cstdint>
#include <set>

#include "libcoalcheck/sectors/warp_request.h"

namespace coalcheck::sectors {

inline RequestCounts CountBytes(const WarpRequest& request) {
  std::set<std::uint64_t> sectors, lines;
  std::uint64_t lanes = 0, bytes = 0;
  for (std::uint32_t lane = 0; lane < 32; ++lane) {
    if ((request.active & (1U << lane)) == 0) continue;
    ++lanes;
    for (std::uint32_t i = 0; i < request.width; ++i) {
      const std::uint64_t byte = request.address[lane] + i;
      ++bytes;
      sectors.insert(byte / 32);
      lines.insert(byte / 128);
    }
  }
  const std::uint64_t packed = (bytes + 31) / 32;
  const std::uint64_t ideal = packed < sectors.size() ? packed : sectors.size();
  return {Lanes(lanes), Sectors(sectors.size()), Sectors(ideal), CacheLines(lines.size())};
}

// Lane i at base + i · stride, the first `lanes` of them active.
inline WarpRequest Strided(std::uint64_t base, std::uint64_t stride, std::uint32_t width,
                           std::uint32_t lanes = 32) {
  WarpRequest request;
  request.width = width;
  for (std::uint32_t lane = 0; lane < lanes; ++lane) {
    request.address[lane] = base + lane * stride;
    request.active |= 1U << lane;
  }
  return request;
}

}  // namespace coalcheck::sectors
