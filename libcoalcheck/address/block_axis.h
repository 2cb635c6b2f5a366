// SPDX-License-Identifier: Apache-2.0
//
// A block's shape, axis by axis.
#pragma once

#include <cstdint>

#include "libcoalcheck/address/expression.h"

namespace coalcheck::address {

// `axis`: 0 to 2 for x, y, z.
inline std::uint32_t SizeOf(const BlockShape& block, std::uint32_t axis) {
  return axis == 0 ? block.x : (axis == 1 ? block.y : block.z);
}

}  // namespace coalcheck::address
