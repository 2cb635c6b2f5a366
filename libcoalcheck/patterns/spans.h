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
