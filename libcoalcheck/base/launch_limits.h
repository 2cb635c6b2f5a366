// SPDX-License-Identifier: Apache-2.0
//
// The largest blocks and grids of CUDA's compute capabilities, the same since 3.0.
#pragma once

#include <cstdint>

namespace coalcheck {

inline constexpr std::uint32_t kMostThreadsOfBlock = 1024;
// Along x, y and z.
inline constexpr std::uint32_t kLargestBlock[] = {1024, 1024, 64};
inline constexpr std::uint32_t kLargestGrid[] = {2147483647, 65535, 65535};

}  // namespace coalcheck
