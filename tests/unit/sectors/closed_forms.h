// SPDX-License-Identifier: Apache-2.0
//
// What regular access patterns cost, as formulas. They say why the brute force of the sector model
// (libcoalcheck/sectors/warp_request.h) finds what it finds; tests hold the two against each other.
//
// Everywhere: `base` is the address of the first lane's first byte, `width` the bytes per lane
// (1, 2, 4, 8, 16), and addresses are multiples of `width`, as the hardware demands.
#pragma once

#include <cstdint>

#include "libcoalcheck/sectors/warp_request.h"

namespace coalcheck::sectors {

// Lane i (of `lanes`, 1 to 32) reads the element after lane i - 1's. With b = lanes · width bytes:
//   sectors = ⌈(base mod 32 + b) / 32⌉, lines = ⌈(base mod 128 + b) / 128⌉, ideal = ⌈b / 32⌉.
// So a full warp of floats takes 4 sectors, and 5 when it starts inside one.
RequestCounts UnitStride(std::uint64_t base, std::uint32_t width, std::uint32_t lanes);

// All lanes read the same element: one sector, one line, and that is ideal.
RequestCounts Broadcast(std::uint32_t width, std::uint32_t lanes);

// Lane i reads at base + i · stride (bytes, at least `width`). Blocks of g bytes (g = 32 for
// sectors, 128 for lines): up to stride g, every block between the first and the last byte is
// touched; beyond, each lane has a block of its own. ideal = ⌈lanes · width / 32⌉.
RequestCounts ConstantStride(std::uint64_t base, std::uint64_t stride, std::uint32_t width,
                             std::uint32_t lanes);

// 32 lanes in runs of `run_lanes` (a divisor of 32); runs start at multiples of 128 bytes, far from
// each other, and have unit stride inside: what a block narrower than a warp makes of rows.
RequestCounts SeparateRuns(std::uint32_t run_lanes, std::uint32_t width);

// Unit stride from a multiple of 128 bytes, of which only the lanes in `active` take part: a sector
// (line) is touched when any of the 32 / width (128 / width) lanes that share it is active.
RequestCounts MaskedUnitStride(std::uint32_t active, std::uint32_t width);

}  // namespace coalcheck::sectors
