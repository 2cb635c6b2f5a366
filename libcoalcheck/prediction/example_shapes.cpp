// SPDX-License-Identifier: Apache-2.0
//
// Takes what __launch_bounds__ left in the code into account.
#include "libcoalcheck/prediction/example_shapes.h"

#include <algorithm>

#include "libcoalcheck/base/units.h"

namespace coalcheck::prediction {
namespace {

using address::Extent;

constexpr Extent kShapes[] = {{128, 1, 1}, {32, 8, 1}, {512, 1, 1}};
constexpr std::uint64_t kMostThreads = 1024;

Extent ExtentOf(const std::uint32_t (&threads)[3]) {
  return {threads[0], std::max(threads[1], 1U), std::max(threads[2], 1U)};
}

}  // namespace

std::vector<Extent> ExampleBlocks(const ptx::Function& function) {
  if (function.required_threads[0] != 0) return {ExtentOf(function.required_threads)};
  const std::uint64_t threads =
      function.max_threads[0] == 0 ? kMostThreads : ExtentOf(function.max_threads).count();
  std::vector<Extent> blocks;
  for (const Extent& block : kShapes) {
    if (block.count() <= threads) blocks.push_back(block);
  }
  const auto largest = static_cast<std::uint32_t>(threads / kWarpSize * kWarpSize);
  if (blocks.empty()) blocks.push_back({std::max<std::uint32_t>(largest, kWarpSize), 1, 1});
  return blocks;
}

}  // namespace coalcheck::prediction
