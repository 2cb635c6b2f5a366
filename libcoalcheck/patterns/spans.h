// SPDX-License-Identifier: Apache-2.0
//
// How many sectors and lines bytes in a row can touch, when it is not known where they start.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>

#include "libcoalcheck/base/units.h"

namespace coalcheck::patterns {

inline constexpr std::uint64_t kSector = kSectorSize.count();
inline constexpr std::uint64_t kLine = kCacheLineSize.count();

// What dividing integers may be off by.
inline constexpr double kRounding = 1e-9;

// Both ends can occur. Averages over requests lie between them as well.
struct Bounds {
  double low = 0;
  double high = 0;

  bool Contain(double value) const {
    return value >= low * (1 - kRounding) && value <= high * (1 + kRounding);
  }
  friend Bounds operator*(double times, Bounds one) { return {times * one.low, times * one.high}; }
};

struct Footprint {
  std::uint64_t sectors = 0;
  std::uint64_t lines = 0;
  friend bool operator==(const Footprint&, const Footprint&) = default;
};

// By `span` bytes that begin `phase` bytes after the start of a line.
constexpr Footprint TouchedBy(std::uint64_t phase, std::uint64_t span) {
  return {(phase + span - 1) / kSector + 1 - phase / kSector,
          (phase + span - 1) / kLine + 1 - phase / kLine};
}

// `lanes` lanes, the first `phase` bytes after the start of a line, each `step` bytes after the one
// before. Lanes further apart than a sector (line) have one each.
constexpr Footprint TouchedBySteps(std::uint64_t phase, std::uint64_t step, std::uint64_t width,
                                   std::uint64_t lanes) {
  const Footprint all = TouchedBy(phase, (lanes - 1) * step + width);
  return {step < kSector ? all.sectors : lanes, step < kLine ? all.lines : lanes};
}

// Blocks of `granule` bytes touched by `span` bytes that begin at any multiple of `width`.
inline Bounds BlocksOf(double span, std::uint64_t width, std::uint64_t granule) {
  const auto size = static_cast<double>(granule);
  const double latest = size - static_cast<double>(std::min(width, granule));
  return {std::ceil(span / size), std::floor((latest + span - 1) / size) + 1};
}

// The same for spans of which only the average is known: rounding may have gone either way.
inline Bounds BlocksOfAverage(double span, std::uint64_t width, std::uint64_t granule) {
  const auto size = static_cast<double>(granule);
  const auto step = static_cast<double>(std::min(width, granule));
  return {span / size, span / size + 2 - 2 * step / size};
}

}  // namespace coalcheck::patterns
