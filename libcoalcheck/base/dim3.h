// SPDX-License-Identifier: Apache-2.0
//
// The size of a grid or a block, or a place in one, by axis.
#pragma once

#include <compare>
#include <cstdint>

namespace coalcheck {

struct Dim3 {
  std::uint32_t x = 1, y = 1, z = 1;

  // Saturates at 2^64 - 1, which no launch reaches.
  std::uint64_t count() const {
    const std::uint64_t plane = std::uint64_t{x} * y;
    std::uint64_t all = 0;
    return __builtin_mul_overflow(plane, std::uint64_t{z}, &all) ? ~std::uint64_t{0} : all;
  }
  friend auto operator<=>(const Dim3&, const Dim3&) = default;
};

}  // namespace coalcheck
