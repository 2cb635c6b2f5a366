// SPDX-License-Identifier: Apache-2.0
//
// Takes what __launch_bounds__ left in the code into account.
#include "libcoalcheck/prediction/example_shapes.h"

#include <algorithm>
#include <optional>

#include "libcoalcheck/base/units.h"
#include "libcoalcheck/prediction/launch_limits.h"

namespace coalcheck::prediction {
namespace {

using address::Extent;

constexpr Extent kShapes[] = {{128, 1, 1}, {32, 8, 1}, {512, 1, 1}};
constexpr Extent kManyRows = {32, 32, 1};

}  // namespace

std::vector<Extent> ExampleBlocks(const ptx::Function& function, bool has_rows, bool has_depth) {
  if (const std::optional<Extent> required = RequiredBlock(function)) return {*required};
  const std::uint64_t threads = MostThreads(function);
  std::vector<Extent> blocks;
  for (const Extent& block : kShapes) {
    if (block.count() <= threads) blocks.push_back(block);
  }
  if (has_rows && kManyRows.count() <= threads) blocks.push_back(kManyRows);
  const auto warps = static_cast<std::uint32_t>(threads / kWarpSize);
  if (blocks.empty()) blocks.push_back({std::max(warps, 1U) * kWarpSize, 1, 1});
  // Of small blocks, too, the threads differ along each axis.
  if (warps > 1 && warps < kShapes[1].y) blocks.push_back({kWarpSize, warps, 1});
  if (!has_depth || warps < 2) return blocks;
  blocks.push_back({kWarpSize, 1, std::min(warps, 8U)});
  constexpr Extent kDeep = {32, 2, 4};
  if (kDeep.count() <= threads) blocks.push_back(kDeep);
  return blocks;
}

}  // namespace coalcheck::prediction
