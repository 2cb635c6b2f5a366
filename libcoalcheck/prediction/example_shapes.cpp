// SPDX-License-Identifier: Apache-2.0
//
// Takes what __launch_bounds__ left in the code into account.
#include "libcoalcheck/prediction/example_shapes.h"

#include <fmt/format.h>

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

std::uint64_t MostThreads(const ptx::Function& function) {
  return function.max_threads[0] == 0 ? kMostThreads : ExtentOf(function.max_threads).count();
}

}  // namespace

std::vector<Extent> ExampleBlocks(const ptx::Function& function) {
  if (function.required_threads[0] != 0) return {ExtentOf(function.required_threads)};
  const std::uint64_t threads = MostThreads(function);
  std::vector<Extent> blocks;
  for (const Extent& block : kShapes) {
    if (block.count() <= threads) blocks.push_back(block);
  }
  const auto largest = static_cast<std::uint32_t>(threads / kWarpSize * kWarpSize);
  if (blocks.empty()) blocks.push_back({std::max<std::uint32_t>(largest, kWarpSize), 1, 1});
  return blocks;
}

std::string WhyNoBlock(const ptx::Function& function, const Extent& block) {
  const auto words = [](const Extent& extent) {
    return fmt::format("{}x{}x{}", extent.x, extent.y, extent.z);
  };
  if (function.required_threads[0] != 0 && !(ExtentOf(function.required_threads) == block)) {
    return fmt::format("block {}: the kernel demands {}", words(block),
                       words(ExtentOf(function.required_threads)));
  }
  const std::uint64_t most = MostThreads(function);
  if (block.count() <= most) return {};
  return fmt::format("block {}: {} threads, and the kernel takes at most {}", words(block),
                     block.count(), most);
}

}  // namespace coalcheck::prediction
