// SPDX-License-Identifier: Apache-2.0
//
// From numbers that may be of any size back to counts.
#pragma once

#include <algorithm>
#include <cstdint>

namespace coalcheck {

// `value` without its fraction; 0 for what is negative or no number, and about the largest count
// for what is larger.
inline std::uint64_t SaturatingCount(double value) {
  constexpr double kMost = 1.8e19;  // fits 64 bits
  return value > 0 ? static_cast<std::uint64_t>(std::min(value, kMost)) : 0;
}

}  // namespace coalcheck
