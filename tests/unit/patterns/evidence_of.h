// SPDX-License-Identifier: Apache-2.0
//
// Evidence out of requests that the sector model counts, for tests of what is decided from it.
#pragma once

#include <cstdint>
#include <initializer_list>
#include <vector>

#include "libcoalcheck/patterns/evidence.h"
#include "libcoalcheck/sectors/warp_request.h"

namespace coalcheck::patterns {

inline constexpr std::uint32_t kAllActive = ~0U;

// Lane i reads `width` bytes at address_of(i).
template <typename AddressOf>
sectors::WarpRequest MakeRequest(std::uint32_t width, AddressOf address_of,
                                 std::uint32_t active = kAllActive) {
  sectors::WarpRequest request;
  request.width = width;
  request.active = active;
  for (std::uint32_t lane = 0; lane < kWarpSize; ++lane) request.address[lane] = address_of(lane);
  return request;
}

// Each of `requests`, made `times` times.
inline Evidence EvidenceOf(const std::vector<sectors::WarpRequest>& requests,
                           std::uint64_t times = 2000) {
  Evidence evidence;
  for (const sectors::WarpRequest& request : requests) {
    const sectors::RequestCounts counts = sectors::Count(request);
    evidence.width = Bytes(request.width);
    evidence.counts +=
        {Requests(times), Lanes(times * counts.lanes.count()),
         Sectors(times * counts.sectors.count()), Sectors(times * counts.ideal_sectors.count()),
         CacheLines(times * counts.lines.count())};
  }
  return evidence;
}

// Alike requests by their numbers.
inline Evidence EvidenceOf(std::uint64_t width, std::uint64_t lanes, std::uint64_t sectors,
                           std::uint64_t ideal, std::uint64_t lines, std::uint64_t times = 2000) {
  Evidence evidence;
  evidence.width = Bytes(width);
  evidence.counts = {Requests(times), Lanes(times * lanes), Sectors(times * sectors),
                     Sectors(times * ideal), CacheLines(times * lines)};
  return evidence;
}

}  // namespace coalcheck::patterns
