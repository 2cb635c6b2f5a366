// SPDX-License-Identifier: Apache-2.0
//
// The slow, obviously right count of a request: the set of bytes that the active lanes touch.
#pragma once

#include <cstdint>
#include <set>

#include "libcoalcheck/sectors/warp_request.h"

namespace coalcheck::sectors {

inline RequestCounts CountBytes(const WarpRequest& request) {
  std::set<std::uint64_t> bytes, sectors, lines;
  std::uint64_t lanes = 0;
  for (std::uint32_t lane = 0; lane < 32; ++lane) {
    if ((request.active & (1U << lane)) == 0) continue;
    ++lanes;
    for (std::uint32_t i = 0; i < request.width; ++i) {
      const std::uint64_t byte = request.address[lane] + i;
      bytes.insert(byte);
      sectors.insert(byte / 32);
      lines.insert(byte / 128);
    }
  }
  return {Lanes(lanes), Sectors(sectors.size()), Sectors((bytes.size() + 31) / 32),
          CacheLines(lines.size())};
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
