// SPDX-License-Identifier: Apache-2.0
//
// Blocks and warps that code tells from those of an example, by the numbers that it compares with.
#pragma once

#include <cstdint>
#include <vector>

#include "libcoalcheck/address/launch_values.h"
#include "libcoalcheck/address/program.h"

namespace coalcheck::prediction {

struct FarWarp {
  address::Extent block;
  std::uint32_t warp = 0;
};

// Those that stand at the numbers that conditions of the program hold, and beside them, as far as
// they are beyond the first `blocks` along each axis, and beyond the first two and the last warp.
// The grid of a launch bounds them where `is_in_grid`.
std::vector<FarWarp> FarWarps(const address::Program& program, const address::LaunchValues& launch,
                              std::uint32_t blocks, bool is_in_grid);

}  // namespace coalcheck::prediction
