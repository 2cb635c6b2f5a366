// SPDX-License-Identifier: Apache-2.0
//
// From numbers that may be of any size back to counts.
#pragma once

#include <algorithm>
#include <cstdint>

namespace coalcheck {

// `value` without its fraction; 0 if it is negative or not a number; about the largest count if it
// is larger than that.
inline std::uint64_t SaturatingCount(double value) {
  constexpr double kMost = 1.8e19;  // fits 64 bits
  return value > 0 ? static_cast<std::uint64_t>(std::min(value, kMost)) : 0;
}

}  // namespace coalcheck
