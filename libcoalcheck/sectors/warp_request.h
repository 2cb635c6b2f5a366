// SPDX-License-Identifier: Apache-2.0
//
// The sector model: what one warp's global access costs, by brute force over its active lanes.
// Header-only and free of dependencies, so that the samples count with the very same model.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>

#include "libcoalcheck/base/units.h"

namespace coalcheck::sectors {

// One warp instruction that reached the memory pipe. Only lanes whose bit is set in `active` count.
struct WarpRequest {
  std::array<std::uint64_t, kWarpSize> address{};  // of each lane's first byte; all below 2^63
  std::uint32_t active = 0;                        // bit i: lane i
  std::uint32_t width = 4;                         // bytes per lane: 1, 2, 4, 8, 16
};

struct RequestCounts {
  Lanes lanes;
  Sectors sectors;        // 32-byte sectors that the active lanes touch
  Sectors ideal_sectors;  // see IdealSectors
  CacheLines lines;       // 128-byte lines that the active lanes touch
  friend bool operator==(const RequestCounts&, const RequestCounts&) = default;
};

// The ideal number of sectors: those that the bytes of all active lanes fill, each lane counted for
// itself, but at most `touched`. So two groups of lanes that each share one far address have an
// ideal of 2, not 1. This is Nsight Compute's rule, measured on an H200 with 31 shapes
// (docs/measurements/nsight-compute.md), and the only place that knows it.
constexpr Sectors IdealSectors(Bytes asked_by_all_lanes, Sectors touched) {
  const std::uint64_t size = kSectorSize.count();
  const Sectors packed((asked_by_all_lanes.count() + size - 1) / size);
  return std::min(packed, touched);
}

// The number of `granule`-byte blocks, aligned to their size, that `width` bytes at each of the
// ascending addresses [begin, end) touch.
constexpr std::uint64_t TouchedGranules(const std::uint64_t* begin, const std::uint64_t* end,
                                        std::uint32_t width, std::uint64_t granule) {
  std::uint64_t touched = 0;
  std::uint64_t first_uncounted = 0;
  for (const std::uint64_t* address = begin; address != end; ++address) {
    const std::uint64_t first = std::max(*address / granule, first_uncounted);
    const std::uint64_t after_last = (*address + (width - 1)) / granule + 1;
    if (after_last > first) {
      touched += after_last - first;
      first_uncounted = after_last;
    }
  }
  return touched;
}

// A request without active lanes or without width touches nothing.
constexpr RequestCounts Count(const WarpRequest& request) {
  std::array<std::uint64_t, kWarpSize> addresses{};
  std::uint64_t* const begin = addresses.data();
  std::uint64_t* end = begin;
  for (std::uint32_t lane = 0; lane < kWarpSize; ++lane) {
    if ((request.active >> lane & 1U) != 0) *end++ = request.address[lane];
  }
  RequestCounts counts;
  counts.lanes = Lanes(static_cast<std::uint64_t>(end - begin));
  if (request.width == 0) return counts;
  // Most kernels address ascending; looking first is cheaper than sorting.
  if (!std::is_sorted(begin, end)) std::sort(begin, end);
  const auto touched = [&](std::uint64_t granule) {
    return TouchedGranules(begin, end, request.width, granule);
  };
  counts.sectors = Sectors(touched(kSectorSize.count()));
  counts.ideal_sectors = IdealSectors(Bytes(counts.lanes.count() * request.width), counts.sectors);
  counts.lines = CacheLines(touched(kCacheLineSize.count()));
  return counts;
}

}  // namespace coalcheck::sectors
